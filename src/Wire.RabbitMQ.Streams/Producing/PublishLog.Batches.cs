using System.Buffers.Binary;
using System.IO.Compression;
using static Wire.RabbitMQ.Streams.Producing.PublishLayout;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>Entries of several messages.</summary>
internal sealed partial class PublishLog
{
    private readonly StreamSubEntryOptions? _batch;

    // Where the open entry begins (-1 for none), and how many messages it has.
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

        int start = _entry + IdBytes + BatchHead;
        int length = _end - start;
        Span<byte> head = _array.AsSpan(_entry + IdBytes, BatchHead);
        head[0] = BatchBit;
        BinaryPrimitives.WriteUInt16BigEndian(head[1..], (ushort)_records);
        BinaryPrimitives.WriteUInt32BigEndian(head[3..], (uint)length);
        if (_batch!.GZip)
        {
            ReadOnlySpan<byte> compressed = Compress(_array.AsSpan(start, length));
            if (compressed.Length < length)
            {
                head[0] |= GZip;
                compressed.CopyTo(_array.AsSpan(start));
                length = compressed.Length;
                _end = start + length;
            }
        }

        BinaryPrimitives.WriteUInt32BigEndian(head[7..], (uint)length);
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
