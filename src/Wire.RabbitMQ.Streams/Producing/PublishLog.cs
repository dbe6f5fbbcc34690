using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Text;
using Wire.RabbitMQ.Streams.Protocol;
using static Wire.RabbitMQ.Streams.Producing.PublishLayout;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// The unconfirmed publish frames of a producer, consecutive in pooled arrays: messages are written into the open last frame, the sender
/// takes ready ones, and confirmed ones are released. Not thread-safe.
/// </summary>
/// <remarks>
/// <code>
/// | confirmed | sent, not confirmed | taken | ready | open frame | free |
/// +------- segment -------+ +------- segment --------+ +---- segment --+
/// </code>
/// An entry's position is the number of entries before it, and also its position among the unconfirmed ones. Frames need no description in
/// addition to their bytes, from which they are sent again.
/// </remarks>
internal sealed partial class PublishLog : IBufferWriter<byte>, IDisposable
{
    private const int LeastSegment = 1 << 14;
    private const int MostSegment = 1 << 18;

    // The least room for a body of unknown size.
    private const int FirstRoom = 64;

    private readonly int _frameBytes;
    private PublishSegment _first;
    private PublishSegment _last;
    private int _nextSegment = LeastSegment;
    private long _closedBytes;

    // The last segment: its array, its filled length, and the open frame's beginning (-1 for none) and number of entries.
    private byte[] _array;
    private int _end;
    private int _frame = -1;
    private int _frameEntries;
    private ushort _frameVersion;
    private byte _publisher;
    private ulong _position;

    // The end of the part that the sender has taken.
    private PublishSegment _taking;
    private int _takenTo;

    // The current message: its beginning, that of its bytes, and the frame or entry opened for it.
    private ulong _id;
    private string? _filter;
    private int _message;
    private int _body;
    private bool _openedFrame;
    private bool _openedEntry;

    /// <param name="frameBytes">The size from which a frame has nothing added.</param>
    /// <param name="subEntries">The options for entries of several messages; null for one entry per message.</param>
    /// <param name="failed">Called when their codec has thrown: it must return at once.</param>
    public PublishLog(int frameBytes, StreamSubEntryOptions? subEntries, Action<Exception>? failed = null)
    {
        _frameBytes = frameBytes;
        _batch = subEntries;
        _failed = failed;
        _array = ArrayPool<byte>.Shared.Rent(LeastSegment);
        _first = _last = _taking = new PublishSegment(_array, 0);
    }

    /// <summary>The largest frame that may be sent, its size included.</summary>
    public int FrameMax { get; set; } = 1 << 20;

    /// <summary>Gets the number of bytes that are kept.</summary>
    public long Bytes => _closedBytes + _end;

    /// <summary>Gets the number of entries.</summary>
    public ulong Position => _position;

    /// <summary>Gets the number of entries that the sender has taken on this link, or that were left out.</summary>
    public ulong TakenPosition { get; private set; }

    /// <summary>Gets the position behind all entries that a sender has taken on any link: others were never sent.</summary>
    public ulong SentPosition { get; private set; }

    /// <summary>Gets whether a frame is ready to be taken.</summary>
    public bool HasReady => _taking != _last || ReadyEnd > _takenTo;

    /// <summary>Gets whether a frame is open, to which more can be added.</summary>
    public bool HasOpen => _frame >= 0;

    private int ReadyEnd => _frame >= 0 ? _frame : _end;

    /// <summary>
    /// Begins a message, whose bytes are written to this from now on, until <see cref="EndMessage"/> or <see cref="Undo"/>.
    /// </summary>
    /// <exception cref="ArgumentException">The filter value is too long.</exception>
    public void BeginMessage(ulong id, string? filter)
    {
        if (filter is not null && Encoding.UTF8.GetByteCount(filter) > short.MaxValue)
        {
            throw new ArgumentException(
                $"A filter value takes at most {short.MaxValue} bytes of UTF-8, and this one {Encoding.UTF8.GetByteCount(filter)}.",
                nameof(filter));
        }

        _id = id;
        _filter = filter;
        if (_frame >= 0 && filter is not null && _frameVersion < 2)
        {
            CloseFrame();
        }

        WriteHeads(FirstRoom);
    }

