using System.Xml;
using System.Xml.Linq;

namespace Wire.ValueSerializers.Scalars;

/// <summary>An XName: its text, in which the namespace stands in braces. .NET has one object for each name.</summary>
internal sealed class XNameConversion : IConversion<XName, string>
{
    public static long Overhead(string written) => written.StartsWith('{') ? XmlText.PerNamespace : 0;

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

internal sealed class XNamespaceConversion : IConversion<XNamespace, string>
{
    public static long Overhead(string written) => XmlText.PerNamespace;

    public static string To(XNamespace value) => value.NamespaceName;

    public static XNamespace From(string written) => XNamespace.Get(written);
}

/// <summary>An XAttribute: its name and value. The element that it belongs to is not a part of it.</summary>
internal sealed class XAttributeConversion : IConversion<XAttribute, XAttributeConversion.Parts>
{
    public static long Overhead(Parts written) => written.Name is null ? 0 : XNameConversion.Overhead(written.Name);

    public static Parts To(XAttribute value) => new(XNameConversion.To(value.Name), value.Value);

    public static XAttribute From(Parts written) => new(XNameConversion.From(written.Name), written.Value);

    internal readonly record struct Parts(string Name, string Value);
}
