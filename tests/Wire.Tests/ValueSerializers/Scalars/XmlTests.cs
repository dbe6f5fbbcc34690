using System.Xml.Linq;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("as text with all white space; no DTD")]
public sealed class XElementTests : ValueTests<XElement?>
{
    private static readonly XNamespace Space = "urn:a";

    protected override IEnumerable<XElement?> Samples =>
    [
        null, new("a"), new("a", ""), new("a", " \r\n\t"), new("a", new XAttribute("b", "1\r\n\t\"'<&>"), "x\ry\u0416", new XComment(" c\r\n"), new XCData("<d>\r")),
        new(Space + "a", new XAttribute(XNamespace.Xmlns + "p", "urn:a"), new XAttribute(Space + "b", 1), new XElement("c", new XElement(Space + "d"))),
        new("a", new XProcessingInstruction("p", "i\r")), new("a", "\uD83D\uDE00]]>"),
    ];

    [Fact]
    public void Line_ends_are_kept()
    {
        var element = new XElement("a", new XAttribute("b", "\r\n"), "\r\n", new XComment("\r"), new XCData("\r\n"));
        XElement read = new Serializer().Clone(element);
        Assert.Equal("\r\n", read.Attribute("b")!.Value);
        Assert.Equal("\r\n\r\n", read.Value);
        Assert.Equal("\r", read.Nodes().OfType<XComment>().Single().Value);
    }

    [Fact]
    public void An_element_of_a_tree_comes_back_alone_with_its_names()
    {
        var parent = XElement.Parse("<p:a xmlns:p='urn:a'><p:b c='1'/></p:a>");
        XElement read = new Serializer().Clone(parent.Elements().Single());
        Assert.Null(read.Parent);
        Assert.Equal(Space + "b", read.Name);
    }

    [Fact]
    public void Text_that_XML_cannot_have_is_unsupported() => Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new XElement("a", "\0")));

    [Theory]
    [InlineData("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>")]
    [InlineData("<!DOCTYPE a SYSTEM \"file:///etc/hostname\"><a/>")]
    [InlineData("<a>&b;</a>")]
    [InlineData("<a/><b/>")]
    [InlineData("text")]
    [InlineData("")]
    [InlineData("<?xml version=\"1.0\"?><a/>")]
    public void A_text_that_is_not_one_element_is_invalid(string text) =>
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => XmlPayload.Read<XElement>(text)).Error);

    [Theory]
    [InlineData(1000, true)]
    [InlineData(1001, false)]
    [InlineData(1_000_000, false)]
    public void Depth_has_a_limit(int depth, bool holds)
    {
        string text = string.Concat(Enumerable.Repeat("<a>", depth)) + string.Concat(Enumerable.Repeat("</a>", depth));
        if (holds)
        {
            XElement read = XmlPayload.Read<XElement>(text);
            Assert.Equal(depth, read.DescendantsAndSelf().Count());
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new XElement("b", read)));
            Assert.Equal(text, new Serializer().Clone(read).ToString(SaveOptions.DisableFormatting));
        }
        else
        {
            Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => XmlPayload.Read<XElement>(text)).Error);
        }
    }
}

public sealed class XDocumentTests : ValueTests<XDocument?>
{
    protected override IEnumerable<XDocument?> Samples =>
    [
        null, new(), new(new XElement("a")), new(new XDeclaration("1.0", "utf-8", "yes"), new XComment("\r\n"), new XElement("a", "b\r")), new(new XDeclaration(null, null, null)),
        XDocument.Parse("<?xml version='1.0' encoding='x'?>\r\n<?p i?>\r\n<!-- c -->\n<a> <b/> </a>\n", LoadOptions.PreserveWhitespace),
    ];

    [Fact]
    public void A_document_type_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new XDocument(new XDocumentType("a", null, null, null), new XElement("a"))));

    [Theory]
    [InlineData("<!DOCTYPE a><a/>")]
    [InlineData("<a/><b/>")]
    [InlineData("<a/>b")]
    [InlineData("<a>")]
    public void A_text_that_is_no_document_is_invalid(string text) =>
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => XmlPayload.Read<XDocument>(text)).Error);
}

internal static class XmlPayload
{
    /// <summary>Reads a payload in which a text stands instead of that of an element.</summary>
    public static T Read<T>(string text)
        where T : class
    {
        var serializer = new Serializer();
        byte[] bytes = serializer.Serialize<object>(typeof(T) == typeof(XElement) ? new XElement("marker") : new XDocument(new XElement("marker")));
        int at = bytes.AsSpan().IndexOf("<marker />"u8);
        byte[] written = serializer.Serialize(text);
        return serializer.Deserialize<T>([.. bytes[..(at - 1)], .. written[2..], .. bytes[(at + "<marker />".Length)..]])!;
    }
}
