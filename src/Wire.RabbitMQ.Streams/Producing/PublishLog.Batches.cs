using System.Buffers.Binary;
using System.IO.Compression;
using Wire.RabbitMQ.Streams.Protocol;
using static Wire.RabbitMQ.Streams.Producing.PublishLayout;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>Entries of several messages.</summary>
internal sealed partial class PublishLog
{
    private readonly StreamSubEntryOptions? _batch;

    // The beginning of the open entry (-1 for none), and its number of messages.
    private int _entry = -1;
    private int _records;
    private MemoryStream? _compressed;

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
        if (_batch!.GZip && Compress(_array.AsSpan(start, length)) is var compressed && compressed.Length < length)
        {
            compressed.CopyTo(_array.AsSpan(start));
            _end = start + compressed.Length;
            head = head with { Compression = StreamCompression.GZip, Length = (uint)compressed.Length };
        }

        head.Write(_array.AsSpan(_entry + IdBytes));
        _entry = -1;
    }

    private ReadOnlySpan<byte> Compress(ReadOnlySpan<byte> records)
    {
        _compressed ??= new MemoryStream();
        _compressed.SetLength(0);
        using (var gzip = new GZipStream(_compressed, CompressionLevel.Fastest, leaveOpen: true))
        {
            gzip.Write(records);
        }

        return _compressed.GetBuffer().AsSpan(0, (int)_compressed.Length);
    }
}
