using System.Buffers;
using System.Buffers.Binary;
using Wire.RabbitMQ.Streams.Protocol;
using static Wire.RabbitMQ.Streams.Producing.PublishLayout;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>Entries of several messages.</summary>
internal sealed partial class PublishLog
{
    private readonly StreamSubEntryOptions? _batch;
    private readonly Action<Exception>? _failed;

    // The beginning of the open entry (-1 for none), and its number of messages.
    private int _entry = -1;
    private int _records;
    private ArrayBufferWriter<byte>? _compressed;

    /// <summary>Gets the number of entries to which nothing more is added.</summary>
    public ulong ClosedPosition => _entry >= 0 ? _position - 1 : _position;

    /// <summary>Gets whether the next message usually joins others, in the entry that is open.</summary>
    public bool HasOpenEntry => _entry >= 0;

    /// <summary>Closes the open frame if it has entries before a position, which are to be left out then.</summary>
    public void CloseUpTo(ulong position)
    {
        if (_frame >= 0 && position > _position - (ulong)_frameEntries)
        {
            CloseFrame();
        }
    }

    private void CountRecord()
    {
        // The id of an entry is that of its last message.
        BinaryPrimitives.WriteUInt64BigEndian(_array.AsSpan(_entry), _id);
        if (++_records == _batch!.MaxMessages)
        {
            CloseEntry();
        }
    }

    private void CloseEntry()
    {
        if (_entry < 0)
        {
            return;
        }

        int start = _entry + IdBytes + BatchHead.Size;
        int length = _end - start;
        var head = new BatchHead(StreamCompression.None, _records, (uint)length, (uint)length);
        if (_batch!.Codec is { } codec && Compress(codec, _array.AsMemory(start, length)) is var compressed && compressed.Length < length)
        {
            compressed.CopyTo(_array.AsSpan(start));
            _end = start + compressed.Length;
            head = head with { Compression = codec.Compression, Length = (uint)compressed.Length };
        }

        head.Write(_array.AsSpan(_entry + IdBytes));
        _entry = -1;
    }

    private ReadOnlySpan<byte> Compress(IStreamCompressionCodec codec, ReadOnlyMemory<byte> records)
    {
        _compressed ??= new ArrayBufferWriter<byte>();
        _compressed.ResetWrittenCount();
        try
        {
            codec.Compress(records, _compressed);
            return _compressed.WrittenSpan;
        }
        catch (Exception e)
        {
            // The sender of a link, which this may be, has other producers too: the entry goes as it is, and the producer ends.
            _failed?.Invoke(e);
            return records.Span;
        }
    }
}
