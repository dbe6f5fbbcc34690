using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using System.Threading.Channels;
using static Wire.Tests.Behaviour.Frames.FrameModel;

namespace Wire.Tests.Behaviour.Frames;

/// <summary>Many frames per flush: none is held back, and failures lose nothing that came before.</summary>
public sealed class FrameSendingTests
{
    private const int Many = 10_000;

    public enum Stop
    {
        Cancelled,
        ReaderCompletes,
        ReaderFails,
        StreamThrows,
    }

    private readonly Serializer _serializer = Make();

    [Fact]
    public async Task Many_messages_go_out_in_few_writes()
    {
        var stream = new CountingStream();
        await _serializer.SerializeAllFramedAsync(Letters(Many), stream);
        var asynchronous = new CountingStream();
        await _serializer.SerializeAllFramedAsync(Letters(Many).ToAsyncEnumerable(), asynchronous);
        Assert.Equal(stream.ToArray(), asynchronous.ToArray());
        Assert.InRange(stream.Writes, 2, (int)(stream.Length / 32_768) + 1);
        Assert.Equal(stream.Writes, asynchronous.Writes);
        Assert.Equal(stream.Writes, stream.Flushes);
        await AssertArrivedAsync(stream, Many);
        var nothing = new CountingStream();
        await _serializer.SerializeAllFramedAsync(Letters(0), nothing);
        Assert.Equal((0, 0), (nothing.Writes, nothing.Flushes));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task No_message_is_held_back_while_the_source_waits(bool inSession)
    {
        using SerializerSession? writing = inSession ? _serializer.GetSerializerSession() : null;
        using DeserializerSession? reading = inSession ? _serializer.GetDeserializerSession() : null;
        var source = Channel.CreateUnbounded<Letter>();
        var pipe = new Pipe();
        IAsyncEnumerable<Letter> letters = source.Reader.ReadAllAsync();
        Task<FlushResult> sending = writing is null
            ? _serializer.SerializeAllFramedAsync(letters, pipe.Writer).AsTask()
            : _serializer.SerializeAllFramedAsync(letters, pipe.Writer, writing).AsTask();
        for (int i = 0; i < 100; i++)
        {
            // The next one is written when this one has arrived.
            await source.Writer.WriteAsync(new Transfer { Cents = i });
            Letter? letter = await (reading is null
                ? _serializer.DeserializeFramedAsync<Letter>(pipe.Reader)
                : _serializer.DeserializeFramedAsync<Letter>(pipe.Reader, reading));
            Assert.Equal(i, Assert.IsType<Transfer>(letter).Cents);
        }

        source.Writer.Complete();
        Assert.False((await sending).IsCompleted);
    }

    [Fact]
    public async Task A_pipe_whose_reader_is_slow_holds_the_source_up_and_ends_it_when_completed()
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 1 << 16, resumeWriterThreshold: 1 << 15));
        int taken = 0;
        bool isEnded = false;
        Task<FlushResult> sending = _serializer.SerializeAllFramedAsync(Endless(), pipe.Writer).AsTask();
        Assert.False(sending.IsCompleted);
        int before = taken;
        Assert.InRange(before, 100, (1 << 17) / 8);
        ReadResult read = await pipe.Reader.ReadAsync();
        Assert.InRange(read.Buffer.Length, 1 << 16, 1 << 17);
        pipe.Reader.AdvanceTo(read.Buffer.Start);
        Assert.Equal(before, taken);
        await pipe.Reader.CompleteAsync();
        Assert.True((await sending).IsCompleted);
        Assert.True(isEnded);

        IEnumerable<Letter> Endless()
        {
            try
            {
                while (true)
                {
                    yield return new Transfer { Cents = taken++ };
                }
            }
            finally
            {
                isEnded = true;
            }
        }
    }

    [Fact]
    public async Task A_cancelled_flush_keeps_what_was_written_in_the_pipe()
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 1 << 15, resumeWriterThreshold: 1 << 14));
        using SerializerSession writing = _serializer.GetSerializerSession();
        using DeserializerSession reading = _serializer.GetDeserializerSession();
        Task<FlushResult> sending = _serializer.SerializeAllFramedAsync(Letters(Many), pipe.Writer, writing).AsTask();
        pipe.Writer.CancelPendingFlush();
        Assert.True((await sending).IsCanceled);
        _serializer.SerializeFramed<Letter>(new Refund { Cents = -1 }, pipe.Writer, writing);
        await pipe.Writer.CompleteAsync();
        int count = 0;
        await foreach (Letter? letter in _serializer.DeserializeAllFramedAsync<Letter>(pipe.Reader, reading))
        {
            if (letter is Refund)
            {
                Assert.InRange(count, 100, Many - 1);
                return;
            }

            Assert.Equal(count++, letter!.Cents);
        }

        Assert.Fail("The last one has not arrived.");
    }

    // The value that the source gives while the flush waits has been taken: nobody else would write it.
    [Fact]
    public async Task A_value_that_comes_while_a_flush_waits_is_in_the_pipe_when_the_flush_is_cancelled()
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 10, resumeWriterThreshold: 5));
        var source = Channel.CreateUnbounded<Letter>();
        await source.Writer.WriteAsync(new Transfer { Cents = 0 });
        Task<FlushResult> sending = _serializer.SerializeAllFramedAsync(source.Reader.ReadAllAsync(), pipe.Writer).AsTask();
        await source.Writer.WriteAsync(new Transfer { Cents = 1 });
        await source.Writer.WriteAsync(new Transfer { Cents = 2 });
        pipe.Writer.CancelPendingFlush();
        Assert.True((await sending).IsCanceled);
        List<int> left = [];
        while (source.Reader.TryRead(out Letter? letter))
        {
            left.Add(letter.Cents);
        }

        await pipe.Writer.CompleteAsync();
        List<int> sent = [];
        await foreach (Letter? letter in _serializer.DeserializeAllFramedAsync<Letter>(pipe.Reader))
        {
            sent.Add(letter!.Cents);
        }

        Assert.Equal([0, 1, 2], [.. sent, .. left]);
        Assert.NotEmpty(left);
    }

    [Fact]
    public async Task A_token_that_is_cancelled_when_a_value_has_come_loses_no_value()
    {
        using var cancel = new CancellationTokenSource();
        var pipe = new Pipe();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await _serializer.SerializeAllFramedAsync(Values(), pipe.Writer, cancel.Token));
        await pipe.Writer.CompleteAsync();
        Assert.Equal(1, (await _serializer.DeserializeFramedAsync<Letter>(pipe.Reader))!.Cents);
        Assert.False((await _serializer.TryDeserializeFramedAsync<Letter>(pipe.Reader)).Found);

        async IAsyncEnumerable<Letter> Values()
        {
            await cancel.CancelAsync();
            yield return new Transfer { Cents = 1 };
            yield return new Transfer { Cents = 2 };
        }
    }

    [Fact]
    public async Task A_value_that_was_taken_while_frames_were_sent_is_sent_though_the_token_is_cancelled_by_then()
    {
        using var cancel = new CancellationTokenSource();
        using SerializerSession writing = _serializer.GetSerializerSession();
        var source = Channel.CreateUnbounded<Letter>();
        var stream = new HeldStream();
        source.Writer.TryWrite(new Refund { Cents = 0 });
        Task sending = _serializer.SerializeAllFramedAsync(source.Reader.ReadAllAsync(), stream, writing, cancel.Token).AsTask();
        source.Writer.TryWrite(new Transfer { Cents = 1 });
        SpinWait.SpinUntil(() => source.Reader.Count == 0);
        source.Writer.TryWrite(new Transfer { Cents = 2 });
        await cancel.CancelAsync();
        stream.Go.SetResult();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sending);

        Assert.True(source.Reader.TryRead(out Letter? left));
        Assert.Equal(2, left.Cents);
        await _serializer.SerializeFramedAsync(left, stream, writing);
        await AssertArrivedAsync(stream, 3, isInSession: true);
    }

    // It takes the two seconds that the stream gets.
    [Fact]
    public async Task A_stream_that_takes_nothing_does_not_hold_up_a_cancelled_token()
    {
        using var cancel = new CancellationTokenSource();
        using SerializerSession writing = _serializer.GetSerializerSession();
        Task sending = _serializer.SerializeAllFramedAsync(Values(), new StalledStream(), writing, cancel.Token).AsTask();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sending.WaitAsync(TimeSpan.FromSeconds(30)));
        Assert.True(sending.IsCanceled || sending.IsFaulted);
        await Assert.ThrowsAsync<InvalidOperationException>(
            async () => await _serializer.SerializeFramedAsync(new Transfer(), new MemoryStream(), writing));

        async IAsyncEnumerable<Letter> Values()
        {
            yield return new Transfer { Cents = 1 };
            await cancel.CancelAsync();
            yield return new Transfer { Cents = 2 };
        }
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(false, false)]
    public async Task What_was_taken_before_the_token_was_cancelled_is_whole_and_the_session_goes_on(bool inPipe, bool atTheEnd)
    {
        using var cancel = new CancellationTokenSource();
        using SerializerSession writing = _serializer.GetSerializerSession();
        var stream = new MemoryStream();
        var pipe = new Pipe();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () =>
        {
            if (inPipe)
            {
                await _serializer.SerializeAllFramedAsync(Values(), pipe.Writer, writing, cancel.Token);
            }
            else
            {
                await _serializer.SerializeAllFramedAsync(Values(), stream, writing, cancel.Token);
            }
        });
        if (inPipe)
        {
            await _serializer.SerializeFramedAsync<Letter>(new Transfer { Cents = 2 }, pipe.Writer, writing);
            await pipe.Writer.CompleteAsync();
            await pipe.Reader.CopyToAsync(stream);
        }
        else
        {
            await _serializer.SerializeFramedAsync<Letter>(new Transfer { Cents = 2 }, stream, writing);
        }

        await AssertArrivedAsync(stream, 3, isInSession: true);

        IEnumerable<Letter> Values()
        {
            yield return new Refund { Cents = 0 };
            if (!atTheEnd)
            {
                cancel.Cancel();
            }

            yield return new Transfer { Cents = 1 };
            cancel.Cancel();
            if (!atTheEnd)
            {
                yield return new Transfer { Cents = -1 };
            }
        }
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task What_came_before_a_failure_arrives_and_the_session_goes_on(bool inPipe, bool sourceFails)
    {
        var stream = new MemoryStream();
        PipeWriter pipe = PipeWriter.Create(stream, new StreamPipeWriterOptions(leaveOpen: true));
        using SerializerSession writing = _serializer.GetSerializerSession();
        for (int round = 0; round < 3; round++)
        {
            IEnumerable<Letter> letters = Failing(round * 10);
            Exception failure = (await Record.ExceptionAsync(async () =>
            {
                if (inPipe)
                {
                    await _serializer.SerializeAllFramedAsync(letters, pipe, writing);
                }
                else
                {
                    await _serializer.SerializeAllFramedAsync(letters, stream, writing);
                }
            }))!;
            Assert.IsType(sourceFails ? typeof(InvalidTimeZoneException) : typeof(UnsupportedTypeException), failure);
        }

        await AssertArrivedAsync(stream, 30, isInSession: true);

        IEnumerable<Letter> Failing(int first)
        {
            for (int i = first; i < first + 10; i++)
            {
                yield return i % 3 == 0 ? new Refund { Cents = i } : new Transfer { Cents = i };
            }

            yield return sourceFails ? throw new InvalidTimeZoneException() : new Unwritable();
        }
    }

    [Theory]
    [InlineData(Stop.Cancelled, true)]
    [InlineData(Stop.Cancelled, false)]
    [InlineData(Stop.ReaderCompletes, true)]
    [InlineData(Stop.ReaderCompletes, false)]
    [InlineData(Stop.ReaderFails, true)]
    [InlineData(Stop.ReaderFails, false)]
    [InlineData(Stop.StreamThrows, true)]
    [InlineData(Stop.StreamThrows, false)]
    public async Task One_value_at_most_is_taken_while_a_flush_waits_and_a_cancelled_flush_keeps_it(Stop stop, bool withToken)
    {
        var source = Channel.CreateUnbounded<Letter>();
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 10, resumeWriterThreshold: 5));
        using var stream = new WaitingStream();
        IAsyncEnumerable<Letter> values = withToken ? source.Reader.ReadAllAsync() : Ignoring();
        source.Writer.TryWrite(new Transfer { Cents = 1 });
        Task<FlushResult> sending = stop is Stop.StreamThrows
            ? ToStreamAsync()
            : _serializer.SerializeAllFramedAsync(values, pipe.Writer).AsTask();
        source.Writer.TryWrite(new Transfer { Cents = 2 });
        SpinWait.SpinUntil(() => source.Reader.Count == 0);
        source.Writer.TryWrite(new Transfer { Cents = 3 });
        switch (stop)
        {
            case Stop.Cancelled:
                pipe.Writer.CancelPendingFlush();
                Assert.True((await sending).IsCanceled);
                await pipe.Writer.CompleteAsync();
                List<int> arrived = [];
                await foreach (Letter? letter in _serializer.DeserializeAllFramedAsync<Letter>(pipe.Reader))
                {
                    arrived.Add(letter!.Cents);
                }

                Assert.Equal([1, 2], arrived);
                break;
            case Stop.ReaderCompletes:
                await pipe.Reader.CompleteAsync();
                Assert.True((await sending).IsCompleted);
                break;
            case Stop.ReaderFails:
                await pipe.Reader.CompleteAsync(new InvalidTimeZoneException());
                await Assert.ThrowsAsync<InvalidTimeZoneException>(() => sending);
                break;
            default:
                stream.Failure.SetException(new IOException("the connection is gone"));
                await Assert.ThrowsAsync<IOException>(() => sending);
                break;
        }

        Assert.True(source.Reader.TryRead(out Letter? rest));
        Assert.Equal(3, rest.Cents);
        Assert.False(source.Reader.TryRead(out _));

        async Task<FlushResult> ToStreamAsync()
        {
            await _serializer.SerializeAllFramedAsync(values, stream);
            return default;
        }

        async IAsyncEnumerable<Letter> Ignoring()
        {
            while (await source.Reader.WaitToReadAsync())
            {
                yield return await source.Reader.ReadAsync();
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_source_that_is_cancelled_in_time_keeps_its_values(bool isCancelled)
    {
        var source = Channel.CreateUnbounded<Letter>();
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 10, resumeWriterThreshold: 5));
        source.Writer.TryWrite(new Transfer { Cents = 1 });
        Task<FlushResult> sending = _serializer.SerializeAllFramedAsync(source.Reader.ReadAllAsync(), pipe.Writer).AsTask();
        if (isCancelled)
        {
            pipe.Writer.CancelPendingFlush();
        }
        else
        {
            await pipe.Reader.CompleteAsync();
        }

        FlushResult result = await sending;
        Assert.Equal((isCancelled, !isCancelled), (result.IsCanceled, result.IsCompleted));
        source.Writer.TryWrite(new Transfer { Cents = 2 });
        Assert.True(source.Reader.TryRead(out Letter? rest));
        Assert.Equal(2, rest.Cents);
    }

    [Fact]
    public async Task A_stream_that_fails_ends_the_session_and_the_source()
    {
        using SerializerSession writing = _serializer.GetSerializerSession();
        bool isEnded = false;
        await Assert.ThrowsAsync<IOException>(
            async () => await _serializer.SerializeAllFramedAsync(Waiting(CancellationToken.None), new BrokenStream(), writing));
        Assert.True(isEnded);
        Assert.Throws<InvalidOperationException>(() => _serializer.Serialize(1, writing));

        async IAsyncEnumerable<Letter> Waiting([EnumeratorCancellation] CancellationToken cancellationToken)
        {
            try
            {
                yield return new Transfer();
                await Task.Delay(Timeout.Infinite, cancellationToken);
            }
            finally
            {
                isEnded = true;
            }
        }
    }

    [Fact]
    public async Task A_cancelled_token_ends_the_wait_and_leaves_the_session_when_nothing_waits()
    {
        using SerializerSession writing = _serializer.GetSerializerSession();
        using var cancel = new CancellationTokenSource();
        var source = Channel.CreateUnbounded<Letter>();
        var pipe = new Pipe();
        Task sending = _serializer.SerializeAllFramedAsync(source.Reader.ReadAllAsync(), pipe.Writer, writing, cancel.Token).AsTask();
        await source.Writer.WriteAsync(new Transfer { Cents = 5 });
        using DeserializerSession reading = _serializer.GetDeserializerSession();
        Assert.Equal(5, (await _serializer.DeserializeFramedAsync<Letter>(pipe.Reader, reading))!.Cents);
        await cancel.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => sending);
        await _serializer.SerializeFramedAsync<Letter>(new Transfer { Cents = 6 }, pipe.Writer, writing);
        Assert.Equal(6, (await _serializer.DeserializeFramedAsync<Letter>(pipe.Reader, reading))!.Cents);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await _serializer.SerializeAllFramedAsync(Letters(3), new MemoryStream(), new CancellationToken(true)));
    }

    private static IEnumerable<Letter> Letters(int count) => Enumerable.Range(0, count).Select(i => new Transfer { Cents = i });

    private async Task AssertArrivedAsync(MemoryStream stream, int count, bool isInSession = false)
    {
        stream.Position = 0;
        using DeserializerSession reading = _serializer.GetDeserializerSession();
        int next = 0;
        await foreach (Letter? letter in isInSession
            ? _serializer.DeserializeAllFramedAsync<Letter>(stream, reading)
            : _serializer.DeserializeAllFramedAsync<Letter>(stream))
        {
            Assert.Equal(next, letter!.Cents);
            Assert.IsType(isInSession && next % 3 == 0 ? typeof(Refund) : typeof(Transfer), letter);
            next++;
        }

        Assert.Equal(count, next);
    }

    private sealed class CountingStream : MemoryStream
    {
        public int Writes { get; private set; }

        public int Flushes { get; private set; }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Writes++;
            return base.WriteAsync(buffer, cancellationToken);
        }

        public override Task FlushAsync(CancellationToken cancellationToken)
        {
            Flushes++;
            return base.FlushAsync(cancellationToken);
        }
    }

    private sealed class HeldStream : MemoryStream
    {
        public TaskCompletionSource Go { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            cancellationToken.ThrowIfCancellationRequested();
            await Go.Task;
            await base.WriteAsync(buffer, CancellationToken.None);
        }

        public override Task FlushAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }

    private sealed class StalledStream : MemoryStream
    {
        public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            await Task.Delay(Timeout.Infinite, cancellationToken);
    }

    private sealed class WaitingStream : MemoryStream
    {
        public TaskCompletionSource Failure { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            new(Failure.Task);
    }

    private sealed class BrokenStream : MemoryStream
    {
        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            throw new IOException("the connection is gone");
    }
}
