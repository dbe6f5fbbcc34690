using System.Collections.Concurrent;
using System.Globalization;

namespace Wire;

/// <summary>
/// A CultureInfo: its name. It comes back as <see cref="CultureInfo.GetCultureInfo(string)"/> has it: shared, read-only, and
/// without what the writer changed in it.
/// </summary>
internal sealed class CultureConversion : IConversion<CultureInfo, string>
{
    // The runtime keeps every culture for ever, and takes almost any name for one: made-up ones must not come without end.
    private const int MaxNames = 4096;

    private static readonly ConcurrentDictionary<string, bool> Read = new(StringComparer.OrdinalIgnoreCase);

    public static string To(CultureInfo value) => CultureInfo.GetCultureInfo(value.Name).CompareInfo.Equals(value.CompareInfo)
        ? value.Name
        : throw new UnsupportedTypeException(typeof(CultureInfo), $"the culture '{value.Name}' compares like another one, '{value.CompareInfo.Name}', which its name does not say.");

    public static CultureInfo From(string written)
    {
        if (written.Length == 0)
        {
            return CultureInfo.InvariantCulture;
        }

        if (!Read.ContainsKey(written))
        {
            if (Read.Count >= MaxNames)
            {
                Throw.Format(WireFormatError.Limit, $"Payloads have named more than {MaxNames} cultures.");
            }

            _ = CultureInfo.GetCultureInfo(written);
            Read.TryAdd(written, true);
        }

        return CultureInfo.GetCultureInfo(written);
    }
}
