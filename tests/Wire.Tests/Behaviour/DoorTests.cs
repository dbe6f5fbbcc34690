using System.Buffers;
using System.Reflection;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>
/// Whatever lies in one piece of memory is read and written without a session where that is possible, through whichever overload it comes:
/// positions, errors and what later messages get are those of any other stream.
/// </summary>
public sealed class DoorTests
{
    private const BindingFlags Inside = BindingFlags.Instance | BindingFlags.NonPublic;

    private static readonly SerializerOptions Options = new() { TypeFilter = Setup.TestTypes };

    // Two flat ones, one that is too large for it, and one that never is.
    private static readonly object[] Messages =
    [
        new Note { Number = 1, Text = "one" }, new Note { Number = 2, Text = "zwei ж" }, new Note { Text = new string('x', 9000) },
        new object?[] { 1, "two", null, new Note { Number = 3 } }, new Note { Number = 4 },
    ];

    public enum Kind
    {
        Growing,
        Given,
        Exposed,
        Part,
        ReadOnly,
        Other,
    }

    public static TheoryData<Kind, bool> Kinds { get; } = AllKinds();

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_stream_is_behind_each_of_its_messages(Kind kind, bool isInSession)
    {
        var serializer = new Serializer(Options);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int round = 0; round < 3; round++)
        {
            var written = new MemoryStream();
            var ends = new List<long>();
            foreach (object message in Messages)
            {
                Write(message, written);
                ends.Add(written.Position);
            }

            MemoryStream stream = Open(kind, written.ToArray());
            long start = stream.Position;
            for (int i = 0; i < Messages.Length; i++)
            {
                object? value = i % 2 == 0 ? Read<object>(stream) : Messages[i] is Note ? Read<Note>(stream) : Read<object[]>(stream);
                Assert.Equivalent(Messages[i], value, strict: true);
                Assert.Equal(start + ends[i], stream.Position);
            }
        }

        void Write(object message, Stream stream)
        {
            if (isInSession)
            {
                serializer.Serialize(message, stream, writing);
            }
            else
            {
                serializer.Serialize(message, stream);
            }
        }

        T? Read<T>(Stream stream) => isInSession ? serializer.Deserialize<T>(stream, reading) : serializer.Deserialize<T>(stream);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_stream_without_a_message_stays_where_it_is_and_says_what_others_do(Kind kind, bool isInSession)
    {
        var serializer = new Serializer(Options);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] good = isInSession ? serializer.Serialize(Messages[0], writing) : serializer.Serialize(Messages[0]);
        Assert.Equal("", Outcome(Open(kind, good)));
        byte[] damaged = [.. good];
        damaged[^5] ^= 0x55;
        foreach (byte[] bytes in (byte[][])[[], good[..^1], good[..3], [0xFF, .. good], damaged])
        {
            MemoryStream stream = Open(kind, bytes);
            long start = stream.Position;
            string expected = Outcome(new SeekableStream(bytes));
            Assert.Equal(expected, Outcome(stream));
            if (expected.Length > 0)
            {
                Assert.Equal(start, stream.Position);
            }
        }

