namespace Wire.Testing;

/// <summary>A stream like a connection: it cannot seek, and gives at most so many bytes at a time.</summary>
public sealed class TrickleStream(byte[] bytes, int atOnce) : Stream
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
