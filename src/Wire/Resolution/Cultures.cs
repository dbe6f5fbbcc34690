using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Globalization;
using Wire.Errors;

namespace Wire.Resolution;

/// <summary>
/// The cultures that a serializer's payloads name. .NET keeps every culture for ever, and takes almost any name for one, so that made-up
/// ones must not come endlessly. What the program has is never counted: cultures that this machine lists, those that the serializer has
/// written, and those in use. Thread-safe.
/// </summary>
/// <param name="limit">How many others there may be: <see cref="Limits.MaxConstructedTypes"/>.</param>
internal sealed class Cultures(int limit)
{
    private static readonly SearchValues<char> NameCharacters =
        SearchValues.Create("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");

    // Made when a payload first names a culture.
    private static readonly Lazy<FrozenSet<string>> Listed = new(() => CultureInfo.GetCultures(CultureTypes.AllCultures)
        .SelectMany(culture => NamesOf(culture.Name))
        .ToFrozenSet(StringComparer.OrdinalIgnoreCase));

    private readonly ConcurrentDictionary<string, CultureInfo> _known = new(StringComparer.OrdinalIgnoreCase);
    private int _others;

    /// <summary>Finds a culture by its name in a payload.</summary>
    /// <exception cref="WireFormatException">Payloads have named too many cultures that the program does not have.</exception>
    /// <exception cref="ArgumentException">There is no name, or it is none of a culture.</exception>
    public CultureInfo Get(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (name.Length == 0)
        {
            return CultureInfo.InvariantCulture;
        }

        return _known.TryGetValue(name, out CultureInfo? known) ? known : Find(name);
    }

    /// <summary>The name under which a culture's comparisons are written: the program has it.</summary>
    public string NameOf(CompareInfo compare)
    {
        Own(compare.Name);
        return compare.Name;
    }

    /// <summary>Finds a culture that the program has, and takes note of it.</summary>
    public CultureInfo Own(string name) =>
        _known.TryGetValue(name, out CultureInfo? known) ? known : _known.GetOrAdd(name, CultureInfo.GetCultureInfo(name));

    private CultureInfo Find(string name)
    {
        if (Listed.Value.Contains(name) || IsInUse(name))
        {
            return Own(name);
        }

        if (name.AsSpan().ContainsAnyExcept(NameCharacters))
        {
            throw new CultureNotFoundException(
                nameof(name), name, "The name of a culture has only letters, digits, hyphens and underscores.");
        }

        if (Volatile.Read(ref _others) >= limit)
        {
            ThrowHelper.Format(
                WireFormatError.Limit,
                $"Payloads have named more than Limits.MaxConstructedTypes = {limit} cultures "
                + "that neither this machine lists nor this serializer has written. Raise the limit if such payloads are expected.");
        }

        var culture = CultureInfo.GetCultureInfo(name);
        if (_known.TryAdd(name, culture))
        {
            Interlocked.Increment(ref _others);
        }

        return culture;
    }

    private static bool IsInUse(string name)
    {
        CultureInfo?[] used =
        [
            CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture, CultureInfo.InstalledUICulture,
            CultureInfo.DefaultThreadCurrentCulture, CultureInfo.DefaultThreadCurrentUICulture,
        ];
        return Array.Exists(used, culture => string.Equals(culture?.Name, name, StringComparison.OrdinalIgnoreCase));
    }

    // zh-Hans-CN is listed, and everybody says zh-CN.
    private static IEnumerable<string> NamesOf(string listed) =>
        listed.Split('-') is [var language, { Length: 4 }, var region] ? [listed, $"{language}-{region}"] : [listed];
}
