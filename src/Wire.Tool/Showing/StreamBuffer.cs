using System.Buffers;

namespace Wire.Tool.Showing;

/// <summary>A buffer in front of a stream or another consumer: however much is written to it, little lies in memory.</summary>
/// <param name="write">Takes the bytes.</param>
internal sealed class StreamBuffer(Action<ReadOnlySpan<byte>> write) : IBufferWriter<byte>
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

    /// <summary>Writes all.</summary>
    public void Flush()
    {
        write(_buffer.AsSpan(0, _count));
        _count = 0;
    }
}
