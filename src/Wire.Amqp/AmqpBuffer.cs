using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Amqp.Bodies;
using Wire.Amqp.Primitives;

namespace Wire.Amqp;

/// <summary>
/// A buffer to send from: bytes in pooled segments that never move, so that a length can be filled in after the bytes that it counts. Any
/// code that takes an <see cref="IBufferWriter{T}"/> can write to it.
/// </summary>
/// <remarks>
/// Send <see cref="Written"/>, then <see cref="Clear"/>. In steady state nothing is allocated, and the memory kept is bounded by
/// <see cref="RetainedBytes"/>. Not thread-safe: one writer at a time.
/// </remarks>
public sealed class AmqpBuffer : IBufferWriter<byte>, IDisposable
{
    /// <summary>The number of bytes of cleared segments that are kept for the next messages: 4 MiB. More go back to the pool.</summary>
    public const int RetainedBytes = 1 << 22;

    private const int SegmentSize = 1 << 16;

    // The number of parts without an array that are kept.
    private const int RetainedParts = 256;

    // Cleared segments other than the first, which stays.
    private readonly Stack<MemorySegment> _spare = [];
    private int _spareBytes;

    // Parts for attached memory, and for what follows it in the array before it.
    private readonly Stack<MemorySegment> _spareParts = [];

    private MemorySegment? _first;

    // The current segment, and the filled length of its array.
    private MemorySegment? _last;
    private byte[] _array = [];
    private int _position;
    private bool _disposed;

    // True while a message is being written: its serializer may try to write another.
    private bool _inMessage;

    /// <summary>Gets whether a message is being written.</summary>
    internal bool IsInMessage => _inMessage;

    /// <summary>Gets the number of bytes that have been written since the buffer was cleared.</summary>
    public long Length => _last is null ? 0 : _last.RunningIndex + _position - _last.Start;

    /// <summary>Gets the bytes that were written since the buffer was cleared. Valid until it is written to again or cleared.</summary>
    public ReadOnlySequence<byte> Written
    {
        get
        {
            if (_last is null)
            {
                return default;
            }

            _last.EndAt(_position);
            return new ReadOnlySequence<byte>(_first!, 0, _last, _position - _last.Start);
        }
    }

    /// <inheritdoc/>
    /// <exception cref="ArgumentOutOfRangeException">More than was handed out.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count)
    {
        if ((uint)count > (uint)(_array.Length - _position))
        {
            ThrowTooFar(count);
        }

        _position += count;
    }

