using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.V091;

/// <summary>
/// Assembles the frames of one message on a channel: method, content header and body, in this order (AMQP 0-9-1 section 4.2.6). Nothing is
/// copied unless <see cref="Keep"/> asks for it.
/// </summary>
/// <remarks>
/// Make one per channel and reuse it: in steady state nothing is allocated. Its results are views of the input of the frames, valid until
/// that is released or the next message begins. Not thread-safe.
/// </remarks>
public sealed class ContentReader : IDisposable
{
    // The number of parts kept for the next messages: a body in single bytes has one per byte.
    private const int RetainedParts = 1024;

    // The least size of a copy: a body may arrive in single bytes, each of which would take a part.
    private const int CopySize = 1 << 14;

    private readonly ulong _maxBodySize;
    private readonly List<MemorySegment> _parts = [];
    private readonly AmqpBuffer _own = new();

    private State _state;
    private Frame _method;
    private Frame _header;

    // The announced size of the body, and its parts and bytes so far.
    private ulong _bodySize;
    private int _count;
    private ulong _received;

    // The parts that are copies.
    private bool _keptMethod;
    private bool _keptHeader;
    private int _kept;

    /// <summary>Makes a reader of messages.</summary>
    /// <param name="maxBodySize">
    /// The largest accepted body, in bytes. A larger one is skipped: its frames are counted and not kept, and
    /// <see cref="IsTooLarge"/> says so.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">The size is negative.</exception>
    public ContentReader(long maxBodySize = long.MaxValue)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(maxBodySize);
        _maxBodySize = (ulong)maxBodySize;
    }

    private enum State
    {
        Idle,
        ExpectsHeader,
        ExpectsBody,
        Complete,
    }

    /// <summary>Gets whether the message is complete.</summary>
    public bool IsComplete => _state == State.Complete;

    /// <summary>Gets whether a message has begun and is not complete.</summary>
    public bool IsIncomplete => _state is State.ExpectsHeader or State.ExpectsBody;

    /// <summary>The frame of the method that the message belongs to.</summary>
    public Frame Method => _method;

    /// <summary>The frame of the content header, whose properties <see cref="Frame.ReadContentHeader"/> reads.</summary>
    /// <exception cref="InvalidOperationException">It has not come yet.</exception>
    public Frame Header => _state >= State.ExpectsBody
        ? _header
        : throw new InvalidOperationException("The content header has not been read yet: hand the frames that follow the method to Add.");

    /// <summary>Gets the size of the whole body in bytes, from the content header.</summary>
    /// <exception cref="InvalidOperationException">The content header has not come yet.</exception>
    public long BodySize
    {
        get
        {
            _ = Header;
            return (long)_bodySize;
        }
    }

    /// <summary>
    /// Gets whether the body is larger than this reader accepts. The message is complete after its last frame, but its bytes are dropped.
    /// False before the content header.
    /// </summary>
    public bool IsTooLarge => _state >= State.ExpectsBody && _bodySize > _maxBodySize;

    /// <summary>The received part of the body.</summary>
    /// <exception cref="AmqpFormatException">It is larger than this reader takes, and has been skipped.</exception>
    public ReadOnlySequence<byte> Body => _count != 0
        ? new ReadOnlySequence<byte>(_parts[0], 0, _parts[_count - 1], _parts[_count - 1].Memory.Length)
        : IsTooLarge ? ThrowTooLarge() : default;

    /// <summary>Begins a message with the frame of a method that has a content: basic.publish, return, deliver or get-ok.</summary>
    /// <exception cref="ArgumentException">The method has no content.</exception>
    /// <exception cref="AmqpFormatException">The message before is not complete.</exception>
    public void BeginMessage(in Frame method)
    {
        if (IsIncomplete)
        {
            ThrowUnexpected(in method);
        }

        if (!method.MethodId.HasContent())
        {
            throw new ArgumentException(
                $"A message begins with a method that has content, and this " +
                $"is {(method.Type == FrameType.Method ? method.MethodId.ToString() : $"a frame of type {method.Type}")}.", nameof(method));
        }

        Reset();
        _method = method;
        _state = State.ExpectsHeader;
    }

    /// <summary>Takes the next frame of the channel: the content header, then the body's.</summary>
    /// <returns>True if the message is complete.</returns>
    /// <exception cref="AmqpFormatException">
    /// The frame is of another kind, is damaged, or exceeds the size in the content header. The message is given up.
    /// </exception>
    /// <exception cref="InvalidOperationException">No message has begun, or it is complete.</exception>
    public bool Add(in Frame frame)
    {
        if (!IsIncomplete)
        {
            throw new InvalidOperationException(
                "No frame of a message is expected here: call BeginMessage with its method first.");
        }

        if (frame.Channel != _method.Channel || frame.Type != (_state == State.ExpectsHeader ? FrameType.Header : FrameType.Body))
        {
            ThrowUnexpected(in frame);
        }

        if (_state == State.ExpectsHeader)
        {
            AddHeader(in frame);
        }
        else
        {
            AddBody(in frame);
        }

        _state = _received == _bodySize ? State.Complete : State.ExpectsBody;
        return IsComplete;
    }

    /// <summary>
    /// Copies the message's frames so far, so that the input can be released before the message is complete or processed. Earlier results
    /// remain views of the input: read them again.
    /// </summary>
    /// <exception cref="AmqpFormatException">The frame of the method or of the content header is larger than an array can be.</exception>
    public void Keep()
    {
        if (_state == State.Idle)
        {
            return;
        }

        if (!_keptMethod)
        {
            _method = Copy(in _method);
            _keptMethod = true;
        }

        if (!_keptHeader && _state > State.ExpectsHeader)
        {
            _header = Copy(in _header);
            _keptHeader = true;
        }

        int count = _count;
        int next = _count = _kept;
        while (next < count)
        {
            int size = 0;
            int first = next;
            do
            {
                size += _parts[next++].Memory.Length;
            }
            while (next < count && size + _parts[next].Memory.Length <= CopySize);

            Placeholder copy = _own.Reserve(size);
            int start = copy.Start;
            for (; first < next; first++)
            {
                ReadOnlyMemory<byte> part = _parts[first].Memory;
                part.Span.CopyTo(copy.Array.AsSpan(start));
                start += part.Length;
            }

            Place(_count++, copy.Array.AsMemory(copy.Start, size));
        }

        _kept = _count;
    }

    /// <summary>Forgets the message, and its references to the input.</summary>
    public void Clear()
    {
        // Including earlier messages.
        foreach (MemorySegment part in _parts)
        {
            part.Append(default, null);
        }

        Reset();
        (_method, _header) = (default, default);
    }

    /// <summary>Returns kept memory to the pool. The reader can no longer copy frames.</summary>
    public void Dispose()
    {
        Clear();
        _own.Dispose();
    }

    // The frames of the previous message stay until they are replaced: clearing them costs more than it frees.
    private void Reset()
    {
        _state = State.Idle;
        (_count, _received) = (0, 0);
        if (_parts.Count > RetainedParts)
        {
            _parts.RemoveRange(RetainedParts, _parts.Count - RetainedParts);
            _parts.TrimExcess();
        }

        if (_keptMethod)
        {
            _own.Clear();
            (_keptMethod, _keptHeader, _kept) = (false, false, 0);
        }
    }

    private void AddHeader(in Frame frame)
    {
        try
        {
            _bodySize = frame.ReadBodySize();
            if (_bodySize > long.MaxValue)
            {
                ThrowHelper.Format(
                    AmqpFormatError.Frame, frame.Offset, $"Expected a body of less than 2^63 bytes, found one of {_bodySize}");
            }
        }
        catch (AmqpFormatException)
        {
            Clear();
            throw;
        }

        _header = frame;
    }

    private void AddBody(in Frame frame)
    {
        ulong left = _bodySize - _received;
        if ((ulong)frame.PayloadLength > left)
        {
            Clear();
            ThrowHelper.Format(
                AmqpFormatError.Frame,
                frame.Offset,
                $"Expected at most {left} more bytes of body, as the content header says, found {frame.PayloadLength}");
        }

        _received += (ulong)frame.PayloadLength;
        if (IsTooLarge)
        {
            return;
        }

        foreach (ReadOnlyMemory<byte> part in frame.Payload)
        {
            if (part.IsEmpty)
            {
                // Frames without payload make no progress: an endless series must not take memory.
                continue;
            }

            if (_count == _parts.Count)
            {
                _parts.Add(new MemorySegment());
            }

            Place(_count++, part);
        }
    }

    private void Place(int index, ReadOnlyMemory<byte> part) => _parts[index].Append(part, index == 0 ? null : _parts[index - 1]);

    private Frame Copy(in Frame frame)
    {
        if (frame.PayloadLength > Array.MaxLength)
        {
            ThrowHelper.Format(
                AmqpFormatError.Frame, frame.Offset, $"Expected a frame that memory can hold, found one of {frame.PayloadLength} bytes");
        }

        return new Frame(frame.Type, frame.Channel, new ReadOnlySequence<byte>(Copy(frame.Payload)), frame.Offset);
    }

    private ReadOnlyMemory<byte> Copy(in ReadOnlySequence<byte> bytes)
    {
        Placeholder copy = _own.Reserve((int)bytes.Length);
        bytes.CopyTo(copy.Span);
        return copy.Array.AsMemory(copy.Start, copy.Length);
    }

    [DoesNotReturn]
    private ReadOnlySequence<byte> ThrowTooLarge() => throw new AmqpFormatException(
        AmqpFormatError.TooLarge, _header.Offset, $"Expected a body of up to {_maxBodySize} bytes, found one of {_bodySize}, which was " +
            "passed over");

    [DoesNotReturn]
    private void ThrowUnexpected(in Frame found)
    {
        string expected = _state == State.ExpectsHeader
            ? "a content header"
            : $"{_bodySize - _received} more bytes of body";
        ushort channel = _method.Channel;
        Clear();
        ThrowHelper.Format(
            AmqpFormatError.Frame,
            found.Offset,
            $"Expected {expected} on channel {channel}, found a frame of type {found.Type} on channel {found.Channel}");
    }
}
