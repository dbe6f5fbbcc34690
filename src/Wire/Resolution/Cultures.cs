using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Globalization;
using Wire.Errors;

namespace Wire.Resolution;

/// <summary>
/// The cultures that a serializer's payloads name. .NET keeps every culture for ever, and accepts almost any name, so the number of
/// invented ones is bounded. Cultures of the program are not counted: those that this machine lists, those that the serializer has written,
/// and those in use. Thread-safe.
/// </summary>
/// <param name="limit">The maximal number of others: <see cref="Limits.MaxConstructedTypes"/>.</param>
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
    /// <exception cref="ArgumentException">The name is missing, or is not the name of a culture.</exception>
    public CultureInfo Get(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (name.Length == 0)
        {
            return CultureInfo.InvariantCulture;
        }

        return _known.TryGetValue(name, out CultureInfo? known) ? known : Find(name);
    }

    /// <summary>Returns the name under which a culture's comparer is written, and counts it as the program's.</summary>
    public string NameOf(CompareInfo compare)
    {
        Own(compare.Name);
        return compare.Name;
    }

    /// <summary>Finds a culture of the program, and records it.</summary>
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

    // zh-Hans-CN is listed, but zh-CN is the usual name.
    private static IEnumerable<string> NamesOf(string listed) =>
        listed.Split('-') is [var language, { Length: 4 }, var region] ? [listed, $"{language}-{region}"] : [listed];
}
