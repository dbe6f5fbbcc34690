using System.Buffers;

namespace Wire.Amqp;

/// <summary>
/// A body in one piece of pooled memory, for a client that makes the frames itself and wants to be given the body whole.
/// </summary>
/// <remarks>
/// Give <see cref="Written"/> to the client, then <see cref="Clear"/>. In steady state nothing is allocated. Not thread-safe: one writer at
/// a time.
/// </remarks>
public sealed class BodyBuffer : IBufferWriter<byte>, IDisposable
{
    /// <summary>The size of an array kept by <see cref="Clear"/>: 1 MiB. A larger one goes back to the pool.</summary>
    public const int RetainedBytes = 1 << 20;

    private const int InitialSize = 1024;

    private byte[] _array = [];
    private int _length;
    private bool _disposed;

    /// <summary>Gets the number of bytes that have been written since the buffer was cleared.</summary>
    public int Length => _length;

    /// <summary>
    /// Gets the bytes that were written since the buffer was cleared. Valid until it is written to again, cleared or disposed of.
    /// </summary>
    public ReadOnlyMemory<byte> Written => _array.AsMemory(0, _length);

    /// <inheritdoc/>
    /// <exception cref="ArgumentOutOfRangeException">More than was handed out.</exception>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)count, (uint)(_array.Length - _length), nameof(count));
        _length += count;
    }

    /// <inheritdoc/>
    /// <exception cref="ArgumentOutOfRangeException">The hint is negative.</exception>
    /// <exception cref="ObjectDisposedException">The buffer has been disposed of.</exception>
    /// <exception cref="InvalidOperationException">The body is larger than an array can be.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _array.AsMemory(_length);
    }

    /// <inheritdoc cref="GetMemory"/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        MakeRoom(sizeHint);
        return _array.AsSpan(_length);
    }

    /// <summary>
    /// Discards the written bytes, and keeps up to <see cref="RetainedBytes"/> of memory.
    /// </summary>
    public void Clear()
    {
        _length = 0;
        if (_array.Length > RetainedBytes)
        {
            Return();
        }
    }

    /// <summary>Gives the memory back to the pool.</summary>
    public void Dispose()
    {
        _disposed = true;
        _length = 0;
        Return();
    }

    /// <summary>Discards the bytes written after the first ones.</summary>
    internal void Truncate(int length) => _length = length;

    private void MakeRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        if (_array.Length - _length < Math.Max(sizeHint, 1))
        {
            Grow(Math.Max(sizeHint, 1));
        }
    }

    private void Grow(int size)
    {
        ObjectDisposedException.ThrowIf(_disposed, this);
        long least = (long)_length + size;
        if (least > Array.MaxLength)
        {
            throw new InvalidOperationException($"A body of {least} bytes is larger than an array can be ({Array.MaxLength} bytes).");
        }

        byte[] larger =
            ArrayPool<byte>.Shared.Rent((int)Math.Min(Array.MaxLength, Math.Max(least, Math.Max(InitialSize, _array.Length * 2L))));
        Written.CopyTo(larger);
        Return();
        _array = larger;
    }

    private void Return()
    {
        if (_array.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_array);
            _array = [];
        }
    }
}
