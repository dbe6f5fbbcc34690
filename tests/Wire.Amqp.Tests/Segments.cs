using System.Buffers;

namespace Wire.Amqp.Tests;

/// <summary>Sequences of segments, cut where a test wants them cut.</summary>
internal static class Segments
{
    /// <summary>The bytes in two segments, for every place at which they can be cut; one of them is empty at both ends.</summary>
    public static IEnumerable<ReadOnlySequence<byte>> SplitEverywhere(byte[] bytes)
    {
        for (int at = 0; at <= bytes.Length; at++)
        {
            yield return Of(bytes[..at], bytes[at..]);
        }
    }

    /// <summary>The bytes in segments of so many bytes each.</summary>
    public static ReadOnlySequence<byte> Chunked(byte[] bytes, int size) => bytes.Length == 0 ? Of(bytes) : Of([.. bytes.Chunk(size)]);

    /// <summary>So many bytes behind those of the beginning and before those of the end. There is hardly any memory behind them.</summary>
    public static ReadOnlySequence<byte> Huge(byte[] begin, long length, params byte[] end)
    {
        byte[] zeros = new byte[1 << 20];
        return Of([begin, .. Enumerable.Repeat(zeros, (int)(length / zeros.Length)), new byte[length % zeros.Length], end]);
    }

    /// <summary>A sequence of these segments.</summary>
    public static ReadOnlySequence<byte> Of(params byte[][] parts)
    {
        var first = new Segment(parts[0], null);
        Segment last = first;
        foreach (byte[] part in parts.AsSpan(1))
        {
            last = new Segment(part, last);
        }

        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(byte[] bytes, Segment? previous)
        {
            Memory = bytes;
            if (previous is not null)
            {
                RunningIndex = previous.RunningIndex + previous.Memory.Length;
                previous.Next = this;
            }
        }
    }
}
