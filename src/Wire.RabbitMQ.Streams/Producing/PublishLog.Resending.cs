using System.Buffers.Binary;
using Wire.RabbitMQ.Streams.Protocol;
using static Wire.RabbitMQ.Streams.Producing.PublishLayout;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>Sends frames again from their own bytes, and leaves out what is not to be sent any more.</summary>
internal sealed partial class PublishLog
{
    /// <summary>Begins again on another link: the entries from a position on are ready to be sent.</summary>
    /// <param name="publisher">The number of the publisher on that link.</param>
    /// <param name="position">The first entry that is not confirmed.</param>
    public void Rewind(byte publisher, ulong position)
    {
        _publisher = publisher;
        Release(position);
        Take(_first, Skip(_first, _first.Start, _first.Position, position), position);
        for (PublishSegment? segment = _first; segment is not null; segment = segment.Next)
        {
            int end = segment == _last ? ReadyEnd : segment.End;
            for (int frame = segment == _first ? _takenTo : 0; frame < end; frame += Size(segment.Array, frame))
            {
                segment.Array[frame + PublisherAt] = publisher;
            }
        }
    }

    /// <summary>Leaves out the entries before a position that have not been taken. No open frame may have any of them.</summary>
    public void SkipTo(ulong position)
    {
        while (_taking.Next is { } next && next.Position <= position)
        {
            (_taking, _takenTo, TakenPosition) = (next, 0, next.Position);
        }

        if (TakenPosition < position)
        {
            Take(_taking, Skip(_taking, _takenTo, TakenPosition, position), position);
        }
    }

    /// <summary>The largest frame to be sent, including the open one, and the highest version of one.</summary>
    public (int Size, ushort Version) Largest()
    {
        (int size, ushort version) = _frame >= 0 ? (_end - _frame, _frameVersion) : (0, (ushort)1);
        PublishSegment? segment = _taking;
        for (int frame = _takenTo; segment is not null; segment = segment.Next, frame = 0)
        {
            int end = segment == _last ? ReadyEnd : segment.End;
            for (; frame < end; frame += Size(segment.Array, frame))
            {
                size = Math.Max(size, Size(segment.Array, frame));
                version = Math.Max(version, BinaryPrimitives.ReadUInt16BigEndian(segment.Array.AsSpan(frame + VersionAt)));
            }
        }

        return (size, version);
    }

    // Goes on from an entry in a segment. What is before it there may have been written over, and is never looked at again.
    private void Take(PublishSegment segment, int start, ulong position)
    {
        (segment.Start, segment.Position) = (start, position);
        (_taking, _takenTo, TakenPosition) = (segment, start, position);
    }

    // The offset of an entry in a segment, searched from a frame on. If its frame begins earlier, the rest becomes a separate frame: the
    // new head overwrites the entries before it, which take at least 12 bytes each, enough together with the old head.
    private int Skip(PublishSegment segment, int frame, ulong at, ulong position)
    {
        byte[] array = segment.Array;
        int end = segment == _last ? ReadyEnd : segment.End;
        while (frame < end)
        {
            int size = Size(array, frame);
            int count = BinaryPrimitives.ReadInt32BigEndian(array.AsSpan(frame + CountAt));
            if (at + (ulong)count > position)
            {
                return at == position ? frame : Shorten(array, frame, size, count, (int)(position - at));
            }

            at += (ulong)count;
            frame += size;
        }

        return end;
    }

    private static int Shorten(byte[] array, int frame, int size, int count, int skipped)
    {
        ushort version = BinaryPrimitives.ReadUInt16BigEndian(array.AsSpan(frame + VersionAt));
        int entry = frame + FrameHead;
        for (int i = 0; i < skipped; i++)
        {
            entry += EntrySize(array.AsSpan(entry), version);
        }

        int start = entry - FrameHead;
        array.AsSpan(frame, FrameHead).CopyTo(array.AsSpan(start));
        BinaryPrimitives.WriteUInt32BigEndian(array.AsSpan(start), (uint)(frame + size - start - StreamFrames.SizeBytes));
        BinaryPrimitives.WriteInt32BigEndian(array.AsSpan(start + CountAt), count - skipped);
        return start;
    }

    private static int EntrySize(ReadOnlySpan<byte> entry, ushort version)
    {
        int message = IdBytes;
        if (version >= 2)
        {
            message += sizeof(short) + Math.Max((short)0, BinaryPrimitives.ReadInt16BigEndian(entry[IdBytes..]));
        }

        uint first = BinaryPrimitives.ReadUInt32BigEndian(entry[message..]);
        return message +
            ((first & BatchHead.Bit) == 0 ? LengthBytes + (int)first : BatchHead.Size + (int)BatchHead.Read(entry[message..], 0).Length);
    }

    private static int Size(byte[] array, int frame) => StreamFrames.SizeBytes + BinaryPrimitives.ReadInt32BigEndian(array.AsSpan(frame));
}
