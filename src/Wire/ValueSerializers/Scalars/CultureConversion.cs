using System.Globalization;

namespace Wire;

/// <summary>
/// A CultureInfo: its name. It comes back as <see cref="CultureInfo.GetCultureInfo(string)"/> has it: shared, read-only, and
/// without what the writer changed in it.
/// </summary>
internal sealed class CultureConversion : IConversion<CultureInfo, string>
{
    public static string To(CultureInfo value) => CultureInfo.GetCultureInfo(value.Name).CompareInfo.Equals(value.CompareInfo)
        ? value.Name
        : throw new UnsupportedTypeException(typeof(CultureInfo), $"the culture '{value.Name}' compares like another one, '{value.CompareInfo.Name}', which its name does not say.");

    public static CultureInfo From(string written) => Cultures.Get(written);
}
