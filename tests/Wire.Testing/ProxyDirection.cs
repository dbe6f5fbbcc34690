using System.Buffers;

namespace Wire.Testing;

/// <summary>What a <see cref="FaultProxy"/> does with the bytes that go in one direction, over all its connections together.</summary>
public sealed class ProxyDirection
{
    private readonly Lock _lock = new();
    private TaskCompletionSource? _pause;
    private Limit? _limit;
    private ArrayBufferWriter<byte>? _record;
    private long _bytes;

    /// <summary>How many bytes were forwarded: counted before they are, so that none is missing that somebody has seen.</summary>
    public long Bytes
    {
        get
        {
            lock (_lock)
            {
                return _bytes;
            }
        }
    }

    /// <summary>What was forwarded since <see cref="Record"/>.</summary>
    public byte[] Recorded
    {
        get
        {
            lock (_lock)
            {
                return _record is null ? [] : _record.WrittenSpan.ToArray();
            }
        }
    }

    /// <summary>Keeps what is forwarded from now on, of all connections in a row.</summary>
    public void Record()
    {
        lock (_lock)
        {
            _record = new ArrayBufferWriter<byte>();
        }
    }

    /// <summary>Holds back what is not yet on its way, until <see cref="Resume"/>. The connections stay.</summary>
    public void Pause()
    {
        lock (_lock)
        {
            _pause ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }
    }

    public void Resume()
    {
        lock (_lock)
        {
            _pause?.SetResult();
            _pause = null;
        }
    }

    /// <summary>
    /// Forwards so many more bytes and then cuts all connections, once. A number replaces that of an earlier call.
    /// </summary>
    /// <returns>What ends when they are cut.</returns>
    public Task CutAfter(long bytes, Cut how)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        var cut = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
        {
            _limit = new Limit(bytes, how, cut);
        }

        return cut.Task;
    }

    /// <summary>What ends as soon as bytes may go on.</summary>
    internal Task MayPass()
    {
        lock (_lock)
        {
            return _pause?.Task ?? Task.CompletedTask;
        }
    }

    /// <summary>How many of these bytes are forwarded, and the limit that the rest is beyond.</summary>
    internal (int Forwarded, Limit? Reached) Take(ReadOnlySpan<byte> bytes)
    {
        int count = bytes.Length;
        lock (_lock)
        {
            Limit? reached = null;
            if (_limit is { } limit)
            {
                if (count > limit.Bytes)
                {
                    count = (int)limit.Bytes;
                    reached = limit;
                    _limit = null;
                }
                else
                {
                    _limit = limit with { Bytes = limit.Bytes - count };
                }
            }

            _bytes += count;
            _record?.Write(bytes[..count]);
            return (count, reached);
        }
    }

    /// <summary>How many bytes are still forwarded, how connections are cut then, and what is told of it.</summary>
    internal sealed record Limit(long Bytes, Cut How, TaskCompletionSource Done);
}

/// <summary>How a connection ends.</summary>
public enum Cut
{
    /// <summary>Both ends are told that nothing more comes (FIN), after what was forwarded.</summary>
    Finish,

    /// <summary>Both ends are told that there is no connection (RST).</summary>
    Reset,
}
