using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.V091.Fields;

/// <summary>What RabbitMQ would close the connection over is refused when it is measured, which is before anything is written.</summary>
public sealed class FieldCheckTests
{
    public static TheoryData<object> NoNumbers => [double.NaN, double.PositiveInfinity, double.NegativeInfinity, float.NaN,
        float.PositiveInfinity, float.NegativeInfinity];

    [Theory]
    [MemberData(nameof(NoNumbers))]
    public void What_is_no_number_is_refused_wherever_it_stands_and_its_place_is_named(object value)
    {
        AssertRefused("'ratio'", FieldTable.Create([new("before", 1), new("ratio", value)]));
        AssertRefused("'outer.inner'", FieldTable.Create([new("outer", new Dictionary<string, object?> { ["inner"] = value })]));
        AssertRefused("'list[1]'", FieldTable.Create([new("list", new object[] { 1, value })]));
        AssertRefused(
            "'list[1][0].deep'",
            FieldTable.Create([new("list", new object[] { 1, new[] { new Dictionary<string, object?> { ["deep"] = value } } })]));

        // It is built and read all the same: another broker may hold it.
        Assert.Equal(value, FieldTable.Create([new("ratio", value)]).ToDictionary()["ratio"]);
    }

    [Fact]
    public void The_largest_and_smallest_numbers_are_numbers()
    {
        FieldTable table = FieldTable.Create(
        [
            new("a", double.MaxValue), new("b", double.MinValue), new("c", double.Epsilon), new("d", -0.0),
            new("e", float.MaxValue), new("f", float.MinValue), new("g", float.Epsilon), new("h", -0.0f),
        ]);
        Assert.InRange(FrameWriter.SizeOfContentHeader(new BasicProperties { Headers = table }), table.Encoded.Length, int.MaxValue);
    }

    [Fact]
    public void Types_that_RabbitMQ_does_not_know_and_damaged_bytes_are_refused()
    {
        AssertRefused("'a'", new FieldTable(Samples.Hex("01 61 55 00 01")));
        AssertRefused("damaged", new FieldTable(Samples.Hex("01 61 53 00 00 00 05 41")));
        AssertRefused("damaged", new FieldTable(Samples.Hex("01 61 46 00 00 00 03 01 62 73")));
        AssertRefused("damaged", new FieldTable(Samples.Hex("01 61 7A")));
    }

    [Theory]
    [InlineData("CC")]
    [InlineData("BCC")]
    public void Further_routing_keys_are_a_list_of_texts(string name)
    {
        foreach (object? wrong in (object?[])["key", null, 1, new object[] { "a", 1 }, new[] { new byte[] { 1 } },
            new Dictionary<string, object?>()])
        {
            FieldTable headers = FieldTable.Create([new(name, wrong)]);
            ArgumentException error = Assert.Throws<ArgumentException>(
                () => FrameWriter.SizeOfContentHeader(new BasicProperties { Headers = headers }));
            Assert.Contains($"'{name}' is no list of texts", error.Message, StringComparison.Ordinal);

            // Only in headers, and not within one of them.
            FrameWriter.SizeOf(new QueueDeclare { Queue = "q", Arguments = headers });
            FrameWriter.SizeOfContentHeader(new BasicProperties { Headers = FieldTable.Create([new("inner", headers)]) });
        }

        foreach (object right in (object[])[new[] { "a", "b" }, new List<object?>()])
        {
            FrameWriter.SizeOfContentHeader(new BasicProperties { Headers = FieldTable.Create([new(name, right)]) });
        }
    }

    [Fact]
    public void A_negative_decimal_that_was_received_is_written_as_it_came()
    {
        var received = new FieldTable(Samples.Hex("01 61 44 01 FF FF FF F1"));
        FrameWriter.SizeOfContentHeader(new BasicProperties { Headers = received });
        var copy = new FieldTableBuilder();
        copy.Add("a", received["a"]);
        Assert.Equal(received, copy.Table);
        Assert.Equal(-1.5m, copy.Table.ToDictionary()["a"]);
        ArgumentException error = Assert.Throws<ArgumentException>(() => FieldTable.Create(received.ToDictionary()));
        Assert.Contains("'a'", error.Message, StringComparison.Ordinal);
        Assert.Contains("as a text or a double", error.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1_000)]
    [InlineData(20_000)]
    public void However_deep_a_table_is_it_is_checked_or_refused(int depth)
    {
        var deep = new FieldTable(Samples.Nested(depth, FieldType.Table));
        Exception? error = Record.Exception(() => FrameWriter.SizeOfContentHeader(new BasicProperties { Headers = deep }));
        Assert.True(error is null or InsufficientExecutionStackException, $"{error}");
    }

    private static void AssertRefused(string place, FieldTable table)
    {
        foreach (ArgumentException error in (ArgumentException[])[
            Assert.Throws<ArgumentException>(() => FrameWriter.SizeOfContentHeader(new BasicProperties { Headers = table })),
            Assert.Throws<ArgumentException>(() => FrameWriter.SizeOf(new QueueDeclare { Queue = "q", Arguments = table })),
            Assert.Throws<ArgumentException>(() => FrameWriter.SizeOf(new BasicConsume { Queue = "q", Arguments = table })),
            Assert.Throws<ArgumentException>(() => FrameWriter.SizeOf(new ExchangeBind { Arguments = table }))])
        {
            Assert.Contains(place, error.Message, StringComparison.Ordinal);
            Assert.Contains("the connection", error.Message, StringComparison.Ordinal);
        }
    }
}
