using System.Buffers;
using System.IO.Pipelines;
using Wire.Comparing;
using Wire.Tests.Behaviour.Roads;
using static Wire.Tests.Behaviour.Frames.FrameModel;

namespace Wire.Tests.Behaviour.Frames;

/// <summary>Frames that are written without a flush: what is said of them is what is there, and failures leave nothing.</summary>
public sealed class FrameWritingTests
{
    private static object?[] Values =>
    [
        new Transfer { Cents = 1, To = "Ada" },
        new Refund { Cents = 2, To = "\u4F60" },
        new Transfer { Cents = 3, To = new string('x', 300) },
        new Transfer { Cents = 4, To = new string('y', 7000) },
        new Transfer { Cents = 5, To = new string('z', 100_000) },
        new Bundle { Inside = [new Transfer { Cents = 6 }, null, new Refund { To = "Bo" }] },
        new Transfer { Cents = 7 },
        null,
        42,
        "text",
        new int[5000],
        new List<object?> { 1, "two", new Parcel { Cents = 8 } },
        new Transfer { Cents = 9, To = "Ada" },
    ];

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task A_frame_is_the_same_in_every_output_and_its_length_is_returned(bool references, bool inSession)
    {
        Serializer serializer = Make(references);
        SerializerSession[] sessions = [.. Enumerable.Range(0, 5).Select(_ => serializer.GetSerializerSession())];
        using DeserializerSession reading = serializer.GetDeserializerSession();
        foreach (object? value in (object?[])[.. Values, .. Values, .. Values])
        {
            byte[] payload = inSession ? serializer.Serialize(value, sessions[0]) : serializer.Serialize(value);
            byte[] expected = Frame(payload);

            var plain = new ArrayBufferWriter<byte>();
            Assert.Equal(
                expected.Length,
                inSession ? serializer.SerializeFramed(value, plain, sessions[1]) : serializer.SerializeFramed(value, plain));
            Assert.Equal(expected, plain.WrittenSpan);

            var pieces = new PieceWriter(new Random(7));
            Assert.Equal(
                expected.Length,
                inSession ? serializer.SerializeFramed(value, pieces, sessions[2]) : serializer.SerializeFramed(value, pieces));
            Assert.Equal(expected, pieces.Written);

            var stream = new MemoryStream();
            await (inSession
                ? serializer.SerializeFramedAsync(value, stream, sessions[3])
                : serializer.SerializeFramedAsync(value, stream));
            Assert.Equal(expected, stream.ToArray());

            var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 0));
            await (inSession
                ? serializer.SerializeFramedAsync(value, pipe.Writer, sessions[4])
                : serializer.SerializeFramedAsync(value, pipe.Writer));
            ReadResult read = await pipe.Reader.ReadAsync();
            Assert.Equal(expected, read.Buffer.ToArray());
            GraphAssert.Same(
                value, inSession ? serializer.Deserialize<object>(payload, reading) : serializer
                    .Deserialize<object>(payload), sharing: references);
        }

        Array.ForEach(sessions, session => session.Dispose());
    }

    [Fact]
    public void Values_of_a_value_type_are_framed_unboxed()
    {
        Serializer serializer = Make();
        var output = new ArrayBufferWriter<byte>();
        Assert.Equal(10, serializer.SerializeFramed(42, output));
        Assert.Equal(Frame(serializer.Serialize(42)), output.WrittenSpan);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_fails_leaves_neither_bytes_nor_definitions(bool isLarge)
    {
        Serializer serializer = Make(change: o => o with { Limits = Limits.Default with { MaxFrameBytes = isLarge ? 20_000 : 60 } });
        using SerializerSession writing = serializer.GetSerializerSession();
        using SerializerSession other = serializer.GetSerializerSession();
        var output = new ArrayBufferWriter<byte>();
        for (int i = 0; i < 4; i++)
        {
            int before = output.WrittenCount;
            Assert.Throws<UnsupportedTypeException>(() => serializer.SerializeFramed(new Unwritable(), output, writing));
            var large = new Transfer { To = new string('x', isLarge ? 20_000 : 60) };
            Assert.Throws<ArgumentException>(() => serializer.SerializeFramed(large, output, writing));
            Assert.Throws<ArgumentException>(() => serializer.SerializeFramed(large, output));
            Assert.Throws<ArgumentException>(() => serializer.SerializeFramed(new Bundle { Inside = [large] }, output, writing));
            Assert.Equal(before, output.WrittenCount);

            // The first one defines the type, as if nothing had been before it.
            var good = new int[2];
            Assert.Equal(4 + serializer.Serialize(good, other).Length, serializer.SerializeFramed(good, output, writing));
        }

        Assert.Equal(serializer.Serialize(new Parcel(), other), serializer.Serialize(new Parcel(), writing));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void An_output_that_fails_ends_the_session(int failing)
    {
        Serializer serializer = Make();
        foreach (object value in new object[] { new int[3], new Transfer() })
        {
            using SerializerSession writing = serializer.GetSerializerSession();
            serializer.SerializeFramed(value, new ArrayBufferWriter<byte>(), writing);
            Assert.Throws<IOException>(() => serializer.SerializeFramed(value, new FailingWriter(failing), writing));
            if (failing == 0)
            {
                // It has given no memory, so that nothing can have been sent.
                serializer.SerializeFramed(value, new ArrayBufferWriter<byte>(), writing);
            }
            else
            {
                Assert.Throws<InvalidOperationException>(
                    () => serializer.SerializeFramed(value, new ArrayBufferWriter<byte>(), writing));
            }
        }
    }

    [Fact]
    public void An_output_may_call_the_serializer()
    {
        Serializer serializer = Make();
        object value = new List<object> { 1, new Parcel { To = "Ada" } };
        var output = new CallingWriter(serializer, new List<object> { 2, new Transfer { To = new string('y', 600) } });
        Assert.Equal(Frame(serializer.Serialize(value)).Length, serializer.SerializeFramed(value, output));
        Assert.Equal(Frame(serializer.Serialize(value)), output.Written);
        using SerializerSession session = serializer.GetSerializerSession();
        output = new CallingWriter(serializer, session);
        Assert.Throws<InvalidOperationException>(() => serializer.SerializeFramed(value, output, session));
    }

    /// <summary>Fails when it is asked for memory, or when it is told of bytes.</summary>
    private sealed class FailingWriter(int failing) : IBufferWriter<byte>
    {
        public void Advance(int count) => throw new IOException("the connection is gone");

        public Memory<byte> GetMemory(int sizeHint = 0) =>
            failing == 0 ? throw new IOException("the connection is gone") : new byte[Math.Max(sizeHint, 512)];

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }

    /// <summary>Writes something else whenever it is told of bytes: with the serializer, or with the session in use.</summary>
    private sealed class CallingWriter(Serializer serializer, object other) : IBufferWriter<byte>
    {
        private readonly ArrayBufferWriter<byte> _written = new();

        public byte[] Written => _written.WrittenSpan.ToArray();

        public void Advance(int count)
        {
            _written.Advance(count);
            if (other is SerializerSession session)
            {
                serializer.Serialize("other", session);
            }
            else
            {
                serializer.Serialize(other, new ArrayBufferWriter<byte>());
            }
        }

        public Memory<byte> GetMemory(int sizeHint = 0) => _written.GetMemory(sizeHint);

        public Span<byte> GetSpan(int sizeHint = 0) => _written.GetSpan(sizeHint);
    }
}
