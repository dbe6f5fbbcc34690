using System.Buffers;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Serialization;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Behaviour;
using Wire.Tests.Hostile.Fuzzing;
using Wire.Tests.Testing;

namespace Wire.Tests.Faults;

/// <summary>
/// After a message that cannot be read the session reads all others as they were sent, the stream is where it was, and nobody has seen
/// half an object.
/// </summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public sealed class FailedReadTests
{
    // Objects of the test that fail to be read, wherever they are kept.
    private static readonly List<WeakReference> Made = [];

    private static readonly List<object> Seen = [];

    private static bool _broken;

    public static TheoryData<bool, bool> Twins => new() { { true, true }, { false, true }, { true, false }, { false, false } };

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_message_cut_at_every_byte_leaves_the_session_as_before(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        byte[][] messages = Messages(serializer);
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int k = 0; k < messages.Length; k++)
        {
            byte[] bytes = messages[k];
            object state = StateOf(reading);
            for (int at = 0; at < bytes.Length; at++)
            {
                byte[] cut = bytes[..at];
                Assert.IsAssignableFrom<WireFormatException>(Record.Exception(() => serializer.Deserialize<object>(cut, reading)));
                Assert.IsAssignableFrom<WireFormatException>(
                    Record.Exception(() => serializer.Deserialize<object>(new ReadOnlySequence<byte>(cut), reading)));
                Assert.Equal(state, StateOf(reading));
            }

            // Good bytes that are none of the type that was asked for are there to be asked for again.
            WireFormatException e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Version>(bytes, reading));
            Assert.Equal((WireFormatError.TypeMismatch, (long)bytes.Length), (e.Error, e.Offset));
            GraphAssert.Same(Message(k), serializer.Deserialize<object>(bytes, reading), sharing: references);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void After_a_message_damaged_at_any_byte_all_others_are_read(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        byte[][] messages = Messages(serializer);
        for (int k = 0; k < messages.Length; k++)
        {
            for (int at = 0; at < messages[k].Length; at++)
            {
                foreach (byte wrong in new byte[] { 0x06, 0xFF, (byte)(messages[k][at] + 1) })
                {
                    using DeserializerSession reading = serializer.GetDeserializerSession();
                    ReadAll(serializer, reading, messages, 0, k, references);
                    byte[] damaged = [.. messages[k]];
                    damaged[at] = wrong;
                    byte[] behind = [7, 7, .. damaged];
                    using MemoryStream stream = at % 2 == 0 ? new MemoryStream(behind) : new SeekableStream(behind);
                    stream.Position = 2;
                    var failure = Assert.IsAssignableFrom<WireFormatException>(
                        Record.Exception(() => serializer.Deserialize<Version>(stream, reading)));
                    Assert.Equal(2, stream.Position);
                    // A damaged identifier contradicts nothing: it is seen before.
                    Assert.DoesNotContain("begin a new session", failure.Message, StringComparison.Ordinal);
                    ReadAll(serializer, reading, messages, k, messages.Length, references);
                }
            }
        }
    }

    [WireName("Failed.Case")]
    private sealed class WrittenCase
    {
        public object? Archive;
        public object? Kept;
    }

    [WireName("Failed.Case")]
    private sealed class ReadCase
    {
        public object? Kept;
    }

    private sealed class Secret
    {
        public object? More;
    }

    [Fact]
    public void What_fails_while_it_is_read_again_leaves_no_object_behind()
    {
        Serializer writer = Setup.Serializer(true, o => o with { PreserveObjectReferences = true });
        Serializer reader = new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<ReadCase>() });
        object[] shared = [new int[1], new Secret(), new int[2], new int[3]];
        byte[] payload = writer.Serialize(new WrittenCase { Archive = new object[] { new int[5], shared, new int[4] }, Kept = shared });
        Assert.Throws<TypeRefusedException>(() => reader.Deserialize<ReadCase>(payload));
        object session = CachedSessions.Reading(reader)!;
        var entries = (Array)Field(Field(session, "_objects"), "_objects");
        Assert.All(entries.Cast<object>(), entry =>
            Assert.Null(entry.GetType().GetField("Object", BindingFlags.Instance | BindingFlags.Public)!.GetValue(entry)));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_throws_at_the_end_of_a_message_comes_out_and_the_session_goes_on(bool asStream)
    {
        Serializer serializer = Setup.Serializer(true, o => o with { UseSerializationCallbacks = true });
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] bad = serializer.Serialize(new object[] { new Late { IsBroken = true }, new Leaf() }, writing);
        byte[] good = serializer.Serialize(new object[] { new Late(), new Leaf { Id = 3 } }, writing);
        Assert.Equal("too late", Assert.Throws<InvalidTimeZoneException>(() => Read(bad)).Message);
        Assert.Equal(3, ((Leaf)Read(good)[1]).Id);

        object[] Read(byte[] bytes) => asStream
            ? serializer.Deserialize<object[]>(new SeekableStream(bytes), reading)!
            : serializer.Deserialize<object[]>(Fragments.Every(bytes, 5), reading)!;
    }

    [Fact]
    public void A_stream_that_does_not_give_a_message_twice_hides_no_exception()
    {
        Serializer serializer = new(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Allow<Leaf>() });
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] bad = serializer.Serialize(new object[] { new Secret(), new Leaf() }, writing);
        Assert.Throws<TypeRefusedException>(() => serializer.Deserialize<object>(new Once(bad), reading));
        byte[] good = serializer.Serialize(new object[] { 1, "two" }, writing);
        Assert.Equal([1, "two"], serializer.Deserialize<object[]>(good, reading)!);
    }

    private sealed class Late : IDeserializationCallback
    {
        public bool IsBroken;

        public void OnDeserialization(object? sender)
        {
            if (IsBroken)
            {
                throw new InvalidTimeZoneException("too late");
            }
        }
    }

    private sealed class Once(byte[] bytes) : MemoryStream(bytes)
    {
        private bool _isRead;

        public override int Read(Span<byte> buffer)
        {
            if (_isRead)
            {
                throw new TimeoutException();
            }

            _isRead = true;
            return base.Read(buffer);
        }
    }

    [Fact]
    public void What_fails_is_not_kept_in_the_caches()
    {
        Serializer serializer = Setup.Serializer(true);
        byte[] payload = serializer.Serialize(Message(2));
        Read();
        long before = GC.GetTotalMemory(forceFullCollection: true);
        for (int i = 0; i < 20; i++)
        {
            Read();
        }

        long after = GC.GetTotalMemory(forceFullCollection: true);
        Assert.True(after - before < 64 << 10, $"{after - before} bytes");
        GraphAssert.Same(Message(2), serializer.Deserialize<object>(payload));

        void Read()
        {
            for (int at = 0; at < payload.Length; at++)
            {
                byte[] cut = payload[..at];
                Assert.IsAssignableFrom<WireFormatException>(Record.Exception(() => serializer.Deserialize<object>(cut)));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Nothing_half_built_is_kept_or_called(bool dynamicCode, bool ownSession)
    {
        Serializer serializer =
            Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = true, UseSerializationCallbacks = true });
        var graph = new Traced { Name = "a" };
        graph.Children = [new Traced { Name = "b", Parent = graph }, new Traced { Name = "c", Parent = graph }];
        graph.Set = [graph.Children[0], graph];
        byte[] payload = serializer.Serialize(graph);
        using DeserializerSession session = serializer.GetDeserializerSession();
        int count = 0;
        for (int length = 1; length <= payload.Length; length++)
        {
            Seen.Clear();
            byte[] bytes = length == payload.Length ? [.. payload, 0] : payload[..length];
            Fail(serializer, bytes, ownSession ? null : session);
            Assert.Empty(Seen);
            if (length % (Sweep.IsWhole ? 16 : 48) != 0 && length != payload.Length)
            {
                continue;
            }

            GC.Collect();
            GC.WaitForPendingFinalizers();
            GC.Collect();
            Assert.All(Made, made => Assert.False(made.IsAlive));
            count += Made.Count;
            Made.Clear();
        }

        Assert.True(count > 20, $"{count} objects");
        Traced whole = serializer.Deserialize<Traced>(payload)!;
        Assert.Equal(3, Seen.Count);
        Assert.Contains(whole, whole.Set!);
    }

    [Fact]
    public void A_stream_that_cannot_seek_is_asked_for_no_more_after_a_failure()
    {
        Serializer serializer = Setup.Serializer(true);
        byte[] payload = serializer.Serialize(Message(1));
        payload[0] = 0x20;
        var stream = new Forward([.. payload, .. payload]);
        Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(stream));
        Assert.True(stream.Position <= payload.Length);
        Assert.Equal(1, serializer.RoundTrip(new Leaf { Id = 1 }).Id);
    }

    [Fact]
    public void A_stream_that_fails_leaves_the_session_as_before()
    {
        Serializer serializer = Setup.Serializer(true);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        byte[] first = serializer.Serialize(Message(0), writing);
        byte[] second = serializer.Serialize(Message(1), writing);
        serializer.Deserialize<object>(first, reading);
        for (int at = 0; at < second.Length; at++)
        {
            foreach (bool seekable in new[] { true, false })
            {
                var stream = new Failing(second, at, seekable);
                Assert.Same(stream.Failure, Record.Exception(() => serializer.Deserialize<object>(stream, reading)));
            }
        }

        GraphAssert.Same(Message(1), serializer.Deserialize<object>(second, reading));
    }

    [Fact]
    public async Task Cancelled_and_failed_frames_leave_the_session_as_before()
    {
        Serializer serializer = Setup.Serializer(true);
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        var stream = new MemoryStream();
        await serializer.SerializeFramedAsync(new Leaf { Id = 1 }, stream, writing);
        await serializer.SerializeFramedAsync(new Leaf { Id = 2 }, stream, writing);
        byte[] frames = stream.ToArray();
        byte[] damaged = [.. frames];
        damaged[4] = 0x20;
        var bad = new MemoryStream(damaged);
        Assert.Equal(
            WireFormatError.Header,
            (await Assert.ThrowsAsync<WireFormatException>(() => serializer.DeserializeFramedAsync<Leaf>(bad, reading).AsTask())).Error);
        Assert.Equal(4 + BitConverter.ToInt32(frames), bad.Position);
        stream.Position = 0;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => serializer.DeserializeFramedAsync<Leaf>(stream, reading, new CancellationToken(true)).AsTask());
        var pipe = new System.IO.Pipelines.Pipe();
        await pipe.Writer.WriteAsync(frames.AsMemory(0, 10));
        using var source = new CancellationTokenSource();
        Task waiting = serializer.DeserializeFramedAsync<Leaf>(pipe.Reader, reading, source.Token).AsTask();
        source.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);

        // Nothing of the frame is lost.
        await pipe.Writer.WriteAsync(frames.AsMemory(10));
        Assert.Equal(1, (await serializer.DeserializeFramedAsync<Leaf>(pipe.Reader, reading))!.Id);
        Assert.Equal(2, (await serializer.DeserializeFramedAsync<Leaf>(pipe.Reader, reading))!.Id);
    }

    private static byte[][] Messages(Serializer serializer)
    {
        using SerializerSession writing = serializer.GetSerializerSession();
        return [.. Enumerable.Range(0, 6).Select(k => serializer.Serialize(Message(k), writing))];
    }

    private static void ReadAll(Serializer serializer, DeserializerSession reading, byte[][] messages, int from, int to, bool references)
    {
        for (int k = from; k < to; k++)
        {
            GraphAssert.Same(Message(k), serializer.Deserialize<object>(messages[k], reading), sharing: references);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Fail(Serializer serializer, byte[] bytes, DeserializerSession? session)
    {
        Assert.IsAssignableFrom<WireFormatException>(Record.Exception(() =>
            session is null ? serializer.Deserialize<Traced>(bytes) : serializer.Deserialize<Traced>(bytes, session)));
        Assert.False(_broken);
    }

    private static object Message(int k) => k switch
    {
        0 => new object[] { new Leaf { Id = 1, Text = "t" }, new Node { Value = 2 } },
        1 => new object[] { new Leaf { Id = 2 }, new Cat { Name = "c" }, new Point { X = 1 } },
        2 => new Corpus.ReadOrder
        {
            Number = 7,
            Text = "order",
            Lines = [new() { Count = 1.5m, Added = new Point { X = 1 }, Inner = [new() { Count = 2 }] }, default],
            Widened = 0.5,
            Added = new Leaf { Id = 3 },
        },
        3 => new Dictionary<string, object> { ["k"] = new Puppy { Name = "p" }, ["l"] = new Leaf() },
        4 => new List<Rich> { new() { Label = "l", Any = new Box<Point>() } },
        _ => new Leaf { Id = 9 },
    };

    // What a session knows from one message to the next.
    private static (int Manifests, int Objects) StateOf(DeserializerSession session) => (
        (int)Field(Field(session, "_manifests"), "<Count>k__BackingField"),
        (int)Field(Field(session, "_objects"), "_count"));

    private static object Field(object target, string name) =>
        target.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(target)!;

    /// <summary>Takes note of every object that is made of bytes, and of every one that is called although the message fails.</summary>
    private sealed class Traced : IDeserializationCallback
    {
        public string? Name;
        public Traced[]? Children;
        public HashSet<Traced>? Set;
        public Traced? Parent;

        [OnDeserializing]
        public void Begin(StreamingContext context) => Made.Add(new WeakReference(this));

        public void OnDeserialization(object? sender)
        {
            _broken |= Name is null;
            Seen.Add(this);
        }

        public override bool Equals(object? obj) => obj is Traced other && Hash() == other.Hash();

        public override int GetHashCode() => Hash();

        private int Hash()
        {
            _broken |= Name is null;
            return Name!.Length + Name[0];
        }
    }

    private sealed class Forward(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;
    }

    private sealed class Failing(byte[] bytes, int at, bool seekable) : MemoryStream(bytes)
    {
        public IOException Failure { get; } = new("the connection is gone");

        public override bool CanSeek => seekable;

        public override int Read(byte[] buffer, int offset, int count) =>
            Position >= at ? throw Failure : base.Read(buffer, offset, (int)Math.Min(count, at - Position));

        public override int Read(Span<byte> buffer)
        {
            byte[] part = new byte[buffer.Length];
            int read = Read(part, 0, part.Length);
            part.AsSpan(0, read).CopyTo(buffer);
            return read;
        }
    }
}
