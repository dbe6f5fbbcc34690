using System.Buffers.Binary;
using System.Numerics;
using Wire.Amqp;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport.Segments;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>
/// The received bytes of a link, in segments with contiguous frames, which are read as spans. Used by one loop; leases are returned on any
/// thread.
/// </summary>
/// <remarks>
/// A receive takes all available bytes: several frames and the beginning of another. That beginning is moved to where the rest fits, which
/// is little compared with a segment, and is the price of contiguous frames. A segment is reused when it is no longer being read.
/// </remarks>
internal sealed class FrameBuffer : IDisposable
{
    // With less room than this, a receive costs more than moving the bytes.
    private const int LeastRoom = 1 << 12;

    // Segments grow to twice the size of frames, so that few frames are moved, up to this size.
    private const int MostSegment = 1 << 24;

    // The maximal memory kept for reuse: enough for a few consumers.
    private const int MostFree = 16;
    private const int MostFreeBytes = 1 << 26;

    private readonly SegmentPool _pool = new(MostFree, MostFreeBytes);
    private readonly int _maxFrame;
    private int? _maxBeforeOpen;
    private ReceiveSegment _segment;
    private int _start;
    private bool _isDisposed;

    /// <param name="maxFrame">The maximal size of a frame in bytes, without its size field.</param>
    /// <param name="maxBeforeOpen">
    /// The maximal size before the connection is open and the peer is known; null once it is open.
    /// </param>
    public FrameBuffer(int maxFrame, int? maxBeforeOpen = null)
    {
        _maxFrame = maxFrame;
        _maxBeforeOpen = maxBeforeOpen;
        _segment = _pool.Rent();
        _segment.Reuse(0);
    }

    /// <summary>Gets the size of new segments in bytes: a multiple of the frame size.</summary>
    public int SegmentSize
    {
        get => _pool.SegmentSize;
        set => _pool.SegmentSize = value;
    }

    /// <summary>Gets the position of the next frame in the stream of bytes.</summary>
    public long Offset => _segment.RunningIndex + _start;

    private int Unread => _segment.Filled - _start;

    /// <summary>The connection is open: from now on frames may be as large as chunks.</summary>
    public void Open() => _maxBeforeOpen = null;

    /// <summary>Returns the memory to receive into: never empty. Read bytes that are not leased become invalid.</summary>
    public Memory<byte> GetMemory()
    {
        if (Unread == 0 && _segment.IsUnleased && _segment.Length == SegmentSize)
        {
            // Everything has been read: start again in cached memory.
            _segment.Reuse(Offset);
            _start = 0;
        }

        int room = _segment.Length - _segment.Filled;
        int frame = FrameLength();
        bool fits = frame > 0 && frame - Unread <= room;
        if (!fits && (room < LeastRoom || (frame > 0 && frame <= Affordable(Unread)) || _segment.Length < SegmentSize))
        {
            MakeRoom(Unread, frame);
        }

        return _segment.Free;
    }

    /// <summary>Adds bytes that were received into the memory of <see cref="GetMemory"/>.</summary>
    public void Advance(int count) => _segment.Advance(count);

    /// <summary>Reads the next frame, without its size, if it is complete.</summary>
    /// <exception cref="AmqpFormatException">The frame is larger than it may be, or too small to be one.</exception>
    public bool TryRead(out ReadOnlyMemory<byte> frame)
    {
        int length = FrameLength();
        if (length == 0 || Unread < length)
        {
            frame = default;
            return false;
        }

        frame = _segment.From(_start)[StreamFrames.SizeBytes..length];
        _start += length;
        if (length > SegmentSize / 2 && SegmentSize < MostSegment)
        {
            // After one of this size, others are likely.
            SegmentSize = (int)Math.Min(MostSegment, BitOperations.RoundUpToPowerOf2((uint)length) * 2L);
        }

        return true;
    }

    /// <summary>Keeps the last read frame, and its segment, until <see cref="ReceiveSegment.Release"/>.</summary>
    public ReceiveSegment Lease()
    {
        _segment.Lease();
        return _segment;
    }

    /// <summary>Releases what is not leased.</summary>
    public void Dispose()
    {
        if (!_isDisposed)
        {
            _isDisposed = true;
            _segment.ReleaseLoopShare();
            _pool.Close();
        }
    }

    // With its size; 0 if that has not been received.
    private int FrameLength()
    {
        if (Unread < StreamFrames.SizeBytes)
        {
            return 0;
        }

        uint size = BinaryPrimitives.ReadUInt32BigEndian(_segment.From(_start).Span);
        if (Offset == 0 && OtherProtocol(size) is { } other)
        {
            throw new AmqpFormatException(AmqpFormatError.Frame, 0, other);
        }

        int most = _maxBeforeOpen ?? _maxFrame;
        if (size > (uint)most || size < StreamFrames.HeadBytes)
        {
            throw new AmqpFormatException(AmqpFormatError.Frame, Offset, WrongSize(size, most));
        }

        return StreamFrames.SizeBytes + (int)size;
    }

    private string WrongSize(uint size, int most) =>
        size < StreamFrames.HeadBytes
            ? $"A frame of {size} bytes has no room for its key and version: the other side does not speak the stream protocol"
        : _maxBeforeOpen is not null
            ? $"A frame of {size} bytes before the connection is open, where {most} are allowed: the other side does not seem to speak " +
                "the stream protocol"
            : $"A frame of {size} bytes, and StreamClientOptions.MaxChunkBytes allows {most}: raise it if chunks are meant to be that " +
                "large";

    // The first bytes of other protocols, after a mix-up of ports. As sizes they would be hundreds of megabytes, which no first frame has.
    private static string? OtherProtocol(uint first) => first switch
    {
        0x414D5150 => "The answer is AMQP: this port is for AMQP 0-9-1 or 1.0; use the port for streams, usually 5552, or 5551 with TLS",
        0x48545450 =>
            "The answer is HTTP: this port is for the management API or another web service; use the port for streams, usually 5552, or " +
            "5551 with TLS",
        >= 0x15030000 and <= 0x150304FF =>
            "The answer is TLS: connect with rabbitmq-stream+tls:// or StreamClientOptions.Tls, or use the port without TLS, usually 5552",
        _ => null,
    };

    // A large frame gets at most twice the room of its received bytes, because its size is only a claim.
    private long Affordable(int unread) => Math.Max(SegmentSize, 2L * unread);

    private void MakeRoom(int unread, int frame)
    {
        int wanted = frame <= SegmentSize && unread + LeastRoom <= SegmentSize
            ? SegmentSize
            : (int)Math.Min(Math.Max(frame, unread), Affordable(unread)) + LeastRoom;
        ReceiveSegment full = _segment;
        long offset = Offset;
        ReadOnlySpan<byte> beginning = full.Cut(_start);
        _start = 0;
        if (full.IsUnleased && full.Length >= wanted && full.Length <= Math.Max(wanted, SegmentSize))
        {
            full.Reuse(offset, beginning);
            return;
        }

        _segment = _pool.Rent(wanted);
        _segment.Reuse(offset, beginning);
        full.ReleaseLoopShare();
    }
}
