using System.Buffers;

namespace Wire.Testing;

/// <summary>The same bytes in inconvenient shapes.</summary>
public static class Fragments
{
    // Payloads up to here are cut at every byte, longer ones at both ends and at places in between.
    private const int Dense = 400;

    /// <summary>The lengths at which a payload is cut in two.</summary>
    public static IEnumerable<int> CutsOf(int length)
    {
        int step = Math.Max(1, (length - Dense) / 16);
        for (int cut = 0; cut < length; cut += length <= Dense || cut < Dense / 8 || cut >= length - (Dense / 8) ? 1 : step)
        {
            yield return cut;
        }
    }

    /// <summary>A sequence of two segments.</summary>
    public static ReadOnlySequence<byte> Split(byte[] bytes, int at) => Sequence([bytes.AsMemory(0, at), bytes.AsMemory(at)]);

    /// <summary>A sequence of segments of one size; each lies in memory of its own.</summary>
    public static ReadOnlySequence<byte> Every(byte[] bytes, int size) =>
        Sequence(bytes.Chunk(size).Select(chunk => (ReadOnlyMemory<byte>)chunk));

    // An empty one is before them.
    private static ReadOnlySequence<byte> Sequence(IEnumerable<ReadOnlyMemory<byte>> parts) => Sequences.Join(parts.Prepend(default));
}
