using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Amqp.Primitives;
using Wire.Amqp.V091;
using Wire.Amqp.V091.Frames;

namespace Wire.Amqp.Bodies;

/// <summary>
/// Splits what is written to it into body frames, in the transport's own buffer. Its windows end with the frame, so that nothing has to be
/// moved; only if a writer wants more contiguous room than the frame has left, the surplus is moved after the next frame's header. A body
/// that grows beyond a limit is buffered up to it and from then on only measured.
/// </summary>
internal sealed class BodyFrames(AmqpBuffer output) : IBufferWriter<byte>
{
    /// <summary>
    /// The size from which foreign memory is sent without a copy: below, a copy costs less than two more parts of a sequence.
    /// </summary>
    public const int LeastAttached = 1 << 13;

    private const int EndSize = FrameLayout.Overhead - FrameLayout.Header;

    private ushort _channel;
    private int _maxPayload;
    private long _gatherAtMost;

    // The output for bodies that are only measured.
    private Scratch _scratch;
    private bool _isMeasuring;

    // The open frame: the position of its size, and the size of its payload; without payload no frame is open.
    private Placeholder _size;
    private int _filled;
    private int _handedOut;

    /// <summary>Gets the number of bytes that the body has.</summary>
    public long Total { get; private set; }

    /// <summary>Gets the number of bytes of the body that are in frames: all, unless it has grown beyond the limit.</summary>
    public long Gathered { get; private set; }

    /// <summary>Begins a body.</summary>
    /// <param name="channel">The channel.</param>
    /// <param name="frameMax">The largest frame, with its header and end; 0 for no limit.</param>
    /// <param name="gatherAtMost">From how many bytes on it is only measured.</param>
    public void BeginBody(ushort channel, int frameMax, long gatherAtMost = long.MaxValue)
    {
        _gatherAtMost = gatherAtMost;
        _isMeasuring = false;
        _channel = channel;
        _maxPayload = FrameLayout.MaxPayload(frameMax);
        _filled = 0;
        _handedOut = 0;
        Total = 0;
        Gathered = 0;
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        if (_isMeasuring)
        {
            return Window(sizeHint).Span;
        }

        int header = MakeRoom(sizeHint);
        return output.GetSpan(1).Slice(header, _handedOut);
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        if (_isMeasuring)
        {
            return Window(sizeHint);
        }

        int header = MakeRoom(sizeHint);
        return output.GetMemory(1).Slice(header, _handedOut);
    }

    /// <inheritdoc/>
    public void Advance(int count)
    {
        if ((uint)count > (uint)_handedOut)
        {
            throw new ArgumentOutOfRangeException(
                nameof(count), count, $"The body can be advanced by 0 to {_handedOut} bytes, as many as it has handed out.");
        }

        _handedOut = 0;
        if (count == 0)
        {
            return;
        }

        Total += count;
        if (_isMeasuring)
        {
            return;
        }

        OpenFrame();
        int room = _maxPayload - _filled;
        if (count <= room)
        {
            output.Advance(count);
            _filled += count;
        }
        else
        {
            Split(count, room);
        }

        if (Total >= _gatherAtMost)
        {
            Measure();
        }
    }

    /// <summary>Writes or measures an existing body.</summary>
    public void Write(in ReadOnlySequence<byte> body)
    {
        long length = body.Length;
        long gathered = _isMeasuring ? 0 : Math.Min(length, _gatherAtMost - Total);
        foreach (ReadOnlyMemory<byte> part in body.Slice(0, gathered))
        {
            this.Write(part.Span);
        }

        // The rest need not even be looked at.
        Total += length - gathered;
    }

    /// <summary>Makes foreign memory the payload of frames; large parts are not copied.</summary>
    public void Attach(in ReadOnlySequence<byte> body)
    {
        foreach (ReadOnlyMemory<byte> part in body)
        {
            for (ReadOnlyMemory<byte> rest = part; !rest.IsEmpty;)
            {
                if (_filled == _maxPayload)
                {
                    EndFrame();
                }

                int count = Math.Min(rest.Length, _maxPayload - _filled);
                if (count < LeastAttached)
                {
                    this.Write(rest.Span[..count]);
                }
                else
                {
                    OpenFrame();
                    output.Attach(rest[..count]);
                    _filled += count;
                    Total += count;
                }

                rest = rest[count..];
            }
        }
    }

    /// <summary>The body has ended.</summary>
    public void Finish()
    {
        EndFrame();
        Gathered = _isMeasuring ? Gathered : Total;
        _scratch.Return();
    }

    private void OpenFrame()
    {
        if (_filled == 0)
        {
            Placeholder header = output.Reserve(FrameLayout.Header);
            WriteHeader(header.Span);
            _size = header[FrameLayout.SizeAt..];
        }
    }

    // Out of line: hardly any body is so large.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Measure()
    {
        EndFrame();
        Gathered = Total;
        _isMeasuring = true;
    }

    private Memory<byte> Window(int sizeHint)
    {
        Memory<byte> window = _scratch.GetMemory(sizeHint);
        _handedOut = window.Length;
        return window;
    }

    // Ends the frame that is open, if one is.
    private void EndFrame()
    {
        if (_filled > 0)
        {
            NetworkOrder.Write(_size.Span, _filled);
            output.GetSpan(EndSize)[0] = FrameLayout.End;
            output.Advance(EndSize);
            _filled = 0;
        }
    }

    // Returns the room to leave in the buffer's next span for the header of a frame, which is written with the frame's first byte of
    // payload has been, as an empty frame is none.
    private int MakeRoom(int sizeHint)
    {
        int needed = Math.Max(sizeHint, 1);
        if (_filled == _maxPayload)
        {
            EndFrame();
        }

        int header = _filled == 0 ? FrameLayout.Header : 0;
        int room = _maxPayload - _filled;
        int between = needed <= room ? 0 : FramesAfter(needed - room) * FrameLayout.Overhead;
        int length = output.GetSpan(checked(header + needed + between)).Length - header;
        _handedOut = between > 0 ? needed : Math.Min(length, room);
        return header;
    }

    private int FramesAfter(int bytes) => ((bytes - 1) / _maxPayload) + 1;

    // All but the size.
    private void WriteHeader(Span<byte> frame)
    {
        frame[0] = (byte)FrameType.Body;
        NetworkOrder.Write(frame[1..], _channel);
    }

    // The open frame gets as much as it has room for. The last part is moved first, so that none is overwritten.
    private void Split(int count, int room)
    {
        int frames = FramesAfter(count - room);
        Placeholder all = output.Reserve(count + (frames * FrameLayout.Overhead));
        Span<byte> bytes = all.Span;
        for (int frame = frames; frame > 0; frame--)
        {
            int from = room + ((frame - 1) * _maxPayload);
            int length = Math.Min(_maxPayload, count - from);
            bytes.Slice(from, length).CopyTo(bytes[(from + (frame * FrameLayout.Overhead))..]);
        }

        _filled = _maxPayload;
        for (int frame = 1; frame <= frames; frame++)
        {
            int end = room + ((frame - 1) * (_maxPayload + FrameLayout.Overhead));
            NetworkOrder.Write(_size.Span, _filled);
            bytes[end] = FrameLayout.End;
            WriteHeader(bytes[(end + EndSize)..]);
            _size = all[(end + EndSize + FrameLayout.SizeAt)..];
            _filled = Math.Min(_maxPayload, count - room - ((frame - 1) * _maxPayload));
        }
    }
}
