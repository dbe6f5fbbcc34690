using System.Buffers;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>One array that is written as a whole and read as a sequence of segments.</summary>
internal sealed class Segmented
{
    private const int SegmentSize = 500;

    public Segmented(int size)
    {
        Bytes = new byte[size];
        var first = new Segment(Bytes.AsMemory(0, Math.Min(SegmentSize, size)), null);
        Segment last = first;
        for (int at = SegmentSize; at < size; at += SegmentSize)
        {
            last = new Segment(Bytes.AsMemory(at, Math.Min(SegmentSize, size - at)), last);
        }

        Sequence = new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    public byte[] Bytes { get; }

    public ReadOnlySequence<byte> Sequence { get; }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, Segment? previous)
        {
            Memory = memory;
            if (previous is not null)
            {
                RunningIndex = previous.RunningIndex + previous.Memory.Length;
                previous.Next = this;
            }
        }
    }
}
