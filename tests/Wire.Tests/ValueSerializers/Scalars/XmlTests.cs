using System.Diagnostics;
using System.Globalization;
using System.Xml.Linq;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("as text with all white space; no DTD; prefixes that begin with `_wire` are refused")]
public sealed class XElementTests : ValueTests<XElement?>
{
    private static readonly XNamespace Space = "urn:a";

    protected override IEnumerable<XElement?> Samples =>
    [
        null, new("a"), new("a", ""), new(
            "a", " \r\n\t"), new("a", new XAttribute("b", "1\r\n\t\"'<&>"), "x\ry\u0416", new XComment(" c\r\n"), new XCData("<d>\r")),
        new(
            Space + "a",
            new XAttribute(XNamespace.Xmlns + "p", "urn:a"),
            new XAttribute(Space + "b", 1),
            new XElement("c", new XElement(Space + "d"))),
        new("a", new XProcessingInstruction("p", "i\r")), new("a", "\uD83D\uDE00]]>"),
        new(Space + "a"),
        new(
            Space + "a",
            new XElement(Space + "b", new XElement("c")),
            new XElement("{urn:b}d", new XAttribute("{urn:c}e", 1), new XAttribute(XNamespace.Xml + "lang", "de"))),
        new(
            "a",
            new XElement(
                Space + "a",
                new XAttribute("xmlns", "urn:a"),
                new XAttribute(Space + "b", 1),
                new XElement("c", new XElement("d")),
                new XElement("e", new XAttribute("xmlns", "")),
                new XElement(Space + "f"))),
        new(
            Space + "a",
            new XAttribute(XNamespace.Xmlns + "p", "urn:a"),
            new XElement("b", new XAttribute(XNamespace.Xmlns + "p", "urn:b"), new XElement(Space + "c", new XAttribute(Space + "d", 1)))),
    ];

    [Fact]
    public void Namespaces_that_the_tree_does_not_declare_are_not_declared_in_what_comes_back()
    {
        Assert.Empty(new Serializer().CopyBothWays(new XElement("{urn:a}r")).Attributes());
        XElement several = new Serializer().CopyBothWays(new XElement("{urn:a}r", new XElement("{urn:b}s", new XAttribute("{urn:c}t", 1))));
        Assert.DoesNotContain(several.DescendantsAndSelf().Attributes(), attribute => attribute.IsNamespaceDeclaration);
        Assert.Equal(1, (int)several.Element("{urn:b}s")!.Attribute("{urn:c}t")!);
        XElement copy = new Serializer().CopyBothWays(new XElement("{urn:a}r", new XAttribute("xmlns", "urn:a")));
        Assert.Equal("urn:a", copy.Attribute("xmlns")!.Value);
    }

    [Fact]
    public void An_element_of_a_tree_does_not_declare_what_those_around_it_do()
    {
        XElement inner = XElement.Parse("<p:a xmlns:p='urn:a' xmlns='urn:b'><p:b><c/><d xmlns=''><e/></d></p:b></p:a>").Elements().Single();
        Assert.True(XNode.DeepEquals(inner, new Serializer().CopyBothWays(inner)));
    }

    [Fact]
    public void The_prefixes_that_stand_for_them_are_nobody_elses() => Assert.Contains(
        "_wire7",
        Assert.Throws<UnsupportedTypeException>(
            () => new Serializer().Serialize(new XElement("a", new XAttribute(XNamespace.Xmlns + "_wire7", "urn:a")))).Message,
        StringComparison.Ordinal);

    [Fact]
    public void Line_ends_are_kept()
    {
        var element = new XElement("a", new XAttribute("b", "\r\n"), "\r\n", new XComment("\r"), new XCData("\r\n"));
        XElement read = new Serializer().CopyBothWays(element);
        Assert.Equal("\r\n", read.Attribute("b")!.Value);
        Assert.Equal("\r\n\r\n", read.Value);
        Assert.Equal("\r", read.Nodes().OfType<XComment>().Single().Value);
    }

