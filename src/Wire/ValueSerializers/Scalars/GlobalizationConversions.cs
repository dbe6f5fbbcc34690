using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using Wire.Runtime;
using Wire.Types;

namespace Wire.ValueSerializers.Scalars;

/// <summary>A CompareInfo: the name of its culture.</summary>
internal static class CompareInfoConversion
{
    public static string To(TypeRegistry registry, CompareInfo value) => registry.Cultures.Own(value.Name).CompareInfo.Equals(value)
        ? value.Name
        : throw new UnsupportedTypeException(
            typeof(CompareInfo), $"it differs from the one of the culture '{value.Name}', and only the name would be written.");

    public static CompareInfo From(TypeRegistry registry, string written) => registry.Cultures.Get(written).CompareInfo;
}

/// <summary>A TextInfo: the name of its culture, its list separator, and whether that can be changed.</summary>
internal static class TextInfoConversion
{
    public static Parts To(TypeRegistry registry, TextInfo value) => registry.Cultures.Own(value.CultureName).TextInfo.Equals(value)
        ? new Parts(value.CultureName, value.IsReadOnly, value.ListSeparator)
        : throw new UnsupportedTypeException(
            typeof(TextInfo), $"it differs from the one of the culture '{value.CultureName}', and only the name would be written.");

    public static TextInfo From(TypeRegistry registry, Parts written)
    {
        var text = (TextInfo)registry.Cultures.Get(written.Culture).TextInfo.Clone();
        text.ListSeparator = written.ListSeparator;
        return written.IsReadOnly ? TextInfo.ReadOnly(text) : text;
    }

    internal readonly record struct Parts(string Culture, bool IsReadOnly, string ListSeparator);
}

/// <summary>
/// A RegionInfo: the name of its culture. Its own name is not enough: the regions of es-US and en-US are both US.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = TrimmingAdvice.Inside)]
internal static class RegionConversion
{
    private static readonly FieldInfo? Data = typeof(RegionInfo).GetField("_cultureData", BindingFlags.Instance | BindingFlags.NonPublic);

    private static readonly PropertyInfo? CultureName =
        Data?.FieldType.GetProperty("CultureName", BindingFlags.Instance | BindingFlags.NonPublic);

    public static string To(TypeRegistry registry, RegionInfo value)
    {
        string name = Culture(value);
        if (name.Length == 0)
        {
            throw new UnsupportedTypeException(
                typeof(RegionInfo), "it was made from a name that is not a culture's, and no culture has its native name.");
        }

        _ = registry.Cultures.Own(name);
        var same = new RegionInfo(name);
        return same.Name == value.Name && same.NativeName == value.NativeName && same.CurrencyNativeName == value.CurrencyNativeName
            ? name
            : throw new UnsupportedTypeException(typeof(RegionInfo), $"the culture '{name}' has another region than '{value.Name}'.");
    }

    public static RegionInfo From(TypeRegistry registry, string written)
    {
        // The runtime keeps regions for ever, like cultures.
        _ = registry.Cultures.Get(written);
        var region = new RegionInfo(written);

        // The POSIX culture "c" has a region that no culture's name leads to.
        return Culture(region).Length > 0
            ? region
            : throw new ArgumentException($"'{written}' is not a culture with a region.", nameof(written));
    }

    private static string Culture(RegionInfo region) => CultureName is { } name
        ? (string)name.GetValue(Data!.GetValue(region))!
        : throw new UnsupportedTypeException(typeof(RegionInfo), TrimmedAssemblies.HiddenFields(typeof(RegionInfo)));
}

internal readonly record struct SortVersionParts(int FullVersion, Guid SortId);

internal readonly record struct OperatingSystemParts(PlatformID Platform, Version Version);
