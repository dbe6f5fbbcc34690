using System.Globalization;
using Wire.Types;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// A CultureInfo: its name. It is restored as the result of <see cref="CultureInfo.GetCultureInfo(string)"/>: shared, read-only, and
/// without the writer's changes.
/// </summary>
internal static class CultureConversion
{
    public static string To(TypeRegistry registry, CultureInfo value) =>
        registry.Cultures.Own(value.Name).CompareInfo.Equals(value.CompareInfo)
        ? value.Name
        : throw new UnsupportedTypeException(
            typeof(CultureInfo),
            $"the culture '{value.Name}' has the sort order of another one, '{value.CompareInfo.Name}', and its name alone would be " +
            "written.");

    public static CultureInfo From(TypeRegistry registry, string written) => registry.Cultures.Get(written);
}
