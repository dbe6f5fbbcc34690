using System.Buffers;
using System.IO.Pipelines;
using Wire.Comparing;
using Wire.Tests.Behaviour;
using Wire.Tests.Hostile.Fuzzing;
using Wire.Tests.Testing;

namespace Wire.Tests.Faults;

/// <summary>A value that cannot be written leaves what is documented in the output, and nothing in the session.</summary>
public sealed class FailedWriteTests
{
    private const int ChunkSize = 1 << 16;

    public static TheoryData<bool, bool> Twins => new() { { true, true }, { false, true }, { true, false }, { false, false } };

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_failure_at_any_member_takes_back_what_a_session_has_said(bool dynamicCode, bool references)
    {
        Serializer serializer =
            Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, Surrogates = [Fuse.Surrogate] });
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        for (int at = 0; at < 8; at++)
        {
            for (int size = 0; size < 4000; size = (size * 3) + 1)
            {
                object[] bad = Message(at, size);
                Assert.Same(Fuse.Failure, Record.Exception(() => serializer.Serialize(bad, writing)));
                Assert.Same(Fuse.Failure, Record.Exception(() => serializer.Serialize(bad, new MemoryStream(), writing)));

                // The reader has not seen the failed message, and reads the next.
                object[] good = Message(-1, size);
                GraphAssert.Same(good, serializer.Deserialize<object[]>(serializer.Serialize(good, writing), reading), sharing: references);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_buffer_writer_keeps_whole_spans_and_nothing_else(bool dynamicCode, bool references)
    {
        Serializer serializer =
            Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, Surrogates = [Fuse.Surrogate] });
        for (int at = 0; at < 8; at++)
        {
            for (int size = 0; size < 4000; size = (size * 3) + 1)
            {
                object[] bad = Message(at, size);
                using SerializerSession writing = serializer.GetSerializerSession();
                var output = new Windows(512);
                Assert.Same(Fuse.Failure, Record.Exception(() => serializer.Serialize(bad, output, writing)));
                Exception? next = Record.Exception(() => serializer.Serialize(1, new Windows(512), writing));
                if (output.Advanced == 0)
                {
                    Assert.Null(next);
                }
                else
                {
                    Assert.Contains(
                        "Begin a new session", Assert.IsType<InvalidOperationException>(next).Message, StringComparison.Ordinal);
                }

                // What is there is the beginning of what would have been written, up to a span that was full.
                byte[] whole = SessionPayload.First(serializer, Message(-1, size, at));
                Assert.True(whole.AsSpan().StartsWith(output.Bytes), $"{at}, {size}");
                Assert.All(output.Spans.Take(output.Advances), span => Assert.True(span.Written > 0));

                // One large span takes nothing of a value that fails.
                var large = new ArrayBufferWriter<byte>(1 << 16);
                Assert.Same(Fuse.Failure, Record.Exception(() => serializer.Serialize(bad, large)));
                Assert.Equal(0, large.WrittenCount);
            }
        }
    }

    [Theory]
    [InlineData(ChunkSize / 2, true)]
    [InlineData(ChunkSize * 3, false)]
    public void A_session_whose_stream_has_a_part_of_a_failed_message_is_at_its_end(int size, bool isUntouched)
    {
        Serializer serializer = Setup.Serializer(true, o => o with { Surrogates = [Fuse.Surrogate] });
        using SerializerSession writing = serializer.GetSerializerSession();
        var stream = new MemoryStream();
        object[] message = [new Leaf(), .. Enumerable.Range(0, size / 8).Select(i => (object)(long)i), new Fuse()];
        Assert.Same(Fuse.Failure, Record.Exception(() => serializer.Serialize(message, stream, writing)));
        Assert.Equal(isUntouched, stream.Length == 0);
        Exception? next = Record.Exception(() => serializer.Serialize(new Leaf(), stream, writing));
        Assert.Equal(isUntouched, next is null);
        Assert.True(next is null or InvalidOperationException);

        // The thread's own session knows nothing of other messages.
        Assert.Same(Fuse.Failure, Record.Exception(() => serializer.Serialize(message, new MemoryStream())));
        Assert.Equal(5, serializer.RoundTrip(new Leaf { Id = 5 }).Id);
    }

    [Fact]
    public void A_session_whose_stream_fails_is_at_its_end()
    {
        Serializer serializer = Setup.Serializer(true);
        using SerializerSession writing = serializer.GetSerializerSession();
        var stream = new FailingStream();
        Assert.Same(stream.Failure, Record.Exception(() => serializer.Serialize(new Leaf(), stream, writing)));
        Assert.Throws<InvalidOperationException>(() => serializer.Serialize(1, writing));
        writing.Dispose();
        Assert.Throws<ObjectDisposedException>(() => serializer.Serialize(1, writing));
        var output = new FailingWriter();
        foreach (bool inAdvance in new[] { false, true })
        {
            output.InAdvance = inAdvance;
            using SerializerSession session = serializer.GetSerializerSession();
            Assert.Same(output.Failure, Record.Exception(() => serializer.Serialize(new Leaf(), output, session)));

            // Who gives no span has nothing; who fails to take one may have it.
            Assert.Equal(inAdvance, Record.Exception(() => serializer.Serialize(1, session)) is InvalidOperationException);
        }
    }

    [Fact]
    public async Task A_session_whose_frame_did_not_go_out_is_at_its_end()
    {
        Serializer serializer = Setup.Serializer(true, o => o with { Surrogates = [Fuse.Surrogate] });
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession reading = serializer.GetDeserializerSession();
        var stream = new MemoryStream();

        // Before anything went out, nothing has happened.
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => serializer.SerializeFramedAsync(new Leaf(), stream, writing, new CancellationToken(true)).AsTask());
        Assert.Same(Fuse.Failure, await Record.ExceptionAsync(
            () => serializer.SerializeFramedAsync(new object[] { new Leaf(), new Fuse() }, stream, writing).AsTask()));
        Assert.Equal(0, stream.Length);
        await serializer.SerializeFramedAsync(new Leaf { Id = 3 }, stream, writing);
        stream.Position = 0;
        Assert.Equal(3, (await serializer.DeserializeFramedAsync<Leaf>(stream, reading))!.Id);

        // While it goes out.
        var failing = new FailingStream();
        Assert.Same(
            failing.Failure, await Record.ExceptionAsync(() => serializer.SerializeFramedAsync(new Node(), failing, writing).AsTask()));
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(
            () => serializer.SerializeFramedAsync(new Leaf(), stream, writing).AsTask());
        Assert.Contains("may have reached the output", e.Message, StringComparison.Ordinal);

        using var source = new CancellationTokenSource();
        using SerializerSession cancelled = serializer.GetSerializerSession();
        Task sending = serializer.SerializeFramedAsync(new Node(), new BlockingStream(), cancelled, source.Token).AsTask();
        Assert.False(sending.IsCompleted);
        source.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sending);
        Assert.Throws<InvalidOperationException>(() => serializer.Serialize(1, cancelled));

        // A pipe that has been completed takes nothing.
        var pipe = new Pipe();
        using SerializerSession piped = serializer.GetSerializerSession();
        await pipe.Writer.CompleteAsync();
        await Assert.ThrowsAsync<InvalidOperationException>(() => serializer.SerializeFramedAsync(new Node(), pipe.Writer, piped).AsTask());
        Assert.Equal(SessionPayload.First(serializer, new Leaf()), serializer.Serialize(new Leaf(), piped));
        PipeWriter broken = PipeWriter.Create(new FailingStream());
        Assert.IsType<IOException>(await Record.ExceptionAsync(
            () => serializer.SerializeFramedAsync(new Node(), broken, piped).AsTask()));
        Assert.Contains(
            "Begin a new session",
            Assert.Throws<InvalidOperationException>(() => serializer.Serialize(1, piped)).Message,
            StringComparison.Ordinal);

        // After it went out, the token has no say; and without a session nothing is left over.
        using SerializerSession last = serializer.GetSerializerSession();
        using var late = new CancellationTokenSource();
        await serializer.SerializeFramedAsync(1, new MemoryStream(), last, late.Token);
        late.Cancel();
        Assert.Equal(SessionPayload.First(serializer, 1), serializer.Serialize(1, last));
        Assert.Same(failing.Failure, await Record.ExceptionAsync(() => serializer.SerializeFramedAsync(new Node(), failing).AsTask()));
        Assert.Equal(1, serializer.RoundTrip(new Node { Value = 1 }).Value);
    }

    [Fact]
    public void A_stream_or_buffer_writer_may_use_the_serializer_while_it_is_written_to()
    {
        Serializer serializer = Setup.Serializer(true);
        byte[] expected = serializer.Serialize(new Leaf { Id = 1, Text = "text" });
        foreach (bool framed in new[] { false, true })
        {
            Serializer with = framed
                ? Setup.Serializer(true, o => o with { ValueSerializerFactories = [ValueSerializerFactory.For(new PocoSerializer())] })
                : serializer;
            object value = framed ? Poco.Sample() : new Leaf { Id = 1, Text = "text" };
            byte[] bytes = with.Serialize(value);
            var stream = new ReentrantStream(
                () => Assert.Equal(with.Serialize(new Node { Value = 7 }), with.Serialize(with.RoundTrip(new Node { Value = 7 }))));
            with.Serialize(value, stream);
            Assert.Equal(bytes, stream.ToArray());
            Assert.True(stream.Calls > 0);
            var output = new ReentrantWriter(() => Assert.Equal(7, with.RoundTrip(new Node { Value = 7 }).Value));
            with.Serialize(value, output);
            Assert.Equal(bytes, output.Written);
        }

        Assert.Equal(expected, serializer.Serialize(new Leaf { Id = 1, Text = "text" }));
    }

    [Fact]
    public void A_value_serializer_that_swallows_a_failure_is_reported()
    {
        foreach (bool onRead in new[] { false, true })
        {
            Serializer serializer = Setup.Serializer(true, o => o with
            {
                Surrogates = [Fuse.Surrogate],
                ValueSerializerFactories = [ValueSerializerFactory.For(new Swallowing(onRead))],
            });
            byte[] payload = onRead ? serializer.Serialize(new Leaf()) : [];
            if (onRead)
            {
                // A tag that there is none of, deep in the value.
                payload[payload.AsSpan().IndexOf<byte>([0x15, 0x02, 0, 0, 0])] = 0x06;
            }

            Exception? failure = Record.Exception(() => onRead ? serializer.Deserialize<Leaf>(payload) : serializer.Serialize(new Leaf()));
            Assert.Contains(
                "Let the exception propagate", Assert.IsType<InvalidOperationException>(failure).Message, StringComparison.Ordinal);
            Assert.Equal(2, serializer.RoundTrip(new Node { Value = 2 }).Value);
        }
    }

    // With something that fails at one place; a whole message has an innocent object of the same size there.
    private static object[] Message(int failingAt, int size, int innocentAt = -1)
    {
        object[] parts =
        [
            new Leaf { Id = 1, Text = new string('x', size) },
            new Cat(),
            new Node { Value = size },
            new Dog(),
            new Point(),
            new Rich { Label = "r" },
            new Box<int>(),
            new int[size / 8],
        ];
        if (failingAt >= 0)
        {
            parts[failingAt] = new Node { Extra = new object[] { new Puppy(), new Fuse() } };
        }
        else if (innocentAt >= 0)
        {
            parts[innocentAt] = new Node { Extra = new object[] { new Puppy(), new Fuse { IsInnocent = true } } };
        }

        return parts;
    }

    private sealed class Fuse
    {
        public static readonly Exception Failure = new InvalidTimeZoneException("fuse");

        public static readonly Surrogate Surrogate =
            Surrogate.Create<Fuse, int>(fuse => fuse.IsInnocent ? 1 : throw Failure, _ => throw Failure);

        public bool IsInnocent { get; init; }
    }

    private sealed class Swallowing(bool onRead) : ValueSerializer<Leaf>
    {
        public override void Write(ref WireWriter writer, Leaf value)
        {
            try
            {
                writer.WriteValue<object>(onRead ? new Node { Extra = new object[] { 1, 2 } } : new Node { Extra = new Fuse() });
            }
            catch (InvalidTimeZoneException)
            {
                writer.WriteByte(1);
            }
        }

        public override Leaf Read(ref WireReader reader)
        {
            try
            {
                reader.ReadValue<object>();
            }
            catch (WireFormatException)
            {
                // What a value serializer must not do.
            }

            return new Leaf();
        }
    }

    /// <summary>Gives spans of one size, or of what is asked for, and says which were taken.</summary>
    private sealed class Windows(int size) : IBufferWriter<byte>
    {
        private readonly List<byte> _all = [];
        private byte[] _current = [];

        public List<(int Size, int Written)> Spans { get; } = [];

        public int Advances { get; private set; }

        public int Advanced => _all.Count;

        public byte[] Bytes => [.. _all];

        public void Advance(int count)
        {
            _all.AddRange(_current.AsSpan(0, count));
            Spans[^1] = (_current.Length, count);
            Advances++;
        }

        public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException();

        public Span<byte> GetSpan(int sizeHint = 0)
        {
            _current = new byte[Math.Max(size, sizeHint)];
            Spans.Add((_current.Length, 0));
            return _current;
        }
    }

    private sealed class FailingStream : MemoryStream
    {
        public IOException Failure { get; } = new("the disk is full");

        public override void Write(ReadOnlySpan<byte> buffer) => throw Failure;

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            ValueTask.FromException(Failure);
    }

    private sealed class BlockingStream : MemoryStream
    {
        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            await Task.Delay(Timeout.Infinite, cancellationToken);
    }

    private sealed class FailingWriter : IBufferWriter<byte>
    {
        public IOException Failure { get; } = new("no more");

        public bool InAdvance { get; set; }

        public void Advance(int count) => throw Failure;

        public Memory<byte> GetMemory(int sizeHint = 0) => throw Failure;

        public Span<byte> GetSpan(int sizeHint = 0) => InAdvance ? new byte[4096] : throw Failure;
    }

    private sealed class ReentrantStream(Action during) : MemoryStream
    {
        public int Calls { get; private set; }

        public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

        public override void Write(ReadOnlySpan<byte> buffer)
        {
            byte[] before = buffer.ToArray();
            Calls++;
            during();
            Assert.Equal(before, buffer.ToArray());
            base.Write(before, 0, before.Length);
        }
    }

    private sealed class ReentrantWriter(Action during) : IBufferWriter<byte>
    {
        private readonly ArrayBufferWriter<byte> _inner = new();

        public byte[] Written => _inner.WrittenSpan.ToArray();

        public void Advance(int count)
        {
            during();
            _inner.Advance(count);
        }

        public Memory<byte> GetMemory(int sizeHint = 0) => _inner.GetMemory(sizeHint);

        public Span<byte> GetSpan(int sizeHint = 0)
        {
            during();
            return _inner.GetSpan(sizeHint);
        }
    }
}