    [Fact]
    public void An_element_of_a_tree_comes_back_alone_with_its_names()
    {
        var parent = XElement.Parse("<p:a xmlns:p='urn:a'><p:b c='1'/></p:a>");
        XElement read = new Serializer().CopyBothWays(parent.Elements().Single());
        Assert.Null(read.Parent);
        Assert.Equal(Space + "b", read.Name);
    }

    [Theory]
    [InlineData("<r xmlns:q='u' {0}><s {1}>{2}</s></r>", "xmlns:p#='u' ", "xmlns:p#='v' ", "<q:x/>")]
    [InlineData("<r xmlns:q='u' {0}>{1}</r>", "xmlns:p#='u#' ", "<q:x/>", "")]
    [InlineData("<r xmlns:q='u' {0}><x {1}/></r>", "xmlns:p#='u#' ", "q:a#='' ", "")]
    public void Names_beneath_many_declarations_take_memory_as_their_text_does(string format, string first, string second, string third)
    {
        XElement element = Repeat(1000, format, first, second, third);
        var serializer = new Serializer();
        Assert.InRange(Allocated(() => serializer.Serialize(element)), 0, 10 * Allocated(() => Text(element)));

        static long Allocated(Action run)
        {
            run();
            long before = GC.GetAllocatedBytesForCurrentThread();
            run();
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Fact]
    public void Names_beneath_many_hidden_declarations_take_time_as_their_text_does()
    {
        XElement element = Repeat(1000, "<r xmlns:q='u' {0}><s {1}>{2}</s></r>", "xmlns:p#='u' ", "xmlns:p#='v' ", "<q:x/>");
        var serializer = new Serializer();
        Assert.InRange(Least(() => serializer.Serialize(element)), TimeSpan.Zero, 10 * Least(() => Text(element)));

        // Others on the machine make a run longer, and none shorter.
        static TimeSpan Least(Action run) => Enumerable.Range(0, 5).Min(_ =>
        {
            long start = Stopwatch.GetTimestamp();
            run();
            return Stopwatch.GetElapsedTime(start);
        });
    }

    private static string Text(XElement element) => element.ToString(SaveOptions.DisableFormatting);

    // Each part stands so many times in its place, with a number for its #.
    private static XElement Repeat(int times, string format, params string[] parts)
    {
        IEnumerable<string> repeated = parts.Select(part => string.Concat(
            Enumerable.Range(0, times).Select(i => part.Replace("#", $"{i}", StringComparison.Ordinal))));
        return XElement.Parse(string.Format(CultureInfo.InvariantCulture, format, [.. repeated]));
    }

    [Fact]
    public void Text_that_XML_cannot_have_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new XElement("a", "\0")));

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
            Assert.Equal(text, new Serializer().CopyBothWays(read).ToString(SaveOptions.DisableFormatting));
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
        null, new(), new(new XElement("a")), new(
            new XDeclaration("1.0", "utf-8", "yes"),
            new XComment("\r\n"),
            new XElement("a", "b\r")), new(new XDeclaration(null, null, null)),
        new(new XElement("{urn:a}a", new XElement("b"))),
        XDocument.Parse("<?xml version='1.0' encoding='x'?>\r\n<?p i?>\r\n<!-- c -->\n<a> <b/> </a>\n", LoadOptions.PreserveWhitespace),
    ];

    [Fact]
    public void A_document_type_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(
            () => new Serializer().Serialize(new XDocument(new XDocumentType("a", null, null, null), new XElement("a"))));

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
        byte[] bytes =
            serializer.Serialize<object>(typeof(T) == typeof(XElement) ? new XElement("marker") : new XDocument(new XElement("marker")));
        int at = bytes.AsSpan().IndexOf("<marker />"u8);
        byte[] written = serializer.Serialize(text);
        return serializer.Deserialize<T>([.. bytes[..(at - 1)], .. written[2..], .. bytes[(at + "<marker />".Length)..]])!;
    }
}
