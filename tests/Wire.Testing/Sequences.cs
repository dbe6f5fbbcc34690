using System.Buffers;

namespace Wire.Testing;

/// <summary>Sequences of segments, cut where a test wants them cut.</summary>
public static class Sequences
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
    public static ReadOnlySequence<byte> Of(params byte[][] parts) => Join(parts.Select(part => (ReadOnlyMemory<byte>)part));

    /// <summary>A sequence of these segments, of which there is at least one.</summary>
    public static ReadOnlySequence<byte> Join(IEnumerable<ReadOnlyMemory<byte>> parts)
    {
        Segment? first = null, last = null;
        foreach (ReadOnlyMemory<byte> part in parts)
        {
            last = new Segment(part, last);
            first ??= last;
        }

        return new ReadOnlySequence<byte>(first!, 0, last!, last!.Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> bytes, Segment? previous)
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
