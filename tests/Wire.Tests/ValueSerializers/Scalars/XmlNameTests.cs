using System.Xml.Linq;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("the one object of that name; .NET keeps names as long as it keeps one of their namespace")]
public sealed class XNameTests : ValueTests<XName?>
{
    protected override IEnumerable<XName?> Samples =>
        [null, "a", "{urn:a}b", XNamespace.Xml + "lang", XNamespace.Get("a}b{") + "c", "\u0416"];

    protected override void More(XName? expected, XName? actual) => Assert.Same(expected, actual);

    [Fact]
    public void A_text_that_is_no_name_is_invalid()
    {
        byte[] bytes = new Serializer().SerializeTyped<XName>("abc");
        foreach (string text in (string[])["a b", "1ab", "{a}", "a:b"])
        {
            byte[] changed = [.. bytes[..bytes.AsSpan().IndexOf("abc"u8)], .. System.Text.Encoding.Latin1.GetBytes(text)];
            Assert.Equal(
                WireFormatError.InvalidValue,
                Assert.Throws<WireFormatException>(() => new Serializer().DeserializeTyped<XName>(changed)).Error);
        }
    }
}

public sealed class XNamespaceTests : ValueTests<XNamespace?>
{
    protected override IEnumerable<XNamespace?> Samples => [null, XNamespace.None, "urn:a", XNamespace.Xmlns, " "];

    protected override void More(XNamespace? expected, XNamespace? actual) => Assert.Same(expected, actual);
}

[TypeNotes("without its element")]
public sealed class XAttributeTests : ValueTests<XAttribute?>
{
    protected override IEnumerable<XAttribute?> Samples =>
    [
        null, new("a", ""), new("{urn:a}b", "1\r\n\0"), new("xmlns", "urn:a"), new(XNamespace.Xmlns + "p", "urn:a"),
        new XElement("a", new XAttribute("b", "c")).Attribute("b"),
    ];
}
