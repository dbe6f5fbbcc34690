using System.Xml;
using System.Xml.Linq;

namespace Wire.ValueSerializers.Scalars;

/// <summary>An XName: its text, with the namespace in braces. .NET has one object for each name.</summary>
internal static class XNameConversion
{
    public static long Overhead(string? written) => written?.StartsWith('{') == true ? XmlText.PerNamespace : 0;

    public static string To(XName value) => value.ToString();

    public static XName From(string written)
    {
        try
        {
            return XName.Get(written);
        }
        catch (XmlException e)
        {
            throw new FormatException(e.Message, e);
        }
    }
}

internal readonly record struct XAttributeParts(string Name, string Value);