    /// <summary>The message is whole.</summary>
    /// <returns>True if it begins an entry; otherwise it joins the last one.</returns>
    /// <exception cref="ArgumentException">It does not fit a frame. Nothing has been written.</exception>
    public bool EndMessage()
    {
        if (_end - _frame > FrameMax)
        {
            ThrowIfTooLarge();
            StartOver(0);
            ThrowIfTooLarge();
        }

        int length = _end - _body;
        BinaryPrimitives.WriteUInt32BigEndian(_array.AsSpan(_body - LengthBytes), (uint)length);
        bool isNew = _openedEntry;
        if (isNew)
        {
            _frameEntries++;
            _position++;
        }

        if (_batch is not null)
        {
            CountRecord();
        }

        if (_end - _frame >= _frameBytes)
        {
            CloseFrame();
        }

        return isNew;
    }

    /// <summary>Undoes everything that was written since <see cref="BeginMessage"/>.</summary>
    public void Undo()
    {
        _end = _message;
        if (_openedFrame)
        {
            _frame = -1;
        }

        if (_openedEntry)
        {
            _entry = -1;
        }
    }

    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)(_array.Length - _end), nameof(count));
        _end += count;
    }

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _array.AsMemory(_end);
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _array.AsSpan(_end);
    }

    /// <summary>Writes bytes of the message.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        MakeRoom(bytes.Length);
        bytes.CopyTo(_array.AsSpan(_end));
        _end += bytes.Length;
    }

    /// <summary>Takes the ready bytes that are contiguous.</summary>
    /// <param name="frames">The frames.</param>
    /// <param name="withOpen">True if the open frame is closed for that.</param>
    public bool TryTake(out ReadOnlyMemory<byte> frames, bool withOpen = true)
    {
        if (withOpen)
        {
            CloseFrame();
        }

        while (true)
        {
            int end = _taking == _last ? ReadyEnd : _taking.End;
            if (end > _takenTo)
            {
                frames = _taking.Array.AsMemory(_takenTo, end - _takenTo);
                _takenTo = end;
                TakenPosition = _taking.Next?.Position ?? (_frame >= 0 ? _position - (ulong)_frameEntries : _position);
                SentPosition = Math.Max(SentPosition, TakenPosition);
                return true;
            }

            if (_taking.Next is null)
            {
                frames = default;
                return false;
            }

            _taking = _taking.Next;
            _takenTo = 0;
        }
    }

    /// <summary>Releases the entries before a position, all of which have been taken.</summary>
    public void Release(ulong position)
    {
        while (_first != _last && _first.Next!.Position <= position)
        {
            if (_taking == _first)
            {
                (_taking, _takenTo) = (_first.Next, 0);
            }

            _closedBytes -= _first.End;
            ArrayPool<byte>.Shared.Return(_first.Array);
            _first = _first.Next;
        }

        if (_first == _last && position == _position && _frame < 0)
        {
            // Empty: start again in cached memory.
            _end = _takenTo = _last.Start = 0;
            _last.Position = _position;
        }
    }

    public void Dispose()
    {
        for (PublishSegment? segment = _first; segment is not null; segment = segment.Next)
        {
            ArrayPool<byte>.Shared.Return(segment.Array);
        }

        // A later write by mistake finds no room.
        _array = [];
        _first = _last = _taking = new PublishSegment(_array, _position);
        (_closedBytes, _end, _takenTo, _frame, _entry) = (0, 0, 0, -1, -1);
    }

    private void CloseFrame()
    {
        if (_frame < 0)
        {
            return;
        }

        CloseEntry();
        Span<byte> head = _array.AsSpan(_frame, FrameHead);
        BinaryPrimitives.WriteUInt32BigEndian(head, (uint)(_end - _frame - StreamFrames.SizeBytes));
        BinaryPrimitives.WriteUInt16BigEndian(head[StreamFrames.SizeBytes..], (ushort)CommandKey.Publish);
        BinaryPrimitives.WriteUInt16BigEndian(head[VersionAt..], _frameVersion);
        head[PublisherAt] = _publisher;
        BinaryPrimitives.WriteInt32BigEndian(head[CountAt..], _frameEntries);
        _frame = -1;
    }

    // The sizes of the parts before the bytes of a message.
    private void WriteHeads(int room)
    {
        int filterRoom = _filter is null ? 0 : Encoding.UTF8.GetMaxByteCount(_filter.Length);
        int needed = FrameHead + IdBytes + sizeof(short) + filterRoom + BatchHead.Size + LengthBytes + room;
        if (_array.Length - _end < needed)
        {
            CloseFrame();
            AddSegment(needed);
        }

        _message = _end;
        _openedFrame = _frame < 0;
        if (_openedFrame)
        {
            _frame = _end;
            _frameEntries = 0;
            _frameVersion = (ushort)(_filter is null ? 1 : 2);
            _end += FrameHead;
        }

        _openedEntry = _entry < 0;
        if (_openedEntry)
        {
            WriteEntryHead();
        }

        _end += LengthBytes;
        _body = _end;
    }

    private void WriteEntryHead()
    {
        if (_batch is not null)
        {
            _entry = _end;
            _records = 0;
            _end += IdBytes + BatchHead.Size;
            return;
        }

        BinaryPrimitives.WriteUInt64BigEndian(_array.AsSpan(_end), _id);
        _end += IdBytes;
        if (_frameVersion >= 2)
        {
            int length = _filter is null ? -1 : Encoding.UTF8.GetBytes(_filter, _array.AsSpan(_end + sizeof(short)));
            BinaryPrimitives.WriteInt16BigEndian(_array.AsSpan(_end), (short)length);
            _end += sizeof(short) + Math.Max(length, 0);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void MakeRoom(int sizeHint)
    {
        if (_array.Length - _end < Math.Max(sizeHint, 1) || sizeHint < 0)
        {
            MoveToRoom(sizeHint);
        }
    }

    // Out of line: most messages fit the current segment.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MoveToRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        if (_end - _body > FrameMax)
        {
            // It will not fit: reserve nothing more.
            throw TooLarge(_end - _body);
        }

        StartOver(Math.Max(sizeHint, 1));
    }

    // Moves the message to a new frame in another segment with more room.
    private void StartOver(int room)
    {
        int written = _end - _body;
        (byte[] from, int body) = (_array, _body);
        Undo();
        CloseFrame();
        AddSegment(FrameHead +
            IdBytes +
            sizeof(short) +
            (_filter?.Length * 3 ?? 0) +
            BatchHead.Size +
            LengthBytes +
            FirstRoom +
            written +
            Math.Max(room, written));
        WriteHeads(0);
        from.AsSpan(body, written).CopyTo(_array.AsSpan(_body));
        _end += written;
    }

    private void AddSegment(int least)
    {
        Debug.Assert(_frame < 0, "A frame lies in one segment.");
        byte[] array = ArrayPool<byte>.Shared.Rent(Math.Max(least, _nextSegment));
        _nextSegment = Math.Min(MostSegment, _nextSegment * 2);
        _last.End = _end;
        _closedBytes += _end;
        _last = _last.Next = new PublishSegment(array, _position);
        _array = array;
        _end = 0;
    }

    private void ThrowIfTooLarge()
    {
        // Alone in a frame, if one was opened for it.
        if (_openedFrame && _end - _frame > FrameMax)
        {
            throw TooLarge(_end - _body);
        }
    }

    private ArgumentException TooLarge(int length) => new(
        $"A message of {length}{(length > FrameMax ? " or more" : "")} bytes does not fit a frame: the broker and " +
        $"StreamClientOptions.RequestedFrameMax allow {FrameMax} bytes, with " +
        $"about {FrameHead + IdBytes + BatchHead.Size + LengthBytes} for its head. Raise both, or split the message.");
}
