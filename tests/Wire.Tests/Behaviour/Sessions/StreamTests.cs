using System.Buffers;
using System.IO.Pipelines;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Hostile.Fuzzing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Sessions;

/// <summary>Streams, buffer writers and frames.</summary>
public class StreamTests
{
    private static readonly Serializer Wire = Setup.Serializer(true);

    /// <summary>A connection: it cannot seek, gives a byte at a time, and fails where it would block.</summary>
    private sealed class Connection(byte[] bytes, int step) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;

        // The base class calls it for spans too.
        public override int Read(byte[] buffer, int offset, int count) => Position == Length
            ? throw new TimeoutException("Nothing more comes: this read would block.")
            : base.Read(buffer, offset, Math.Min(step, count));
    }

    private sealed class Broken
    {
        public Leaf A = new();
        public Action? B = () => { };
    }

    [Fact]
    public void A_stream_is_left_right_behind_the_value()
    {
        var stream = new MemoryStream();
        object[] values = [1, Poco.Sample(), new string('x', 100_000), new int[50_000], new Leaf { Text = "\u4F60" }];
        var ends = new List<long>();
        foreach (object value in values)
        {
            Wire.Serialize(value, stream);
            ends.Add(stream.Position);
        }

        foreach (Stream source in new Stream[]
        {
            new MemoryStream(stream.ToArray()),
            new SeekableStream(stream.ToArray()),
            stream,
            new Connection(stream.ToArray(), 1),
            new Connection(stream.ToArray(), 4096),
        })
        {
            source.Seek(0, SeekOrigin.Begin);
            for (int i = 0; i < values.Length; i++)
            {
                GraphAssert.Same(values[i], Wire.Deserialize<object>(source), true);
                Assert.Equal(ends[i], source.Position);
            }
        }
    }

    [Fact]
    public void A_cut_stream_is_a_format_error()
    {
        byte[] payload = Wire.Serialize(Corpus.FullBag());
        for (int length = 0; length < payload.Length; length += 3)
        {
            Assert.ThrowsAny<WireFormatException>(() => Wire.Deserialize<Bag>(new SeekableStream(payload, 0, length)));
            Assert.ThrowsAny<WireFormatException>(() => Wire.Deserialize<Bag>(new MemoryStream(payload, 0, length)));
        }
    }

    [Fact]
    public void A_sequence_may_be_cut_anywhere()
    {
        Bag bag = Corpus.FullBag();
        byte[] payload = Wire.Serialize(bag);
        for (int cut = 0; cut <= payload.Length; cut++)
        {
            GraphAssert.Same(bag, Wire.Deserialize<Bag>(Sequence(payload[..cut], payload[cut..])), false);
        }

        GraphAssert.Same(bag, Wire.Deserialize<Bag>(Sequence([.. payload.Select(b => new[] { b })])), false);
    }

    [Fact]
    public void A_failed_value_leaves_buffer_writers_and_streams_untouched()
    {
        var output = new ArrayBufferWriter<byte>();
        Assert.Throws<UnsupportedTypeException>(() => Wire.Serialize(new Broken(), output));
        Assert.Equal(0, output.WrittenCount);
        var stream = new MemoryStream();
        Assert.Throws<UnsupportedTypeException>(() => Wire.Serialize(new Broken(), stream));
        Assert.Equal(0, stream.Length);
    }

    [Fact]
    public async Task Frames_round_trip_over_streams_and_pipes()
    {
        var stream = new MemoryStream();
        using SerializerSession writing = Wire.GetSerializerSession();
        using DeserializerSession reading = Wire.GetDeserializerSession();
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 0));
        for (int i = 0; i < 20; i++)
        {
            await Wire.SerializeFramedAsync(new Leaf { Id = i, Text = new string('x', i * 9000) }, stream, writing);
            await Wire.SerializeFramedAsync(new Leaf { Id = i }, pipe.Writer);
        }

        await pipe.Writer.CompleteAsync();
        stream.Position = 0;
        Assert.Equal(0, (await Wire.DeserializeFramedAsync<Leaf>(stream, reading))!.Id);
        long next = 1;
        await foreach (Leaf? leaf in Wire.DeserializeAllFramedAsync<Leaf>(stream, reading))
        {
            Assert.Equal(next, leaf!.Id);
            Assert.Equal(next++ * 9000, leaf.Text!.Length);
        }

        Assert.Equal(20, next);
        Assert.Equal(0, (await Wire.DeserializeFramedAsync<Leaf>(pipe.Reader))!.Id);
        next = 1;
        await foreach (Leaf? leaf in Wire.DeserializeAllFramedAsync<Leaf>(pipe.Reader))
        {
            Assert.Equal(next++, leaf!.Id);
        }

        Assert.Equal(20, next);
        Assert.Equal(
            WireFormatError.EndOfStream,
            (await Assert.ThrowsAsync<WireFormatException>(() => Wire.DeserializeFramedAsync<Leaf>(stream).AsTask())).Error);
    }

    [Fact]
    public async Task Cut_and_oversized_frames_are_format_errors()
    {
        var stream = new MemoryStream();
        await Wire.SerializeFramedAsync(new Leaf { Text = "text" }, stream);
        byte[] frame = stream.ToArray();
        for (int length = 0; length < frame.Length; length++)
        {
            byte[] cut = frame[..length];
            var error =
                await Assert.ThrowsAsync<WireFormatException>(() => Wire.DeserializeFramedAsync<Leaf>(new MemoryStream(cut)).AsTask());
            Assert.Equal(length == 0 ? WireFormatError.EndOfStream : WireFormatError.Frame, error.Error);
            PipeReader pipe = PipeReader.Create(new ReadOnlySequence<byte>(cut));
            error = await Assert.ThrowsAsync<WireFormatException>(() => Wire.DeserializeFramedAsync<Leaf>(pipe).AsTask());
            Assert.Equal(length == 0 ? WireFormatError.EndOfStream : WireFormatError.Frame, error.Error);
        }

        Serializer small = Setup.Serializer(true, o => o with { Limits = Limits.Default with { MaxFrameBytes = 20 } });
        Assert.Equal(WireFormatError.Limit, (await Assert.ThrowsAsync<WireFormatException>(
            () => small.DeserializeFramedAsync<Leaf>(new MemoryStream(frame)).AsTask())).Error);
        Assert.Equal(WireFormatError.Limit, (await Assert.ThrowsAsync<WireFormatException>(
            () => Wire.DeserializeFramedAsync<Leaf>(new MemoryStream([255, 255, 255, 255])).AsTask())).Error);
        var target = new MemoryStream();
        using SerializerSession writing = small.GetSerializerSession();
        await Assert.ThrowsAsync<ArgumentException>(async () => await small.SerializeFramedAsync(Poco.Sample(), target, writing));
        Assert.Equal(0, target.Length);
        Assert.Equal(SessionPayload.First(Wire, new Leaf()), small.Serialize(new Leaf(), writing));
    }

    [Fact]
    public async Task Cancellation_comes_through()
    {
        var cancelled = new CancellationToken(canceled: true);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Wire.SerializeFramedAsync(1, new MemoryStream(), cancelled));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await Wire.DeserializeFramedAsync<int>(new MemoryStream([1]), cancelled));
        var pipe = new Pipe();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await Wire.SerializeFramedAsync(1, pipe.Writer, cancelled));
        using var later = new CancellationTokenSource();
        Task<int> waiting = Wire.DeserializeFramedAsync<int>(pipe.Reader, later.Token).AsTask();
        later.Cancel();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
        waiting = Wire.DeserializeFramedAsync<int>(pipe.Reader).AsTask();
        pipe.Reader.CancelPendingRead();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);

        // A frame that arrives in pieces afterwards is still read.
        await Wire.SerializeFramedAsync(77, pipe.Writer);
        Assert.Equal(77, await Wire.DeserializeFramedAsync<int>(pipe.Reader));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            await foreach (int _ in Wire.DeserializeAllFramedAsync<int>(pipe.Reader).WithCancellation(cancelled))
            {
            }
        });
    }

    private static ReadOnlySequence<byte> Sequence(params byte[][] parts)
    {
        var first = new Segment(parts[0], null);
        Segment last = first;
        foreach (byte[] part in parts.Skip(1))
        {
            last = new Segment(part, last);
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(byte[] bytes, Segment? before)
        {
            Memory = bytes;
            if (before is not null)
            {
                before.Next = this;
                RunningIndex = before.RunningIndex + before.Memory.Length;
            }
        }
    }
}
