using System.Buffers;
using Wire.Testing;

namespace Wire.Tests.Testing;

/// <summary>The same bytes in inconvenient shapes.</summary>
internal static class Fragments
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
    public static ReadOnlySequence<byte> Every(byte[] bytes, int size) => Sequence(bytes.Chunk(size).Select(chunk => (ReadOnlyMemory<byte>)chunk));

    // An empty one is before them.
    private static ReadOnlySequence<byte> Sequence(IEnumerable<ReadOnlyMemory<byte>> parts) => Sequences.Join(parts.Prepend(default));
}

/// <summary>A stream like a connection: it cannot seek, and gives at most so many bytes at a time.</summary>
internal sealed class TrickleStream(byte[] bytes, int atOnce) : Stream
{
    /// <summary>How many bytes were taken from it.</summary>
    public int Taken { get; private set; }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int Read(Span<byte> buffer)
    {
        int count = Math.Min(Math.Min(atOnce, buffer.Length), bytes.Length - Taken);
        bytes.AsSpan(Taken, count).CopyTo(buffer);
        Taken += count;
        return count;
    }

    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => new(Read(buffer.Span));

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
