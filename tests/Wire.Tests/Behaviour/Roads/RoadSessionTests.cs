using System.Buffers;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Roads;

/// <summary>
/// Sessions over whole buffers and over pieces say the same at every message: the same bytes, the same graphs, the same errors, also behind
/// messages that could not be written, that were lost, or that came damaged.
/// </summary>
public sealed class RoadSessionTests
{
    private const int Messages = 60;

    public static TheoryData<int> Seeds => [.. Enumerable.Range(0, Sweep.IsWhole ? 2_000 : 20)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Sessions_over_buffers_and_over_pieces_agree_on_every_message(int seed)
    {
        var random = new Random(seed);
        SerializerOptions options = Road.Options[seed % Road.Options.Count];
        var serializer = new Serializer(options);
        using SerializerSession writing = serializer.GetSerializerSession();
        using SerializerSession byPieces = serializer.GetSerializerSession();
        using SerializerSession byStream = serializer.GetSerializerSession();
        using DeserializerSession whole = serializer.GetDeserializerSession();
        using DeserializerSession pieces = serializer.GetDeserializerSession();
        bool isFaithful = seed % 3 != 0;
        bool isSpliced = false;
        int lost = 0;
        for (int i = 0; i < Messages; i++)
        {
            if (random.Next(8) == 0)
            {
                // As an array: pieces that have reached an output end its session.
                object bad = new object[] { Message(random), Message(random), () => { }, Message(random) };
                foreach (SerializerSession session in (SerializerSession[])[writing, byPieces, byStream])
                {
                    Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(bad, session));
                }
            }

            object message = Message(random);
            var output = new ArrayBufferWriter<byte>();
            var stream = new MemoryStream();
            var piecewise = new PieceWriter(random);
            serializer.Serialize(message, output, writing);
            serializer.Serialize(message, stream, byStream);
            serializer.Serialize(message, piecewise, byPieces);
            byte[] bytes = output.WrittenSpan.ToArray();
            Assert.Equal(bytes, stream.ToArray());
            Assert.Equal(bytes, piecewise.Written);
            if (!isFaithful && random.Next(8) == 0)
            {
                lost++;
                continue;
            }

            if (random.Next(6) == 0)
            {
                byte[] cut = bytes[..random.Next(bytes.Length)];
                AssertSameOutcome(cut, out _, out _);
            }

            if (!isFaithful && random.Next(10) == 0)
            {
                AssertSameOutcome(Road.Splice(random, bytes, bytes), out _, out _);
                isSpliced = true;
            }

            AssertSameOutcome(bytes, out string error, out object? value);
            if (lost == 0 && !isSpliced)
            {
                Assert.Equal("", error);
            }

            if (error.Length == 0 && !isSpliced)
            {
                GraphAssert.Same(message, value, sharing: options.PreserveObjectReferences);
            }

            void AssertSameOutcome(byte[] payload, out string error, out object? value)
            {
                (error, value) = Road.Outcome(() => serializer.Deserialize<object>(payload, whole));
                (string other, object? same) =
                    Road.Outcome(() => serializer.Deserialize<object>(Sequences.Chunked(payload, random.Next(1, 8)), pieces));
                // The place of an error may be the beginning or the end of what is read at once, and code is compiled in between.
                Assert.Equal(Road.KindOf(other), Road.KindOf(error));
                GraphAssert.Same(same, value);
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Typed_messages_of_a_session_agree_too(bool tolerance)
    {
        var random = new Random(9);
        var serializer = new Serializer(new SerializerOptions { TypeFilter = Setup.TestTypes, VersionTolerance = tolerance });
        using SerializerSession writing = serializer.GetSerializerSession();
        using SerializerSession byPieces = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int i = 0; i < 300; i++)
        {
            Check(RoadModel.Branch(random));
            Check(RoadModel.Item(random));
            Check(RoadModel.Open(random));
            Check(RoadModel.Elements(random, random.Next(40), RoadModel.Item, mayBeNull: true));
        }

        void Check<T>(T value)
            where T : class
        {
            byte[] bytes = serializer.SerializeTyped(value, writing);
            var output = new PieceWriter(random);
            serializer.SerializeTyped(value, output, byPieces);
            Assert.Equal(bytes, output.Written);
            GraphAssert.Same(value, serializer.DeserializeTyped<T>(bytes, reading));
        }
    }

    private static object Message(Random random) => random.Next(8) switch
    {
        0 => RoadModel.Item(random),
        1 => RoadModel.Fine(random),
        2 => RoadModel.Branch(random),
        3 => RoadModel.Elements(random, random.Next(40), RoadModel.Open, mayBeNull: true),
        4 => RoadModel.Elements(random, random.Next(40), RoadModel.Item, mayBeNull: true),
        5 => RoadModel.Collection(random, random.Next(RoadModel.Kinds), RoadModel.Elements(random, 17, RoadModel.Item, mayBeNull: true)),
        6 => RoadModel.Elements(random, random.Next(40), RoadModel.Any, mayBeNull: true),
        _ => RoadModel.Thing(random),
    };
}
