using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using static Wire.Tests.Behaviour.AsyncSequences.SequenceModel;

namespace Wire.Tests.Behaviour.AsyncSequences;

/// <summary>
/// Async sequences are sent as their elements come; where they cannot be, that is said, and what was sent is not taken for whole.
/// </summary>
public sealed class SequenceWritingTests
{
    private readonly Serializer _serializer = Make();

    [Fact]
    public async Task An_element_is_there_before_the_next_one()
    {
        var pipe = new Pipe();
        var given = new SemaphoreSlim(0);
        Task writing = _serializer.SerializeAsync(GiveAsync(given), pipe.Writer).AsTask();

        await using IAsyncEnumerator<int> elements = _serializer.DeserializeElementsAsync<int>(pipe.Reader).GetAsyncEnumerator();
        for (int i = 0; i < 3; i++)
        {
            given.Release();
            Assert.True(await elements.MoveNextAsync());
            Assert.Equal(i, elements.Current);
        }

        given.Release();
        Assert.False(await elements.MoveNextAsync());
        await writing;
    }

    [Fact]
    public async Task A_slow_reader_holds_the_source_up()
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 1 << 16, resumeWriterThreshold: 1 << 15));
        int taken = 0;
        Task writing = _serializer.SerializeAsync(Count(), pipe.Writer).AsTask();
        await Task.WhenAny(writing, Task.Delay(300));

        // Two flushes of 32 KiB fill the pipe.
        Assert.InRange(Volatile.Read(ref taken), 100, 400);
        Assert.Equal(2000, await _serializer.DeserializeElementsAsync<byte[]>(pipe.Reader).CountAsync());
        await writing;

        async IAsyncEnumerable<byte[]> Count()
        {
            for (int i = 0; i < 2000; i++)
            {
                Interlocked.Increment(ref taken);
                yield return new byte[256];
            }

            await Task.CompletedTask;
        }
    }

    [Fact]
    public async Task A_source_that_throws_leaves_what_is_refused()
    {
        var stream = new MemoryStream();

        await Assert.ThrowsAsync<TimeoutException>(() => _serializer.SerializeAsync(Failing(), stream).AsTask());

        byte[] bytes = stream.ToArray();
        var read = new List<int>();
        WireFormatException error = await Assert.ThrowsAsync<WireFormatException>(async () =>
        {
            await foreach (int number in _serializer.DeserializeElementsAsync<int>(Trickle(bytes, 9)))
            {
                read.Add(number);
            }
        });
        Assert.Equal([0, 1], read);
        Assert.Equal(WireFormatError.Frame, error.Error);
        Assert.Equal(
            WireFormatError.Truncated, Assert.Throws<WireFormatException>(() => _serializer.Deserialize<object>(bytes)).Error);

        static async IAsyncEnumerable<int> Failing()
        {
            await Task.Yield();
            yield return 0;
            yield return 1;
            throw new TimeoutException();
        }
    }

    [Fact]
    public void A_call_without_an_await_names_the_member()
    {
        foreach (Action<Report> write in new Action<Report>[]
        {
            report => _serializer.Serialize(report),
            report => _serializer.Serialize(report, new MemoryStream()),
            report => _serializer.SerializeTyped(report),
            report => _serializer.Clone(report),
        })
        {
            var error = Assert.Throws<UnsupportedTypeException>(() => write(MakeReport()));
            Assert.Equal("Lines", error.MemberPath);
            Assert.Contains("SerializeAsync", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task A_sequence_inside_of_an_element_is_refused_with_its_place()
    {
        var error = await Assert.ThrowsAsync<UnsupportedTypeException>(() => _serializer.WriteAsync(Source([MakeReport()])));

        Assert.Equal("Lines", error.MemberPath);
        Assert.Contains("Inside of an element of another sequence", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_reader_that_has_gone_ends_the_call_and_the_source()
    {
        var pipe = new Pipe();
        bool hasEnded = false;
        await pipe.Reader.CompleteAsync();

        await _serializer.SerializeAsync(Endless(), pipe.Writer);

        Assert.False(hasEnded);
        pipe = new Pipe();
        Task writing = _serializer.SerializeAsync(Endless(), pipe.Writer).AsTask();
        Assert.Equal([1, 1], await _serializer.DeserializeElementsAsync<int>(pipe.Reader).Take(2).ToListAsync());
        await pipe.Reader.CompleteAsync();
        await writing;
        Assert.True(hasEnded);

        async IAsyncEnumerable<int> Endless()
        {
            try
            {
                while (true)
                {
                    await Task.Yield();
                    yield return 1;
                }
            }
            finally
            {
                hasEnded = true;
            }
        }
    }

    [Fact]
    public async Task A_cancelled_call_leaves_what_is_refused()
    {
        using var stop = new CancellationTokenSource();
        var stream = new MemoryStream();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _serializer.SerializeAsync(Until(stop), stream, stop.Token).AsTask());

        await Assert.ThrowsAsync<WireFormatException>(
            () => _serializer.DeserializeElementsAsync<int>(Trickle(stream.ToArray(), 9)).ToListAsync().AsTask());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => _serializer.SerializeAsync(Source(Numbers), stream, new CancellationToken(canceled: true)).AsTask());

        static async IAsyncEnumerable<int> Until(
            CancellationTokenSource stop, [EnumeratorCancellation] CancellationToken cancellationToken = default)
        {
            yield return 1;
            await stop.CancelAsync();
            await Task.Delay(Timeout.Infinite, cancellationToken);
        }
    }

    [Fact]
    public async Task Limits_are_those_of_each_element()
    {
        Serializer small = Make(
            change: options => options with { Limits = Limits.Default with { MaxFrameBytes = 200, MaxObjects = 3, MaxBytes = 300 } });
        byte[] bytes = await small.WriteAsync(Source(Lines));

        Assert.InRange(bytes.Length, 301, int.MaxValue);
        Assert.Equal(Lines, await small.DeserializeElementsAsync<Line>(Trickle(bytes, 9)).ToListAsync());
        await Assert.ThrowsAsync<ArgumentException>(() => small.WriteAsync(Source([new byte[200]])));
        byte[] large = await _serializer.WriteAsync(Source([new byte[2], new byte[200]]));
        WireFormatException error = await Assert.ThrowsAsync<WireFormatException>(
            () => small.DeserializeElementsAsync<byte[]>(Trickle(large, 9)).ToListAsync().AsTask());
        Assert.Equal(WireFormatError.Limit, error.Error);
        await Assert.ThrowsAsync<ArgumentException>(() => small.WriteAsync(new object[] { new byte[200], Source(Numbers) }));
    }

    private static async IAsyncEnumerable<int> GiveAsync(SemaphoreSlim given)
    {
        for (int i = 0; i < 3; i++)
        {
            await given.WaitAsync();
            yield return i;
        }

        await given.WaitAsync();
    }
}