    /// <inheritdoc/>
    /// <exception cref="ArgumentOutOfRangeException">The hint is negative.</exception>
    /// <exception cref="ObjectDisposedException">The buffer has been disposed of.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _array.AsMemory(_position);
    }

    /// <inheritdoc cref="GetMemory"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _array.AsSpan(_position);
    }

    /// <summary>Discards the written bytes, and starts again.</summary>
    public void Clear()
    {
        if (ReferenceEquals(_last, _first) && _array.Length <= RetainedBytes)
        {
            _position = 0;
        }
        else
        {
            Truncate(0);
        }
    }

    /// <summary>Returns the memory to the pool. The buffer can no longer be used.</summary>
    public void Dispose()
    {
        Truncate(0);
        if (_first is not null)
        {
            Release(_first);
            (_first, _last, _array) = (null, null, []);
        }

        _disposed = true;
        Trim();
    }

    /// <summary>Returns the memory of all segments but the first.</summary>
    internal void Trim()
    {
        _spareBytes = 0;
        while (_spare.TryPop(out MemorySegment? segment))
        {
            ArrayPool<byte>.Shared.Return(segment.Array!);
        }
    }

    /// <summary>Gets the frames of bodies in this buffer.</summary>
    internal BodyFrames BodyFrames => field ??= new BodyFrames(this);

    /// <summary>Returns whether the bytes written since a given length are contiguous with those before them.</summary>
    internal bool IsContiguousSince(long length) => _last is null || length > _last.RunningIndex;

    /// <summary>Records the beginning of a message, in which no other may begin.</summary>
    /// <returns>The position of its beginning.</returns>
    internal long BeginMessage()
    {
        ThrowIfInMessage();
        _inMessage = true;
        return Length;
    }

    /// <summary>Throws in the middle of a message, where only its frames may be written.</summary>
    internal void ThrowIfInMessage()
    {
        if (_inMessage)
        {
            throw new InvalidOperationException(
                "A message is being written to this buffer, and the serializer of its body tried to write another: give that one a " +
                "buffer of its own.");
        }
    }

    /// <summary>Records that the message has ended or was given up.</summary>
    internal void EndMessage() => _inMessage = false;

    /// <summary>Reserves contiguous bytes, which the caller fills now or later.</summary>
    internal Placeholder Reserve(int size)
    {
        MakeRoom(size);
        var taken = new Placeholder(_array, _position, size);
        _position += size;
        return taken;
    }

    /// <summary>
    /// Attaches foreign memory as the next bytes, without a copy: it must not change until the buffer has been cleared. Later bytes
    /// continue in the current array.
    /// </summary>
    internal void Attach(ReadOnlyMemory<byte> memory)
    {
        if (memory.IsEmpty)
        {
            return;
        }

        if (_last is null)
        {
            AddSegment(0);
        }

        MemorySegment before = _last!;
        before.EndAt(_position);
        MemorySegment attached = TakePart();
        attached.Append(memory, before);
        MemorySegment rest = TakePart();
        (rest.Array, rest.Start, rest.IsContinued) = (_array, _position, true);
        rest.Append(default, attached);
        _last = rest;
    }

    /// <summary>Discards the bytes written after an earlier length.</summary>
    internal void Truncate(long length)
    {
        if (_last is null)
        {
            return;
        }

        // The first segment stays, and the last one that begins before the length; writing continues after attached memory, never in it.
        MemorySegment kept = _first!;
        while (kept.Following is { } following
            && (following.RunningIndex < length || (kept.Array is null && following.RunningIndex == length)))
        {
            kept = following;
        }

        for (MemorySegment? segment = kept.Following; segment is not null;)
        {
            MemorySegment? following = segment.Following;
            Release(segment);
            segment = following;
        }

        _last = kept;
        _array = kept.Array ?? throw new InvalidOperationException("The buffer cannot be cut back to a length within attached memory.");
        _position = kept.Start + (int)(length - kept.RunningIndex);
        kept.EndAt(_position);
        if (length == 0 && _array.Length > RetainedBytes)
        {
            Release(kept);
            (_first, _last, _array) = (null, null, []);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void MakeRoom(int sizeHint)
    {
        // As unsigned, a negative hint is a large one. A hint of zero asks for at least one byte.
        if ((uint)(_array.Length - _position) < (uint)Math.Max(sizeHint, 1) || sizeHint < 0)
        {
            AddSegment(sizeHint);
        }
    }

    // Out of line: most messages fit the current segment.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AddSegment(int least)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(least);
        ObjectDisposedException.ThrowIf(_disposed, this);
        _last?.EndAt(_position);
        MemorySegment segment = _spare.TryPeek(out MemorySegment? spare) && spare.Array!.Length >= least
            ? Reuse()
            : new MemorySegment { Array = ArrayPool<byte>.Shared.Rent(Math.Max(least, SegmentSize)) };
        segment.Append(default, _last);
        _first ??= segment;
        _last = segment;
        _array = segment.Array!;
        _position = 0;
    }

    private MemorySegment Reuse()
    {
        MemorySegment segment = _spare.Pop();
        _spareBytes -= segment.Array!.Length;
        return segment;
    }

    private MemorySegment TakePart() => _spareParts.TryPop(out MemorySegment? part) ? part : new MemorySegment();

    private void Release(MemorySegment segment)
    {
        segment.Append(default, null);
        if (segment.Array is null || segment.IsContinued)
        {
            // The memory is foreign, or belongs to another part.
            (segment.Array, segment.Start, segment.IsContinued) = (null, 0, false);
            if (_spareParts.Count < RetainedParts)
            {
                _spareParts.Push(segment);
            }

            return;
        }

        if (_spareBytes + segment.Array!.Length > RetainedBytes)
        {
            ArrayPool<byte>.Shared.Return(segment.Array);
            return;
        }

        _spareBytes += segment.Array.Length;
        _spare.Push(segment);
    }

    private void ThrowTooFar(int count) => throw new ArgumentOutOfRangeException(
        nameof(count), count, $"The buffer can be advanced by 0 to {_array.Length - _position} bytes, as many as it has handed out.");
}
