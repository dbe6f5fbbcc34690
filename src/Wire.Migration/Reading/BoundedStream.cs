using Wire.Errors;

namespace Wire.Migration.Reading;

/// <summary>
/// The caller's stream, of which no more than a number of bytes is read. It keeps what the stream has thrown, which is no error of the
/// bytes.
/// </summary>
internal sealed class BoundedStream(Stream inner, long limit) : Stream
{
    private readonly long _begin = inner.CanSeek ? inner.Position : 0;

    /// <summary>Gets the number of bytes that were read.</summary>
    public long Count { get; private set; }

    /// <summary>Gets what the stream has thrown; null when it has thrown nothing.</summary>
    public Exception? Failure { get; private set; }

    public override bool CanRead => inner.CanRead;

    // The decoder compares lengths with what is left, which spares it from reading in pieces.
    public override bool CanSeek => inner.CanSeek;

    public override bool CanWrite => false;

    public override long Length => inner.Length - _begin;

    public override long Position
    {
        get => inner.Position - _begin;
        set => throw new NotSupportedException();
    }

    public override int Read(Span<byte> buffer)
    {
        int read;
        try
        {
            read = inner.Read(buffer);
        }
        catch (Exception e)
        {
            Failure = e;
            throw;
        }

        Count += read;
        if (Count > limit)
        {
            ThrowHelper.Limit(nameof(Limits.MaxBytes), limit, "The payload");
        }

        return read;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int ReadByte()
    {
        byte value = 0;
        return Read(new Span<byte>(ref value)) == 0 ? -1 : value;
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override void Flush()
    {
    }
}