        string Outcome(Stream stream)
        {
            try
            {
                _ = isInSession ? serializer.Deserialize<Note>(stream, reading) : serializer.Deserialize<Note>(stream);
                return "";
            }
            catch (WireFormatException e)
            {
                return $"{e.Error} at {e.Offset} in '{e.MemberPath}': {e.Message}";
            }
        }
    }

    [Fact]
    public void A_position_behind_the_end_is_the_end()
    {
        var serializer = new Serializer(Options);
        foreach (MemoryStream stream in (MemoryStream[])[new(), new([1, 2]), new SeekableStream([1, 2])])
        {
            stream.Position = 10;
            var e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Note>(stream));
            Assert.Equal(WireFormatError.Truncated, e.Error);
            Assert.Equal(10, stream.Position);
        }
    }

    // The program's code runs while the stream is read.
    [Fact]
    public void A_stream_that_a_conversion_has_moved_is_put_back()
    {
        var stream = new MemoryStream();
        var failure = new InvalidOperationException("no");
        var serializer = new Serializer(new SerializerOptions
        {
            Surrogates = [Surrogate.Create<Note, int>(note => note.Number, _ =>
            {
                stream.Position = 1;
                throw failure;
            })],
        });
        stream.Write([1, 2, 3]);
        serializer.Serialize(new Note { Number = 1 }, stream);
        stream.Position = 3;
        using DeserializerSession session = serializer.GetDeserializerSession();
        Func<Note?>[] reads = [() => serializer.Deserialize<Note>(stream), () => serializer.Deserialize<Note>(stream, session)];
        foreach (Func<Note?> read in reads)
        {
            Assert.Same(failure, Assert.Throws<InvalidOperationException>(read));
            Assert.Equal(3, stream.Position);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_sequence_of_one_piece_is_read_whatever_it_lies_in(bool isInSession)
    {
        var serializer = new Serializer(Options);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        foreach (object message in Messages.Concat(Messages))
        {
            foreach (Func<byte[], ReadOnlySequence<byte>> lay in Pieces)
            {
                byte[] bytes = isInSession ? serializer.Serialize(message, writing) : serializer.Serialize(message);
                ReadOnlySequence<byte> sequence = lay(bytes);
                Assert.True(sequence.IsSingleSegment);
                object? copy = isInSession ? serializer.Deserialize<object>(sequence, reading) : serializer.Deserialize<object>(sequence);
                GraphAssert.Same(message, copy);
            }
        }
    }

    private static readonly Func<byte[], ReadOnlySequence<byte>>[] Pieces =
    [
        bytes => new(bytes),
        bytes => new([0, .. bytes, 0], 1, bytes.Length),
        bytes => new(new Native(bytes).Memory),
        bytes => Sequences.Of(bytes),
        bytes => Sequences.Join([new Native([0, .. bytes]).Memory[1..]]),
    ];

    [Fact]
    public void A_closed_stream_says_so()
    {
        var serializer = new Serializer(Options);
        var stream = new MemoryStream(serializer.Serialize(Messages[0]));
        Assert.NotNull(serializer.Deserialize<Note>(stream));
        stream.Dispose();
        Assert.Throws<ObjectDisposedException>(() => serializer.Deserialize<Note>(stream));
        using DeserializerSession session = serializer.GetDeserializerSession();
        Assert.Throws<ObjectDisposedException>(() => serializer.Deserialize<Note>(stream, session));
        Assert.NotNull(serializer.Deserialize<Note>(serializer.Serialize(Messages[0]), session));
        Assert.Throws<ObjectDisposedException>(() => serializer.Serialize(Messages[0], stream));
    }

    [Fact]
    public void A_stream_gets_a_message_in_one_piece_at_its_position()
    {
        var serializer = new Serializer(Options);
        byte[] bytes = serializer.Serialize(Messages[0]);
        for (int i = 0; i < 3; i++)
        {
            var counting = new Counting();
            serializer.Serialize(Messages[0], counting);
            Assert.Equal([bytes.Length], counting.Pieces);
            Assert.Equal(bytes, counting.ToArray());

            byte[] room = [.. Enumerable.Repeat((byte)7, bytes.Length + 9)];
            var stream = new MemoryStream(room) { Position = 4 };
            serializer.Serialize(Messages[0], stream);
            Assert.Equal([7, 7, 7, 7, .. bytes, 7, 7, 7, 7, 7], room);
            Assert.Equal(4 + bytes.Length, stream.Position);
            Assert.Throws<NotSupportedException>(() => serializer.Serialize(Messages[0], new MemoryStream(room, 0, 5)));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_a_stream_throws_has_a_place_and_ends_its_session(bool isFlat)
    {
        var serializer = new Serializer(Options);
        object message = isFlat ? Messages[0] : Messages[3];
        serializer.Serialize(message, new MemoryStream());
        using SerializerSession writing = serializer.GetSerializerSession();
        serializer.Serialize(message, writing);
        var failing = new Failing();
        Assert.Same(failing.Failure, Record.Exception(() => serializer.Serialize(message, failing)));
        Assert.Equal("", failing.Failure.Data[Serializer.MemberPathKey]);
        failing.Failure.Data.Clear();
        Assert.Same(failing.Failure, Record.Exception(() => serializer.Serialize(message, failing, writing)));
        Assert.Equal("", failing.Failure.Data[Serializer.MemberPathKey]);
        Assert.Contains(
            "new session",
            Assert.Throws<InvalidOperationException>(() => serializer.Serialize(message, writing)).Message,
            StringComparison.Ordinal);
        Assert.Equal(serializer.Serialize(message), Setup.Reflecting(serializer).Serialize(message));
    }

    [Fact]
    public void No_way_in_turns_the_flat_road_off_for_others()
    {
        var serializer = new Serializer(Options);
        byte[] bytes = serializer.Serialize(Messages[0]);
        for (int i = 0; i < 3; i++)
        {
            Assert.NotNull(serializer.Deserialize<Note>(bytes));
        }

        object plan = Plan(serializer);
        Type asked = typeof(Note);
        Assert.NotNull(plan.GetType().BaseType!.GetField("_flat", Inside)!.GetValue(plan));
        Action[] ways =
        [
            () => serializer.Deserialize<Note>(bytes.AsSpan()),
            () => serializer.Deserialize<Note>(bytes.AsMemory()),
            () => serializer.Deserialize<Note>(new ReadOnlySequence<byte>(bytes)),
            () => serializer.Deserialize<Note>(Fragments.Every(bytes, 3)),
            () => serializer.Deserialize<Note>([.. bytes, 1, 2], out int _),
            () => serializer.Deserialize<Note>(new MemoryStream(bytes)),
            () => serializer.Deserialize<Note>(Open(Kind.Exposed, bytes)),
            () => serializer.Deserialize<Note>(new SeekableStream(bytes)),
            () => serializer.Deserialize<Note>(new TrickleStream(bytes, 2)),
            () => serializer.Read<Note>(bytes, ""),
            () => serializer.Deserialize(asked, bytes),
        ];
        foreach (Action way in ways)
        {
            way();
            Assert.NotNull(plan.GetType().BaseType!.GetField("_flat", Inside)!.GetValue(plan));
        }

        Assert.Same(plan, Plan(serializer));
    }

    private static TheoryData<Kind, bool> AllKinds()
    {
        var all = new TheoryData<Kind, bool>();
        foreach (Kind kind in Enum.GetValues<Kind>())
        {
            all.Add(kind, false);
            all.Add(kind, true);
        }

        return all;
    }

    private static object Plan(Serializer serializer)
    {
        object plans = typeof(Serializer).GetField("_readPlans", Inside)!.GetValue(serializer)!;
        return plans.GetType().GetField("_only", Inside)!.GetValue(plans)!;
    }

    private static MemoryStream Open(Kind kind, byte[] bytes)
    {
        switch (kind)
        {
            case Kind.Growing:
                var growing = new MemoryStream();
                growing.Write(bytes);
                growing.Position = 0;
                return growing;
            case Kind.Given:
                return new MemoryStream(bytes);
            case Kind.Exposed:
                return new MemoryStream([9, 9, .. bytes], 0, bytes.Length + 2, writable: true, publiclyVisible: true) { Position = 2 };
            case Kind.Part:
                byte[] around = [9, 9, 9, .. bytes, 9];
                return new MemoryStream(around, 2, bytes.Length + 1, writable: true, publiclyVisible: true) { Position = 1 };
            case Kind.ReadOnly:
                return new MemoryStream([9, 9, 9, .. bytes, 9], 2, bytes.Length + 1, writable: false) { Position = 1 };
            default:
                return new SeekableStream(bytes);
        }
    }

    private sealed class Note
    {
        public int Number { get; set; }

        public string? Text { get; set; }
    }

    // Memory that is no array.
    private sealed class Native(byte[] bytes) : MemoryManager<byte>
    {
        public override Span<byte> GetSpan() => bytes;

        public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing)
        {
        }
    }

    private sealed class Counting : MemoryStream
    {
        public List<int> Pieces { get; } = [];

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            Pieces.Add(buffer.Length);
            base.Write(buffer.ToArray(), 0, buffer.Length);
        }
    }

    private sealed class Failing : MemoryStream
    {
        public IOException Failure { get; } = new("the disk is full");

        public override void Write(ReadOnlySpan<byte> buffer) => throw Failure;
    }
}
