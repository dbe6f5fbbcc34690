using System.Buffers;
using System.Buffers.Binary;

namespace Wire.AspNetCore.Buffers;

/// <summary>A buffer for one value or frame, in one piece: its memory is of a pool, and the buffer itself is kept by the thread.</summary>
/// <remarks>Dispose of it once, on any thread, when nobody reads its memory any more. Not thread-safe.</remarks>
internal sealed class PooledBuffer : IBufferWriter<byte>, IDisposable
{
    // A thread keeps what most messages need, and no more.
    private const int MostKept = 64 * 1024;
    private const int Least = 512;

    [ThreadStatic]
    private static PooledBuffer? _free;

    private byte[] _array = [];
    private int _length;

    private PooledBuffer()
    {
    }

    /// <summary>Gets the number of bytes written.</summary>
    public int Length => _length;

    /// <summary>Gets what was written, until more is written or the buffer is disposed of.</summary>
    public ReadOnlyMemory<byte> Written => _array.AsMemory(0, _length);

    /// <summary>Gets an empty buffer.</summary>
    public static PooledBuffer Rent()
    {
        PooledBuffer buffer = _free ?? new();
        _free = null;
        return buffer;
    }

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _array.Length - _length);
        _length += count;
    }

    /// <inheritdoc/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Ensure(sizeHint);
        return _array.AsMemory(_length);
    }

    /// <inheritdoc/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Ensure(sizeHint);
        return _array.AsSpan(_length);
    }

    /// <summary>Leaves room for a length of four bytes, to be set when what follows is written.</summary>
    /// <returns>The position of the length.</returns>
    public int ReserveLength()
    {
        Ensure(sizeof(uint));
        _length += sizeof(uint);
        return _length - sizeof(uint);
    }

    /// <summary>Sets a length to the number of bytes that were written since.</summary>
    /// <param name="position">The result of <see cref="ReserveLength"/>.</param>
    public void SetLength(int position) =>
        BinaryPrimitives.WriteInt32LittleEndian(_array.AsSpan(position), _length - position - sizeof(uint));

    /// <summary>Forgets what was written.</summary>
    public void Clear() => _length = 0;

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_array.Length > MostKept)
        {
            ArrayPool<byte>.Shared.Return(_array);
            _array = [];
        }

        _length = 0;
        _free = this;
    }

    private void Ensure(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        if (_array.Length - _length >= Math.Max(sizeHint, 1))
        {
            return;
        }

        int size = (int)Math.Min(Array.MaxLength, Math.Max((long)_length + Math.Max(sizeHint, Least), 2L * _array.Length));
        if (size - _length < Math.Max(sizeHint, 1))
        {
            throw new InvalidOperationException($"More than {Array.MaxLength} bytes do not fit into one buffer.");
        }

        byte[] larger = ArrayPool<byte>.Shared.Rent(size);
        _array.AsSpan(0, _length).CopyTo(larger);
        if (_array.Length > 0)
        {
            ArrayPool<byte>.Shared.Return(_array);
        }

        _array = larger;
    }
}
