using System.Reflection;
using RabbitMQ.Client;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.V091.Fields;

/// <summary>What RabbitMQ.Client writes is read, and the other way round; and where they differ.</summary>
public sealed class FieldInteropTests
{
    private delegate int WriteTable(ref byte destination, IDictionary<string, object?>? value);

    private delegate int ReadTable(ReadOnlySpan<byte> source, out Dictionary<string, object?>? value);

    [Fact]
    public void Tables_of_RabbitMQ_Client_are_read()
    {
        var fields = new Dictionary<string, object?>(
        [
            new("t", true), new("b", (sbyte)-1), new("B", (byte)255), new("s", (short)-2), new("u", (ushort)65535), new("I", -3),
            new("i", uint.MaxValue), new("l", -4L), new("f", 0.5f), new("d", 0.1), new("D", 12.34m), new("S", "text ü"),
            new("T", new AmqpTimestamp(1_700_000_000)), new("V", null), new("x", new BinaryTableValue([1, 2])),
            new("F", new Dictionary<string, object?> { ["a"] = 1 }), new("A", new List<object?> { 1, "b", null }),
        ]);
        FieldTable read = Written(fields);
        Assert.Equal(fields.Count, read.Count);
        foreach ((AmqpString key, FieldValue value) in read)
        {
            Assert.Equal(key.ToString(), ((char)value.Type).ToString());
        }

        // The same bytes are written here, once the two types that have others of the same meaning are replaced.
        fields["T"] = new Timestamp(1_700_000_000);
        fields["x"] = new byte[] { 1, 2 };
        Assert.Equal(read, FieldTable.Create(fields));
        Assert.Equal(fields, read.ToDictionary());
    }

    [Fact]
    public void Tables_are_read_by_RabbitMQ_Client()
    {
        FieldTable table = FieldTable.Create(
        [
            new("bool", true), new(
                "sbyte", (sbyte)-1), new("short", (short)-2), new("ushort", (ushort)3), new("uint", 4u), new("long", -5L),
            new("float", 0.5f), new(
                "double", 0.1), new("decimal", 12.34m), new("text", "ü"), new("time", new Timestamp(6)), new("none", null),
            new("bytes", new byte[] { 7 }), new(
                "table", new Dictionary<string, object?> { ["a"] = 8 }), new("array", new object?[] { (byte)9, null }),
        ]);
        Dictionary<string, object?> read = Read(table)!;
        Assert.Equal(
            [true, (sbyte)-1, (short)-2, (ushort)3, 4u, -5L, 0.5f, 0.1, 12.34m, "ü"u8.ToArray(), new AmqpTimestamp(6), null],
            read.Values.Take(12));
        Assert.Equal([7], Assert.IsType<BinaryTableValue>(read["bytes"]).Bytes);
        Assert.Equal(8, Assert.IsType<Dictionary<string, object?>>(read["table"])["a"]);
        Assert.Equal([(byte)9, null], Assert.IsType<List<object?>>(read["array"]));
    }

    [Fact]
    public void A_negative_decimal_is_another_one_to_RabbitMQ_Client()
    {
        // The sign in the highest bit, where the words of the specification mean two's complement.
        FieldTable theirs = Written(new Dictionary<string, object?> { ["D"] = -1.5m });
        Assert.Equal(Samples.Hex("01 44 44 01 80 00 00 0F"), theirs.Encoded.ToArray());
        Assert.Equal(-214748363.3m, theirs["D"].AsDecimal());
        var words = new FieldTable(Samples.Hex("01 44 44 01 FF FF FF F1"));
        Assert.Equal(-1.5m, words["D"].AsDecimal());
        Assert.Equal(-214748363.3m, Read(words)!["D"]);
    }

    [Fact]
    public void Of_fields_with_the_same_key_RabbitMQ_Client_takes_the_last() =>
        Assert.Equal((byte)2, Read(new FieldTable(Samples.Hex("01 61 42 01 01 61 42 02")))!["a"]);

    [Theory]
    [InlineData("01 61 55 00 01")]
    [InlineData("01 61 4C 00 00 00 00 00 00 00 01")]
    public void The_octets_of_the_specification_are_unknown_to_RabbitMQ_Client(string hex)
    {
        Assert.ThrowsAny<Exception>(() => Read(new FieldTable(Samples.Hex(hex))));
        Assert.Equal(1, new FieldTable(Samples.Hex(hex))["a"].AsInt64());
    }

    private static FieldTable Written(Dictionary<string, object?> fields)
    {
        byte[] bytes = new byte[1000];
        int written = Find<WriteTable>("WriteTable", typeof(IDictionary<string, object?>))(ref bytes[0], fields);
        var reader = new AmqpReader(bytes.AsMemory(0, written));
        FieldTable table = FieldTable.Read(ref reader);
        Assert.True(reader.IsAtEnd);
        return table;
    }

    private static Dictionary<string, object?>? Read(FieldTable table)
    {
        byte[] bytes = new byte[sizeof(uint) + table.Encoded.Length];
        var writer = new AmqpWriter(bytes);
        table.Write(ref writer);
        Assert.Equal(bytes.Length, Find<ReadTable>("ReadDictionary", null)(bytes, out Dictionary<string, object?>? read));
        return read;
    }

    // Internal there: what is public only writes to a connection.
    private static T Find<T>(string name, Type? second)
        where T : Delegate => typeof(IConnection).Assembly.GetType("RabbitMQ.Client.Impl.WireFormatting", throwOnError: true)!
        .GetMethods(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public)
        .Single(method => method.Name == name && (second is null || method.GetParameters()[1].ParameterType == second))
        .CreateDelegate<T>();
}
