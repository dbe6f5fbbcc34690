using System.Buffers;
using Wire.Tests.Behaviour.Roads;
using Wire.Tests.Hostile.Fuzzing;

namespace Wire.Tests.Behaviour;

/// <summary>Writing to a buffer writer returns the number of bytes that it has got, and estimates are near to it.</summary>
public sealed class WrittenSizeTests
{
    public static TheoryData<bool, bool> Twins => new() { { true, true }, { false, true }, { true, false }, { false, false } };

    private static object?[] Values =>
    [
        new Leaf { Id = 1, Text = "text" }, new Leaf { Text = new string('x', 255) }, new Leaf { Text = new string('x', 6000) },
        new Leaf { Text = new string('\u4F60', 90_000) }, new Point { X = 1 }, Poco.Sample(), Corpus.FullBag(), Corpus.Order(), 5,
        "text", "", new string('y', 70_000), null, new int[20_000], new byte[3], new List<object?> { 1, null, new Leaf(), "x" }, 1.5m,
        new object(),
        new Dictionary<string, object> { ["k"] = new Puppy { Name = "p" }, ["l"] = new Leaf() },
        new List<Leaf>(Enumerable.Repeat(new Leaf(), 500)),
    ];

    [Theory]
    [MemberData(nameof(Twins))]
    public void What_is_returned_is_what_was_written(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        using SerializerSession session = serializer.GetSerializerSession();
        foreach (object? value in (object?[])[.. Values, .. Values, .. Values])
        {
            Check(output => serializer.Serialize(value, output));
            Check(output => serializer.Serialize(value, output, session));
            Check(output => serializer.Serialize<object?>(value, output));
            if (value is not null)
            {
                Check(output => serializer.SerializeTyped(value.GetType(), value, output));
                Check(output => serializer.SerializeTyped(value.GetType(), value, output, session));
            }
        }

        Check(output => serializer.Serialize(42, output));
        Check(output => serializer.Serialize(42, output, session));
        Check(output => serializer.SerializeTyped(42, output));
        Check(output => serializer.SerializeTyped(42, output, session));
        Check(output => serializer.SerializeTyped(new Leaf(), output));
        Check(output => serializer.SerializeTyped(new Leaf(), output, session));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void An_estimate_is_near_to_what_is_written(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        var output = new ArrayBufferWriter<byte>();
        foreach (object? value in Values)
        {
            Assert.True(serializer.EstimateSize(value) > 0);
            serializer.Serialize(value, output);
            serializer.Serialize(value, output);
            long size = serializer.Serialize(value, output);
            Assert.InRange(serializer.EstimateSize(value), Math.Min(size, 1 << 20), size + 12);
        }

        Assert.InRange(serializer.EstimateSize(42), serializer.Serialize(42).Length, 256);
    }

    [Fact]
    public void The_estimate_of_a_small_flat_object_is_exact()
    {
        Serializer serializer = Setup.Serializer(true);
        foreach (string? text in new[] { null, "text", "\u4F60", new string('x', 300) })
        {
            var leaf = new Leaf { Text = text };
            int size = serializer.Serialize(leaf).Length;
            serializer.Serialize(leaf);
            Assert.Equal(size, serializer.EstimateSize(leaf));
        }
    }

    [Fact]
    public void An_estimate_follows_what_messages_take()
    {
        Serializer serializer = Setup.Serializer(true);
        var output = new ArrayBufferWriter<byte>();
        var small = new List<object> { 1 };
        List<object> large = [.. Enumerable.Repeat((object)"a text", 100_000)];
        Assert.Equal(256, serializer.EstimateSize(small));
        long smallSize = serializer.Serialize(small, output);
        Assert.Equal(smallSize, serializer.EstimateSize(large));
        Assert.InRange(serializer.Serialize(large, output), 700_000, 1 << 20);
        Assert.InRange(serializer.EstimateSize(small), 700_000, 1 << 20);
        for (int i = 0; i < 100; i++)
        {
            serializer.Serialize(small, output);
        }

        Assert.InRange(serializer.EstimateSize(small), smallSize, smallSize + 8);
        serializer.Serialize<List<object>>([.. large, .. large, .. large], output);
        Assert.Equal(1 << 20, serializer.EstimateSize(small));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void An_estimate_learns_from_each_way_to_write(int way)
    {
        Serializer serializer = Setup.Serializer(true);
        List<object> large = [.. Enumerable.Repeat((object)"a text", 10_000)];
        Assert.Equal(256, serializer.EstimateSize(large));
        using var stream = new MemoryStream();
        var output = new ArrayBufferWriter<byte>();
        int size = serializer.Serialize(large).Length;
        serializer = Setup.Serializer(true);
        Assert.Equal(256, serializer.EstimateSize(large));
        switch (way)
        {
            case 0:
                serializer.Serialize(large);
                break;
            case 1:
                serializer.Serialize(large, stream);
                break;
            case 2:
                serializer.SerializeFramed(large, output);
                break;
            default:
                serializer.Serialize(large, output);
                break;
        }

        Assert.Equal(size, serializer.EstimateSize(large));
    }

    [Fact]
    public void An_estimate_allocates_nothing()
    {
        Serializer serializer = Setup.Serializer(true);
        object[] values = [new Leaf { Text = "text" }, "text", new int[50], new List<object> { 1, "x" }];
        var output = new ArrayBufferWriter<byte>();
        Estimate();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Estimate();
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal(0, allocated);

        void Estimate()
        {
            for (int i = 0; i < 100; i++)
            {
                foreach (object value in values)
                {
                    output.ResetWrittenCount();
                    serializer.EstimateSize(value);
                    serializer.Serialize(value, output);
                }
            }
        }
    }

    private static void Check(Func<IBufferWriter<byte>, long> write)
    {
        var output = new ArrayBufferWriter<byte>();
        Assert.Equal(write(output), output.WrittenCount);
        var pieces = new PieceWriter(new Random(1));
        Assert.Equal(write(pieces), pieces.Written.Length);
    }
}
