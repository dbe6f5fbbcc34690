using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Globalization;

namespace Wire;

/// <summary>The cultures that payloads name.</summary>
internal static class Cultures
{
    // The runtime keeps every culture for ever, and takes almost any name for one: made-up ones must not come without end.
    private const int MaxUnlisted = 4096;

    private static readonly SearchValues<char> NameCharacters = SearchValues.Create("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");

    private static readonly ConcurrentDictionary<string, bool> Unlisted = new(StringComparer.OrdinalIgnoreCase);

    // Made when a payload first names a culture. These are never counted, so that made-up names cannot take their place.
    private static readonly Lazy<FrozenSet<string>> Listed = new(() =>
        CultureInfo.GetCultures(CultureTypes.AllCultures).Select(culture => culture.Name).ToFrozenSet(StringComparer.OrdinalIgnoreCase));

    /// <summary>Finds a culture by its name in a payload.</summary>
    /// <exception cref="WireFormatException">Payloads have named too many cultures that this machine does not list.</exception>
    /// <exception cref="ArgumentException">There is no name, or it is none of a culture.</exception>
    public static CultureInfo Get(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (name.Length == 0)
        {
            return CultureInfo.InvariantCulture;
        }

        if (Listed.Value.Contains(name) || Unlisted.ContainsKey(name))
        {
            return CultureInfo.GetCultureInfo(name);
        }

        if (name.AsSpan().ContainsAnyExcept(NameCharacters))
        {
            throw new CultureNotFoundException(nameof(name), name, "A culture's name has letters, digits, hyphens and underscores.");
        }

        if (Unlisted.Count >= MaxUnlisted)
        {
            Throw.Format(WireFormatError.Limit, $"Payloads have named more than {MaxUnlisted} cultures that this machine does not list.");
        }

        var culture = CultureInfo.GetCultureInfo(name);
        Unlisted.TryAdd(name, true);
        return culture;
    }
}
