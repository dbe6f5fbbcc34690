using System.Buffers;
using System.Runtime.CompilerServices;

namespace Wire.Buffers;

/// <summary>
/// The source of the windows of contiguous memory of a <see cref="WireWriter"/> that does not write to a caller's buffer writer gets its
/// windows of contiguous memory from, and leaves them when they are full.
/// </summary>
internal abstract class Output
{
    /// <summary>Keeps the first <paramref name="written"/> bytes of the current window and returns the next one.</summary>
    /// <param name="written">How much of the current window is filled.</param>
    /// <param name="needed">The least size of the next window; 0 when only the bytes written are to be kept.</param>
    /// <param name="wanted">How much is still to come, as far as the caller knows.</param>
    public abstract Span<byte> Next(int written, int needed, long wanted);
}

/// <summary>The session's own reusable buffer, growing by doubling.</summary>
internal sealed class ArrayOutput : Output
{
    private const int InitialCapacity = 512;

    // The capacity kept between calls. More is rented, and returned when the call ends.
    private const int RetainedCapacity = 1 << 20;

    private byte[] _buffer = new byte[InitialCapacity];
    private bool _rented;
    private int _position;

    /// <summary>Gets the bytes that were written. Valid until the next <see cref="Reset"/>.</summary>
    public ReadOnlySpan<byte> Written => _buffer.AsSpan(0, _position);

    public void Reset()
    {
        _position = 0;
        if (_rented)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = new byte[InitialCapacity];
            _rented = false;
        }
    }

    public void Rewind() => _position = 0;

    public override Span<byte> Next(int written, int needed, long wanted)
    {
        _position += written;
        long least = (long)_position + needed;
        if (least > _buffer.Length)
        {
            Grow(least, Math.Max(least, _position + wanted));
        }

        return _buffer.AsSpan(_position);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(long least, long wanted)
    {
        if (least > Array.MaxLength)
        {
            throw new ArgumentException(
                $"The payload is larger than an array can be ({Array.MaxLength} bytes): serialize it to a Stream or an " +
                "IBufferWriter<byte>.");
        }

        int capacity = (int)Math.Min(Array.MaxLength, Math.Max(wanted, _buffer.Length * 2L));
        byte[] larger = capacity <= RetainedCapacity ? new byte[capacity] : ArrayPool<byte>.Shared.Rent(capacity);
        _buffer.AsSpan(0, _position).CopyTo(larger);
        if (_rented)
        {
            ArrayPool<byte>.Shared.Return(_buffer);
        }

        _buffer = larger;
        _rented = capacity > RetainedCapacity;
    }
}

/// <summary>A stream, written to in chunks of <see cref="ChunkSize"/> or more; small values in one piece when they are complete.</summary>
internal sealed class StreamOutput(ArrayOutput buffer) : Output
{
    public const int ChunkSize = 1 << 16;

    private Stream? _stream;

    /// <summary>Gets whether a message goes to a stream.</summary>
    public bool IsAttached => _stream is not null;

    /// <summary>Gets whether bytes of the message have gone to the stream, or may have.</summary>
    public bool HasSent { get; private set; }

    public void Attach(Stream? stream)
    {
        _stream = stream;
        HasSent = false;
    }

    public override Span<byte> Next(int written, int needed, long wanted)
    {
        buffer.Next(written, 0, 0);
        if (buffer.Written.Length >= ChunkSize)
        {
            Flush();
        }

        return buffer.Next(0, needed, Math.Min(wanted, ChunkSize));
    }

    public void Flush()
    {
        HasSent = true;
        _stream!.Write(buffer.Written);
        buffer.Rewind();
    }
}
