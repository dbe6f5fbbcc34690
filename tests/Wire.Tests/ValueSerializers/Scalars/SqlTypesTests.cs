using System.Data.SqlTypes;
using System.Text;
using System.Xml;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

public sealed class SqlBooleanTests : ValueTests<SqlBoolean>
{
    protected override IEnumerable<SqlBoolean> Samples => [SqlBoolean.Null, SqlBoolean.True, SqlBoolean.False];
}

public sealed class SqlByteTests : ValueTests<SqlByte>
{
    protected override IEnumerable<SqlByte> Samples => [SqlByte.Null, SqlByte.MinValue, SqlByte.MaxValue];
}

public sealed class SqlInt16Tests : ValueTests<SqlInt16>
{
    protected override IEnumerable<SqlInt16> Samples => [SqlInt16.Null, SqlInt16.MinValue, SqlInt16.MaxValue, SqlInt16.Zero];
}

public sealed class SqlInt32Tests : ValueTests<SqlInt32>
{
    protected override IEnumerable<SqlInt32> Samples => [SqlInt32.Null, SqlInt32.MinValue, SqlInt32.MaxValue, SqlInt32.Zero];
}

public sealed class SqlInt64Tests : ValueTests<SqlInt64>
{
    protected override IEnumerable<SqlInt64> Samples => [SqlInt64.Null, SqlInt64.MinValue, SqlInt64.MaxValue, SqlInt64.Zero];
}

public sealed class SqlSingleTests : ValueTests<SqlSingle>
{
    protected override IEnumerable<SqlSingle> Samples => [SqlSingle.Null, SqlSingle.MinValue, SqlSingle.MaxValue, new(-0f)];
}

public sealed class SqlDoubleTests : ValueTests<SqlDouble>
{
    protected override IEnumerable<SqlDouble> Samples => [SqlDouble.Null, SqlDouble.MinValue, SqlDouble.MaxValue, new(-0.0)];
}

public sealed class SqlGuidTests : ValueTests<SqlGuid>
{
    protected override IEnumerable<SqlGuid> Samples =>
        [SqlGuid.Null, new(Guid.Empty), new("00112233-4455-6677-8899-aabbccddeeff")];
}

public sealed class SqlMoneyTests : ValueTests<SqlMoney>
{
    protected override IEnumerable<SqlMoney> Samples =>
        [SqlMoney.Null, SqlMoney.MinValue, SqlMoney.MaxValue, SqlMoney.Zero, new(12.3456m), new(-0.0001m)];
}

public sealed class SqlDecimalTests : ValueTests<SqlDecimal>
{
    protected override IEnumerable<SqlDecimal> Samples =>
    [
        SqlDecimal.Null, SqlDecimal.MinValue, SqlDecimal.MaxValue, new(0), new(-1.50m), new(38, 38, false, 1, 2, 3, 4),
        SqlDecimal.Parse("12345678901234567890123456789.012345678"),
    ];
}

public sealed class SqlDateTimeTests : ValueTests<SqlDateTime>
{
    protected override IEnumerable<SqlDateTime> Samples =>
        [SqlDateTime.Null, SqlDateTime.MinValue, SqlDateTime.MaxValue, new(2026, 11, 27, 12, 30, 1, 3.33)];
}

[TypeNotes("with the locale and options by which it compares")]
public sealed class SqlStringTests : ValueTests<SqlString>
{
    protected override IEnumerable<SqlString> Samples =>
    [
        SqlString.Null, new(""), new("\u00E4\uD83D\uDE00", 0x407, SqlCompareOptions.IgnoreCase),
        new("a", 0x409, SqlCompareOptions.BinarySort),
    ];
}

public sealed class SqlBinaryTests : ValueTests<SqlBinary>
{
    protected override IEnumerable<SqlBinary> Samples => [SqlBinary.Null, new([]), new([0, 255])];
}

[TypeNotes("the bytes, also those of a stream")]
public sealed class SqlBytesTests : ValueTests<SqlBytes?>
{
    protected override IEnumerable<SqlBytes?> Samples =>
        [null, SqlBytes.Null, new([]), new([1, 2, 3]), new(new MemoryStream([1, 2]))];
}

public sealed class SqlCharsTests : ValueTests<SqlChars?>
{
    protected override IEnumerable<SqlChars?> Samples => [null, SqlChars.Null, new([]), new(['a', '\uD800', '\0'])];
}

[TypeNotes("its text; one with a document type is refused")]
public sealed class SqlXmlTests : ValueTests<SqlXml?>
{
    protected override IEnumerable<SqlXml?> Samples =>
        [null, SqlXml.Null, Of(""), Of("<a b=\"1\" xmlns:x=\"urn:x\"> <x:c/>\u00E4</a>"), Of("<a/><b/>"), Of("text")];

    [Theory]
    [InlineData("<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>")]
    [InlineData("<a>")]
    [InlineData("<a>\0</a>")]
    public void Text_that_is_no_xml_is_refused(string text)
    {
        byte[] old = Encoding.Latin1.GetBytes($"<{new string('a', 60)} />");
        byte[] payload = new Serializer().Serialize<object>(Of(Encoding.Latin1.GetString(old)));
        Encoding.Latin1.GetBytes(text.PadRight(old.Length)).CopyTo(payload, payload.AsSpan().IndexOf(old));
        Assert.Equal(
            WireFormatError.InvalidValue,
            Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(payload)).Error);
    }

    private static SqlXml Of(string text) => new(
        XmlReader.Create(new StringReader(text), new XmlReaderSettings { ConformanceLevel = ConformanceLevel.Fragment }));
}
