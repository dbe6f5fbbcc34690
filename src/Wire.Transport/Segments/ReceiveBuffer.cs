using System.Buffers;

namespace Wire.Transport.Segments;

/// <summary>
/// The received bytes of a connection, in segments that are reused when they are no longer being read. Used by one loop; leases are
/// returned on any thread.
/// </summary>
/// <remarks>
/// <code>
/// | leased, consumed | unread                     | free |
/// +--------- segment ----------+ +---- segment ----------+
///                    ^ Offset                    ^ GetMemory
/// </code>
/// Consumed bytes stay while they are leased, and more is received after them into the same segment.
/// </remarks>
internal sealed class ReceiveBuffer(SegmentPool? pool = null) : IDisposable
{
    // With less room than this, a receive costs more than the memory is worth.
    private const int LeastRoom = 4096;

    // So few bytes of an unfinished frame are moved to where the rest comes: frames of methods and of content headers lie in one segment
    // so, and can be read without a copy each.
    private const int MostMoved = 4096;

    private readonly SegmentPool _pool = pool ?? SegmentPool.Shared;

    // From where the unread bytes begin to where is received into. Null before the first receive.
    private ReceiveSegment? _first;
    private ReceiveSegment? _last;
    private int _position;
    private bool _disposed;

    /// <summary>Gets the bytes that were received and not consumed.</summary>
    public ReadOnlySequence<byte> Unread => _first is null ? default : new ReadOnlySequence<byte>(_first, _position, _last!, _last!.Filled);

    /// <summary>Gets the position of the unread bytes in the stream.</summary>
    public long Offset { get; private set; }

    /// <summary>The segment in which the unread bytes begin; null where nothing has been received.</summary>
    public ReceiveSegment? First => _first;

    /// <summary>Gets the end of the unread bytes in the stream.</summary>
    public long End => _last is null ? Offset : _last.End;

    /// <summary>
    /// Gets whether so many segments are in use that no more should be held for a few bytes each, as by messages that are kept for long
    /// while many others pass by.
    /// </summary>
    public bool IsStrained => _pool.IsStrained;

    /// <summary>
    /// Returns the memory to receive into. What has been taken from the unread bytes and is not leased is not valid any more.
    /// </summary>
    public Memory<byte> GetMemory()
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        if (_last is null)
        {
            _last = _first = _pool.Rent();
            _last.Reuse(Offset);
        }
        else if (_last.End == Offset && _last.IsUnleased)
        {
            // Everything has been read: start again in cached memory.
            _last.Reuse(Offset);
            _position = 0;
        }
        else if (_last.Length - _last.Filled < LeastRoom)
        {
            MakeRoom(_last);
        }

        return _last.Free;
    }

    /// <summary>Adds bytes that were received into the memory of <see cref="GetMemory"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">More than that was room for.</exception>
    public void Advance(int count)
    {
        if (_last is null)
        {
            throw new InvalidOperationException("Receive into the memory that GetMemory returned.");
        }

        _last.Advance(count);
    }

    /// <summary>Consumes unread bytes: segments without leases are reused for receiving.</summary>
    /// <exception cref="ArgumentOutOfRangeException">More than are unread.</exception>
    public void Consume(long count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((ulong)count, (ulong)(End - Offset), nameof(count));
        if (count == 0)
        {
            return;
        }

        Offset += count;
        while (_first != _last && Offset >= _first!.End)
        {
            ReceiveSegment done = _first;
            _first = done.Following;
            done.ReleaseLoopShare();
        }

        _position = (int)(Offset - _first!.RunningIndex);
    }

    /// <summary>Releases what is not leased.</summary>
    public void Dispose()
    {
        _disposed = true;
        Offset = End;
        while (_first is { } segment)
        {
            _first = segment.Following;
            segment.ReleaseLoopShare();
        }

        _last = null;
        _position = 0;
    }

    private void MakeRoom(ReceiveSegment full)
    {
        int unread = full.Filled - _position;
        if (_first != full || unread > MostMoved)
        {
            _last = _pool.Rent();
            full.Continue(_last);
            return;
        }

        ReadOnlySpan<byte> moved = full.Cut(_position);
        _position = 0;
        if (full.IsUnleased)
        {
            full.Reuse(Offset, moved);
            return;
        }

        _last = _first = _pool.Rent();
        _last.Reuse(Offset, moved);
        full.ReleaseLoopShare();
    }
}
