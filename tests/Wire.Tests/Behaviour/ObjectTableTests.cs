using System.Buffers;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>
/// The table of objects is kept from message to message: none finds an object of another, however large that was and however it ended.
/// </summary>
public sealed class ObjectTableTests
{
    private const int Many = 100_000;

    private static readonly Serializer Serializer = new(new SerializerOptions
    {
        PreserveObjectReferences = true,
        TypeFilter = Setup.TestTypes,
        Surrogates = [Surrogate.Create<Fragile, int>(fragile => fragile.Number >= 0 ? fragile.Number : throw new Broken(), Fragile.Of)],
    });

    [Fact]
    public void Large_and_small_messages_take_turns_and_keep_what_they_share()
    {
        var random = new Random(1);
        foreach (int size in (int[])[3, Many, 3, 40, 70, Many, 1, 33_000, 5, 31, 32, 33, 63, 64, 65, 3, 70_000, 2])
        {
            object[] graph = Graph(random, size);
            byte[] bytes = Serializer.Serialize(graph);
            GraphAssert.Same(graph, Serializer.Deserialize<object[]>(bytes), sharing: true);
            if (size < 100)
            {
                GraphAssert.Same(graph, Serializer.Deserialize<object[]>(Sequences.Chunked(bytes, 3)), sharing: true);
            }
        }
    }

    [Theory]
    [InlineData(10)]
    [InlineData(200)]
    [InlineData(Many)]
    public void What_has_failed_in_the_middle_leaves_nothing_in_the_table(int size)
    {
        var random = new Random(size);
        using SerializerSession writing = Serializer.GetSerializerSession();
        using DeserializerSession reading = Serializer.GetDeserializerSession();
        object[] graph = Graph(random, 50);
        byte[] expected = new Serializer(new SerializerOptions { PreserveObjectReferences = true }).Serialize(graph);
        for (int i = 0; i < 4; i++)
        {
            // The same objects as in the next message, so that one that is still there would be found.
            object[] bad = [.. graph, .. Graph(random, size), new Fragile(-1), .. Graph(random, 5)];
            Assert.Throws<Broken>(() => Serializer.Serialize(bad));
            Assert.Throws<Broken>(() => Serializer.Serialize(bad, writing));
            Assert.Throws<Broken>(() => Serializer.Serialize(bad, new ArrayBufferWriter<byte>()));
            Assert.Equal(expected, Serializer.Serialize(graph));
            GraphAssert.Same(graph, Serializer.Deserialize<object[]>(Serializer.Serialize(graph, writing), reading), sharing: true);

            byte[] good = Serializer.Serialize(new object[] { graph, new Fragile(7), graph });
            Fragile.Fails = true;
            try
            {
                Assert.Throws<Broken>(() => Serializer.Deserialize<object[]>(good));
            }
            finally
            {
                Fragile.Fails = false;
            }

            GraphAssert.Same(graph, Serializer.Deserialize<object[]>(expected), sharing: true);
            object[] read = Serializer.Deserialize<object[]>(good)!;
            Assert.Same(read[0], read[2]);
        }
    }

    [Fact]
    public void Sessions_of_large_and_small_messages_keep_what_each_shares()
    {
        var random = new Random(2);
        using SerializerSession writing = Serializer.GetSerializerSession();
        using DeserializerSession reading = Serializer.GetDeserializerSession();
        object[] common = Graph(random, 10);
        for (int i = 0; i < 40; i++)
        {
            object[] graph = [.. common, .. Graph(random, i == 20 ? Many : random.Next(100)), common];
            object[] read = Serializer.Deserialize<object[]>(Serializer.Serialize(graph, writing), reading)!;
            GraphAssert.Same(graph, read, sharing: true);
            GC.Collect(0);
        }
    }

    // Objects, some of which come again.
    private static object[] Graph(Random random, int size)
    {
        var graph = new object[size];
        for (int i = 0; i < size; i++)
        {
            graph[i] = random.Next(3) == 0 && i > 0
                ? graph[random.Next(i)]
                : new Chain { Number = i, Next = i > 0 && random.Next(2) == 0 ? graph[random.Next(i)] : null };
        }

        return graph;
    }

    public sealed class Chain
    {
        public int Number { get; set; }

        public object? Next { get; set; }
    }

    public sealed class Fragile(int number)
    {
        public static bool Fails { get; set; }

        public int Number => number;

        public static Fragile Of(int number) => Fails ? throw new Broken() : new Fragile(number);
    }

    private sealed class Broken : Exception;
}
