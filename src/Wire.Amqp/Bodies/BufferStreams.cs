using System.Buffers;

namespace Wire.Amqp.Bodies;

/// <summary>A stream over a buffer writer, for compressors, which need a stream.</summary>
internal sealed class BufferWriterStream(IBufferWriter<byte> output) : Stream
{
    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override void Write(ReadOnlySpan<byte> buffer) => output.Write(buffer);

    public override void Write(byte[] buffer, int offset, int count) => output.Write(buffer.AsSpan(offset, count));

    public override void Flush()
    {
        // Nothing is held back.
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}

/// <summary>
/// A stream over a sequence, for decompressors, which need a stream. They take an input that ends too early for its end, so it notes that.
/// </summary>
/// <param name="input">The sequence.</param>
/// <param name="behind">Bytes that follow it where a decompressor asks for more also when nothing is missing.</param>
internal sealed class SequenceStream(ReadOnlySequence<byte> input, ReadOnlyMemory<byte> behind = default) : Stream
{
    private ReadOnlySequence<byte> _rest = input;
    private ReadOnlyMemory<byte> _behind = behind;

    /// <summary>Gets whether more was asked for than there is.</summary>
    public bool WasTooShort { get; private set; }

    public override bool CanRead => true;

    public override bool CanSeek => false;

    public override bool CanWrite => false;

    public override long Length => throw new NotSupportedException();

    public override long Position
    {
        get => throw new NotSupportedException();
        set => throw new NotSupportedException();
    }

    public override int Read(Span<byte> buffer)
    {
        if (_rest.IsEmpty)
        {
            (_rest, _behind) = (new ReadOnlySequence<byte>(_behind), default);
            WasTooShort = _rest.IsEmpty && !buffer.IsEmpty;
        }

        int count = (int)Math.Min(buffer.Length, _rest.Length);
        _rest.Slice(0, count).CopyTo(buffer);
        _rest = _rest.Slice(count);
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override void Flush() => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
}
