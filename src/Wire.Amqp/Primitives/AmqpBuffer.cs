using System.Buffers;

namespace Wire.Amqp;

/// <summary>
/// What a transport sends from: bytes in pooled segments that never move, so that a length can be filled in when what it counts has
/// been written. Whatever takes an <see cref="IBufferWriter{T}"/> can write to it.
/// </summary>
/// <remarks>
/// Send <see cref="Written"/>, then <see cref="Clear"/>. In steady state nothing is allocated, and the memory kept is bounded by
/// <see cref="RetainedBytes"/>. Not thread-safe: one writer at a time.
/// </remarks>
public sealed class AmqpBuffer : IBufferWriter<byte>, IDisposable
{
    /// <summary>How many bytes of cleared segments are kept for the next messages: 1 MiB. More go back to the pool.</summary>
    public const int RetainedBytes = 1 << 20;

    private const int SegmentSize = 1 << 16;

    // The segments in use, and those that were.
    private MemorySegment? _first;
    private MemorySegment? _last;
    private readonly Stack<MemorySegment> _spare = [];

    // How much of the last segment is filled.
    private int _position;
    private int _spareBytes;
    private bool _disposed;

    /// <summary>How many bytes have been written since the buffer was cleared.</summary>
    public long Length => _last is null ? 0 : _last.RunningIndex + _position;

    /// <summary>What has been written since the buffer was cleared. Valid until it is written to again or cleared.</summary>
    public ReadOnlySequence<byte> Written
    {
        get
        {
            if (_last is null)
            {
                return default;
            }

            _last.End(_position);
            return new ReadOnlySequence<byte>(_first!, 0, _last, _position);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="ArgumentOutOfRangeException">More than was handed out.</exception>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _last is null ? 0 : _last.Array!.Length - _position);
        _position += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _last!.Array.AsMemory(_position);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _last!.Array.AsSpan(_position);
    }

    /// <summary>Forgets what has been written, and begins anew.</summary>
    public void Clear() => Truncate(0);

    /// <summary>Gives the memory back to the pool. The buffer cannot be used any more.</summary>
    public void Dispose()
    {
        Clear();
        _disposed = true;
        while (_spare.Count > 0)
        {
            ArrayPool<byte>.Shared.Return(Reuse().Array!);
        }
    }

    /// <summary>What splits a body into frames of this buffer.</summary>
    internal BodyFrames BodyFrames => field ??= new BodyFrames(this);

    /// <summary>Whether what has been written since the buffer had a length lies in one piece with what stands before it.</summary>
    internal bool IsContiguousSince(long length) => _last is null || length > _last.RunningIndex;

    /// <summary>Takes so many contiguous bytes, to be filled by the caller: now, or when it is known with what.</summary>
    internal Memory<byte> Reserve(int size)
    {
        Memory<byte> taken = GetMemory(size)[..size];
        Advance(size);
        return taken;
    }

    /// <summary>Forgets what has been written beyond a length that the buffer once had.</summary>
    internal void Truncate(long length)
    {
        MemorySegment? kept = null;
        MemorySegment? segment = _first;
        while (segment is not null && segment.RunningIndex < length)
        {
            kept = segment;
            segment = segment.Following;
        }

        while (segment is not null)
        {
            MemorySegment? following = segment.Following;
            Release(segment);
            segment = following;
        }

        _last = kept;
        _first = kept is null ? null : _first;
        _position = kept is null ? 0 : (int)(length - kept.RunningIndex);
        kept?.End(_position);
    }

    private MemorySegment Reuse()
    {
        MemorySegment segment = _spare.Pop();
        _spareBytes -= segment.Array!.Length;
        return segment;
    }

    private void Release(MemorySegment segment)
    {
        segment.Append(default, null);
        if (_spareBytes + segment.Array!.Length > RetainedBytes)
        {
            ArrayPool<byte>.Shared.Return(segment.Array);
            return;
        }

        _spareBytes += segment.Array.Length;
        _spare.Push(segment);
    }

    private void MakeRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        if (_last is null || _last.Array!.Length - _position < Math.Max(sizeHint, 1))
        {
            AddSegment(sizeHint);
        }
    }

    private void AddSegment(int least)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        _last?.End(_position);
        MemorySegment segment = _spare.TryPeek(out MemorySegment? spare) && spare.Array!.Length >= least
            ? Reuse()
            : new MemorySegment { Array = ArrayPool<byte>.Shared.Rent(Math.Max(least, SegmentSize)) };
        segment.Append(default, _last);
        _first ??= segment;
        _last = segment;
        _position = 0;
    }
}
