namespace Wire.Testing;

/// <summary>
/// A stream that can seek, as a file does: of a class that derives from the one for memory, nobody knows where its bytes are.
/// </summary>
public sealed class SeekableStream : MemoryStream
{
    public SeekableStream()
    {
    }

    public SeekableStream(byte[] bytes)
        : base(bytes)
    {
    }

    public SeekableStream(byte[] bytes, int offset, int count)
        : base(bytes, offset, count)
    {
    }
}
