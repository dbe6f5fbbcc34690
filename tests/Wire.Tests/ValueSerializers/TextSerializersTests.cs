using System.Numerics;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

public sealed class UriTests : ValueTests<Uri?>
{
    protected override IEnumerable<Uri?> Samples =>
    [
        null, new("http://example.com"), new("HTTP://Example.com:80/%7Ea/../b?q=1#f"), new("urn:isbn:0451450523"), new("file:///tmp/a b"),
        new("/a/b", UriKind.Relative), new("a", UriKind.Relative), new("", UriKind.Relative), new("?q", UriKind.Relative),
        new("mailto:a@example.com"), new("http://пример.испытание/путь"), Verbatim("http://example.com/a%2Fb/../c%2E/d?e=%41#f"),
        Verbatim("http://example.com/"), new(Verbatim("http://example.com/%41/b"), "c/../%42"),
    ];

    [Fact]
    public void A_path_that_stands_for_itself_still_does()
    {
        var serializer = new Serializer();
        var equality = new GraphEquality(serializer);
        const string Text = "http://example.com/a%2Fb/../c%2E/d";
        Uri back = serializer.CopyBothWays(Verbatim(Text));
        Assert.Equal(Text, back.AbsoluteUri);
        Assert.Equal(Verbatim(Text), back);
        Assert.NotEqual(new Uri(Text), back);
        Assert.True(equality.AreEqual(Verbatim(Text), back));
        Assert.False(equality.AreEqual(Verbatim(Text), new Uri(Text)));
        Assert.Equal(Text, serializer.CopyBothWays(new Dictionary<Uri, int> { [Verbatim(Text)] = 1 }).Keys.Single().AbsoluteUri);

        // The same without the types, of a part and as a key.
        byte[] bytes = serializer.Serialize(new object[] { Verbatim(Text), new Uri(Text), new Uri("/a", UriKind.Relative) });
        Assert.Equal(Text, serializer.Read<Uri>(bytes, "[0]")!.AbsoluteUri);
        PayloadNode root = PayloadDocument.Parse(bytes).Root;
        Assert.Equal(Text, root[0].GetValue<Uri>()!.AbsoluteUri);
        Assert.Equal(new Uri(Text).AbsoluteUri, root[1].GetValue<Uri>()!.AbsoluteUri);
        Assert.False(root[2].GetValue<Uri>()!.IsAbsoluteUri);
        Assert.Contains($"Uri verbatim \"{Text}\"", PayloadDump.Describe(bytes), StringComparison.Ordinal);
    }

    [Fact]
    public void A_form_that_there_is_not_is_invalid()
    {
        byte[] bytes = new Serializer().Serialize(new Uri("http://a/b"));
        bytes[2] = 3;
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Uri>(bytes)).Error);
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(bytes)).Error);
        bytes = new Serializer().Serialize(new Uri("a/b", UriKind.Relative));
        bytes[2] = 2;
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Uri>(bytes)).Error);
        Assert.Throws<InvalidOperationException>(() => PayloadDocument.Parse(bytes).Root.GetValue<Uri>());
    }

    internal static Uri Verbatim(string text) =>
        new(text, new UriCreationOptions { DangerousDisablePathAndQueryCanonicalization = true });
}

public sealed class VersionTests : ValueTests<Version?>
{
    protected override IEnumerable<Version?> Samples =>
        [null, new(), new(0, 0), new(1, 2), new(1, 2, 3), new(1, 2, 3, 4), new(int.MaxValue, int.MaxValue, int.MaxValue, int.MaxValue)];
}

public sealed class BigIntegerTests : ValueTests<BigInteger>
{
    protected override IEnumerable<BigInteger> Samples =>
    [
        default, BigInteger.Zero, BigInteger.One, BigInteger.MinusOne, 127, 128, -128, -129, int.MinValue, int.MaxValue,
        long.MinValue, ulong.MaxValue, BigInteger.Pow(2, 127), -BigInteger.Pow(2, 127), BigInteger.Pow(10, 300), -BigInteger.Pow(7, 999),
    ];
}

[TypeNotes("by name; an unknown or forbidden type is refused", Options = "TypeFilter, TypeAliases")]
public sealed class TypeTests : ValueTests<Type?>
{
    protected override IEnumerable<Type?> Samples =>
    [
        null, typeof(int), typeof(string), typeof(object), typeof(int[]), typeof(int[,]), typeof(int[][,]), typeof(List<>),
        typeof(List<string>),
        typeof(Dictionary<string, List<int?>>), typeof((int, string)), typeof(DayOfWeek), typeof(Holder<>), typeof(Holder<Holder<int>>),
        typeof(ValueTests<>), typeof(Nested.Deeper<int>), typeof(int).MakeArrayType(1), typeof(Type),
    ];

    private static class Nested
    {
        public sealed class Deeper<T>;
    }
}

/// <summary>What a Uri, Version, BigInteger and Type refuse, as value and as bytes.</summary>
public sealed class TextSerializersTests
{
    private readonly Serializer _serializer = new();

    [Fact]
    public void A_type_with_unbound_parameters_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => _serializer.Serialize(typeof(Holder<>).GetGenericArguments()[0]));

    [Fact]
    public void A_type_that_is_not_allowed_is_refused()
    {
        byte[] bytes = _serializer.Serialize(typeof(TextSerializersTests));
        TypeRefusedException e = Assert.Throws<TypeRefusedException>(() => _serializer.Deserialize<Type>(bytes));
        Assert.Contains(nameof(TextSerializersTests), e.TypeName, StringComparison.Ordinal);
    }

    [Fact]
    public void A_version_with_a_part_out_of_range_is_invalid()
    {
        byte[] bytes = _serializer.Serialize(new Version(1, 2, 3, 4));
        bytes.AsSpan(^8..^4).Fill(0xFF);
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<Version>(bytes)).Error);
    }

    [Fact]
    public void An_absolute_uri_that_is_none_is_invalid()
    {
        byte[] bytes = _serializer.Serialize(new Uri("a/b", UriKind.Relative));
        bytes[2] = 1;
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<Uri>(bytes)).Error);
    }

    [Fact]
    public void A_BigInteger_of_no_bytes_is_invalid()
    {
        byte[] bytes = _serializer.Serialize(BigInteger.One)[..^1];
        bytes[^1] = 0;
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<BigInteger>(bytes)).Error);
    }
}
