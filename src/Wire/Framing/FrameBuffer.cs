using System.Buffers;

namespace Wire.Framing;

/// <summary>
/// Pooled memory for frames on their way to a stream: one array that grows, so that all of them go out in one call.
/// </summary>
internal sealed class FrameBuffer : IBufferWriter<byte>, IDisposable
{
    private const int LeastBytes = 512;

    private byte[] _buffer = [];
    private int _length;

    public ReadOnlyMemory<byte> Written => _buffer.AsMemory(0, _length);

    public void Advance(int count) => _length += count;

    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Ensure(Math.Max(1, sizeHint));
        return _buffer.AsMemory(_length);
    }

    public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

    /// <summary>Forgets what has been written, and keeps the memory.</summary>
    public void Clear() => _length = 0;

    public void Dispose()
    {
        byte[] rented = _buffer;
        _buffer = [];
        _length = 0;
        if (rented.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(rented);
        }
    }

    private void Ensure(int room)
    {
        if (_buffer.Length - _length >= room)
        {
            return;
        }

        long wanted = Math.Max((long)_length + room, Math.Max(LeastBytes, _buffer.Length * 2L));
        byte[] larger = ArrayPool<byte>.Shared.Rent((int)Math.Min(wanted, Math.Max(Array.MaxLength, (long)_length + room)));
        Written.CopyTo(larger);
        if (_buffer.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
        }

        _buffer = larger;
    }
}
