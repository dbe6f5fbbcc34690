using System.Text;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("code page, preamble and strictness; fallbacks of your own are refused")]
public sealed class EncodingTests : ValueTests<Encoding?>
{
    protected override IEnumerable<Encoding?> Samples =>
    [
        null, Encoding.UTF8, new UTF8Encoding(
            false), new UTF8Encoding(false, true), new UTF8Encoding(true, true), Encoding.Unicode, Encoding.BigEndianUnicode,
        new UnicodeEncoding(false, false), new UnicodeEncoding(
            true, false, true), Encoding.UTF32, new UTF32Encoding(true, false), new UTF32Encoding(true, true, true),
        Encoding.ASCII, Encoding.Latin1,
        Encoding.GetEncoding("us-ascii", new EncoderReplacementFallback("<?>"), DecoderFallback.ExceptionFallback),
        Encoding.GetEncoding("utf-16", EncoderFallback.ExceptionFallback, new DecoderReplacementFallback("")),
        Encoding.GetEncoding("iso-8859-1", EncoderFallback.ReplacementFallback, DecoderFallback.ReplacementFallback),
    ];

    [Fact]
    public void An_encoding_that_a_property_gives_comes_back_as_the_same()
    {
        foreach (Encoding encoding
            in new[] { Encoding.UTF8, Encoding.Unicode, Encoding.BigEndianUnicode, Encoding.UTF32, Encoding.ASCII, Encoding.Latin1 })
        {
            Assert.Same(encoding, new Serializer().CopyBothWays(encoding));
        }

        Assert.Same(Encoding.UTF8, new Serializer().Clone<Encoding>(new UTF8Encoding(true)));
        Assert.Equal(Encoding.Default, new Serializer().CopyBothWays(Encoding.Default));
    }

    [Fact]
    public void A_variable_of_its_class_holds_it_too()
    {
        var holder = new Holder<UTF8Encoding>
        {
            Declared = new UTF8Encoding(false, true),
            Any = Encoding.UTF8,
            Last = (UTF8Encoding)Encoding.UTF8,
        };
        foreach ((bool references, bool tolerance, bool dynamicCode) in Configuration.All())
        {
            Serializer serializer = Configuration.Serializer(references, tolerance, dynamicCode);
            GraphAssert.Same(holder, serializer.CopyBothWays(holder));
            GraphAssert.Same(holder, serializer.Deserialize<Holder<UTF8Encoding>>(serializer.Serialize(holder)));
            GraphAssert.Same(
                new UTF8Encoding(true, true), serializer.Deserialize<UTF8Encoding>(serializer.Serialize(new UTF8Encoding(true, true))));
            GraphAssert.Same(
                new UnicodeEncoding(true, false),
                serializer.DeserializeTyped<UnicodeEncoding>(serializer.SerializeTyped(new UnicodeEncoding(true, false))));
            var encodings = new List<UTF32Encoding> { new(true, true) };
            GraphAssert.Same(encodings, serializer.CopyBothWays(encodings));
        }
    }

    [Fact]
    public void A_variable_of_its_class_holds_no_other_one()
    {
        var serializer = new Serializer(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Holder<Encoding>>("holder") });
        var reader = new Serializer(new SerializerOptions { TypeAliases = TypeAliases.None.Alias<Holder<UTF8Encoding>>("holder") });
        byte[] bytes = serializer.Serialize(new Holder<Encoding> { Declared = new UTF8Encoding(false) });
        GraphAssert.Same(new UTF8Encoding(false), reader.Deserialize<Holder<UTF8Encoding>>(bytes)!.Declared);
        bytes = serializer.Serialize(new Holder<Encoding> { Declared = Encoding.ASCII });
        Assert.Equal(
            WireFormatError.TypeMismatch, Assert.Throws<WireFormatException>(() => reader.Deserialize<Holder<UTF8Encoding>>(bytes)).Error);
    }

    [Fact]
    public void What_is_read_refuses_what_the_original_refuses()
    {
        Encoding read = new Serializer().Clone<Encoding>(new UTF8Encoding(false, true))!;
        Assert.Throws<DecoderFallbackException>(() => read.GetString([0xFF]));
        Assert.Throws<EncoderFallbackException>(() => read.GetBytes("\uD800"));
    }

    [Fact]
    public void A_fallback_of_the_programs_own_is_unsupported()
    {
        var encoding = Encoding.GetEncoding("utf-8", new OwnFallback(), DecoderFallback.ReplacementFallback);
        UnsupportedTypeException e =
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new Holder<Encoding> { Declared = encoding }));
        Assert.Equal("Declared", e.MemberPath);
        Assert.Contains("fallbacks", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_encoding_of_the_programs_own_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new OwnEncoding()));

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(65000)]
    [InlineData(54936)]
    public void A_code_page_that_the_program_does_not_have_is_invalid(int codePage)
    {
        byte[] bytes = new Serializer().Serialize(Encoding.ASCII);
        int at = bytes.AsSpan().LastIndexOf(BitConverter.GetBytes(20127));
        BitConverter.TryWriteBytes(bytes.AsSpan(at), codePage);
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Encoding>(bytes)).Error);
    }

    private sealed class OwnFallback : EncoderFallback
    {
        public override int MaxCharCount => 1;

        public override EncoderFallbackBuffer CreateFallbackBuffer() => new EncoderReplacementFallback("?").CreateFallbackBuffer();
    }

    private sealed class OwnEncoding : ASCIIEncoding;
}
