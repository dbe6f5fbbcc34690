using System.Buffers;

namespace Wire.Tool.Showing;

/// <summary>A buffer in front of a stream: however much is written to it, little lies in memory.</summary>
/// <param name="stream">The stream.</param>
internal sealed class StreamBuffer(Stream stream) : IBufferWriter<byte>
{
    private byte[] _buffer = new byte[1 << 15];
    private int _count;

    public void Advance(int count) => _count += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        int size = Math.Max(sizeHint, 1);
        if (_buffer.Length - _count < size)
        {
            Flush();
            if (_buffer.Length < size)
            {
                _buffer = new byte[size];
            }
        }

        return _buffer.AsMemory(_count);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Writes all to the stream.</summary>
    public void Flush()
    {
        stream.Write(_buffer.AsSpan(0, _count));
        _count = 0;
    }
}
