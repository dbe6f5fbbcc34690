using System.Runtime.CompilerServices;

namespace Wire.Transport.Segments;

/// <summary>
/// The segments that the frames of one message lie in, which stay as they are until it is released. Frames are added by the receive loop;
/// it is released on any thread, and used again for the next message.
/// </summary>
internal sealed class Lease
{
    // A message may hold that many times its own bytes, and some segments more: frames of other channels lie between its own.
    private const int MostTimes = 4;
    private const int MostSegments = 4;

    private ReceiveSegment?[] _segments = new ReceiveSegment?[1];
    private int _count;

    // Of messages: what frames them counts for nothing, or frames of nothing else could hold any number of segments.
    private long _bytes;

    /// <summary>Gets the number of segments that it holds.</summary>
    public int Count => _count;

    /// <summary>
    /// Gets whether it holds far more memory than the message has bytes, as when its frames come one by one among many of other channels:
    /// then the message is copied, and this released.
    /// </summary>
    public bool IsExcessive =>
        _count > MostSegments && (long)_count * ReceiveSegment.Size > (MostTimes * _bytes) + (MostSegments * ReceiveSegment.Size);

    /// <summary>Gets whether it holds much memory for few bytes.</summary>
    public bool IsOfLittle => _count > 0 && _bytes < (long)_count * (ReceiveSegment.Size / MostTimes);

    /// <summary>Leases the segments of a frame that has been read and not consumed.</summary>
    /// <param name="buffer">Its position.</param>
    /// <param name="start">Where in the stream its first byte stands.</param>
    /// <param name="end">Where in the stream it ends.</param>
    /// <param name="payload">How many of the bytes between are the message's.</param>
    /// <exception cref="InvalidOperationException">The frame is not among the unread bytes.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(ReceiveBuffer buffer, long start, long end, long payload)
    {
        _bytes += payload;
        if (_count == 0 || _segments[_count - 1]!.End < end)
        {
            AddSegments(buffer, start, end);
        }
    }

    /// <summary>Releases the segments, which may be received into at once. Another time it does nothing.</summary>
    public void Release()
    {
        _bytes = 0;
        int count = Interlocked.Exchange(ref _count, 0);
        for (int i = 0; i < count; i++)
        {
            ReceiveSegment segment = _segments[i]!;
            _segments[i] = null;
            segment.Release();
        }
    }

    // Out of line: most frames lie in the segment of the one before.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AddSegments(ReceiveBuffer buffer, long start, long end)
    {
        if (start < buffer.Offset || end > buffer.End)
        {
            throw new InvalidOperationException("A frame can be leased after it has been read and before it is consumed.");
        }

        ReceiveSegment? last = _count == 0 ? null : _segments[_count - 1];
        for (ReceiveSegment? segment = buffer.First; segment is not null && segment.RunningIndex < end; segment = segment.Following)
        {
            if (segment.End <= start || segment == last)
            {
                continue;
            }

            if (_count == _segments.Length)
            {
                Array.Resize(ref _segments, _count * 2);
            }

            segment.Lease();
            _segments[_count++] = segment;
        }
    }
}
