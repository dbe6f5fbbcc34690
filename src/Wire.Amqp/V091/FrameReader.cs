using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.Errors;
using Wire.Amqp.V091.Frames;

namespace Wire.Amqp.V091;

/// <summary>
/// Takes frames from received bytes (AMQP 0-9-1 section 4.2.3), in order and without copying. When a frame is incomplete, keep the input
/// from <see cref="Position"/> on, receive at least <see cref="Missing"/> more bytes and begin again.
/// </summary>
public ref struct FrameReader
{
    private readonly long _frameMax;

    // The window, which is one segment of the input: its offset in the array, and the position in it. Empty if the segment is not an array.
    private byte[]? _array;
    private int _start;
    private int _position;
    private int _end;

    // The input from the window on, and where the array would begin.
    private ReadOnlySequence<byte> _sequence;
    private long _arrayOffset;
    private readonly long _inputOffset;

    /// <summary>Begins to read received bytes.</summary>
    /// <param name="input">The bytes, which begin with a frame.</param>
    /// <param name="frameMax">The largest frame that both sides agreed on, in bytes and with its envelope; 0 for no limit.</param>
    /// <param name="offset">Where the input begins in a larger one, for the offsets in errors.</param>
    /// <exception cref="ArgumentOutOfRangeException">No byte of payload would fit a frame.</exception>
    public FrameReader(scoped in ReadOnlySequence<byte> input, int frameMax, long offset = 0)
        : this(frameMax, offset) => Open(input, offset);

    /// <inheritdoc cref="FrameReader(in ReadOnlySequence{byte}, int, long)"/>
    public FrameReader(ReadOnlyMemory<byte> input, int frameMax, long offset = 0)
        : this(frameMax, offset)
    {
        if (MemoryMarshal.TryGetArray(input, out ArraySegment<byte> window) && window.Array is not null)
        {
            _sequence = new ReadOnlySequence<byte>(window.Array, window.Offset, window.Count);
            Open(window, offset);
        }
        else
        {
            Open(new ReadOnlySequence<byte>(input), offset);
        }
    }

    private FrameReader(int frameMax, long offset)
    {
        if (frameMax != 0)
        {
            ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(frameMax, FrameLayout.Overhead);
        }

        _frameMax = frameMax == 0 ? long.MaxValue : frameMax;
        _inputOffset = offset;
    }

    /// <summary>Gets the number of bytes that the frames so far took.</summary>
    public readonly long Consumed => Offset - _inputOffset;

    /// <summary>Gets the position of the first frame that has not been read: advance a PipeReader to it.</summary>
    public readonly SequencePosition Position => _sequence.GetPosition(_position - _start);

    /// <summary>
    /// Gets the least number of bytes that the frame still needs after <see cref="TryRead"/> returned false; otherwise 0.
    /// </summary>
    public long Missing { get; private set; }

    private readonly long Offset => _arrayOffset + _position;

    /// <summary>Takes the next frame; false when it is incomplete.</summary>
    /// <exception cref="AmqpFormatException">
    /// The next bytes are not a frame, or the frame is larger than agreed, which its first 7 bytes show.
    /// </exception>
    public bool TryRead(out Frame frame)
    {
        int left = _end - _position;
        if (left >= FrameLayout.Overhead)
        {
            ref byte start = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(_array!), _position);
            byte type = start;
            uint size = NetworkOrder.Load<uint>(in Unsafe.Add(ref start, FrameLayout.SizeAt));

            // Unusual cases are handled below: heartbeats, frames across segments, and errors.
            if (type - 1u <= FrameType.Body - FrameType.Method
                && size <= (uint)(left - FrameLayout.Overhead)
                && size <= _frameMax - FrameLayout.Overhead
                && Unsafe.Add(ref start, (int)size + FrameLayout.Header) == FrameLayout.End)
            {
                frame = new Frame(
                    (FrameType)type,
                    NetworkOrder.Load<ushort>(in Unsafe.Add(ref start, 1)),
                    _array!,
                    _position + FrameLayout.Header,
                    (int)size,
                    Offset);
                _position += (int)size + FrameLayout.Overhead;
                Missing = 0;
                return true;
            }
        }

        return TryReadUnusual(out frame);
    }

    // Out of line: few frames come here.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryReadUnusual(out Frame frame)
    {
        ReadOnlySequence<byte> unread = _sequence.Slice(_position - _start);
        Span<byte> header = stackalloc byte[FrameLayout.Header];
        if (unread.Length < header.Length)
        {
            return NeedMore(FrameLayout.Overhead - unread.Length, out frame);
        }

        unread.Slice(0, header.Length).CopyTo(header);
        var type = (FrameType)header[0];
        ushort channel = NetworkOrder.Read<ushort>(header[1..]);
        uint size = NetworkOrder.Read<uint>(header[FrameLayout.SizeAt..]);
        Check(type, channel, size, unread);

        long whole = (long)size + FrameLayout.Overhead;
        if (unread.Length < whole)
        {
            return NeedMore(whole - unread.Length, out frame);
        }

        byte end = unread.Slice(whole - 1, 1).FirstSpan[0];
        if (end != FrameLayout.End)
        {
            ThrowHelper.Format(AmqpFormatError.Frame, Offset + whole - 1, $"Expected the end of a frame (0xCE), found 0x{end:X2}");
        }

        frame = new Frame(type, channel, unread.Slice(FrameLayout.Header, size), Offset);
        Open(unread.Slice(whole), Offset + whole);
        Missing = 0;
        return true;
    }

    private bool NeedMore(long missing, out Frame frame)
    {
        Missing = missing;
        frame = default;
        return false;
    }

    private readonly void Check(FrameType type, ushort channel, uint size, in ReadOnlySequence<byte> unread)
    {
        if (type is not (FrameType.Method or FrameType.Header or FrameType.Body or FrameType.Heartbeat))
        {
            ThrowHelper.Format(AmqpFormatError.Frame, Offset, ProtocolHeader.TryRead(unread, out ProtocolHeader other)
                ? $"Expected a frame, found the header of AMQP {other}, which a server of another version answers with"
                : $"Expected a frame of type 1, 2, 3 or 8, found the type {(byte)type}");
        }

        if (type == FrameType.Heartbeat && (channel != 0 || size != 0))
        {
            ThrowHelper.Format(
                AmqpFormatError.Frame,
                Offset,
                $"Expected a heartbeat on channel 0 without a payload, found one on channel {channel} with {size} bytes");
        }

        if (size > _frameMax - FrameLayout.Overhead)
        {
            ThrowHelper.Format(
                AmqpFormatError.Frame,
                Offset,
                $"Expected a frame of up to {_frameMax} bytes, found one of {(long)size + FrameLayout.Overhead}");
        }
    }

    private void Open(scoped in ReadOnlySequence<byte> input, long offset)
    {
        _sequence = input;
        MemoryMarshal.TryGetArray(input.First, out ArraySegment<byte> window);
        Open(window, offset);
    }

    private void Open(ArraySegment<byte> window, long offset)
    {
        _array = window.Array;
        _start = window.Offset;
        _position = _start;
        _end = _start + window.Count;
        _arrayOffset = offset - _start;
    }
}
