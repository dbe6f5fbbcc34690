namespace Wire.Amqp.Primitives;

/// <summary>One array that grows by doubling, for output that must be contiguous until its lengths are filled in.</summary>
internal sealed class GrowingBuffer
{
    private const int InitialCapacity = 256;

    private byte[] _array = new byte[InitialCapacity];

    /// <summary>Gets the number of bytes that are filled.</summary>
    public int Length { get; set; }

    /// <summary>The whole array, until it grows.</summary>
    public byte[] Bytes => _array;

    /// <summary>The whole array, filled or not.</summary>
    public Span<byte> Whole => _array;

    /// <summary>Gets the bytes that are filled. Valid until the buffer is written to again.</summary>
    public ReadOnlyMemory<byte> Filled => _array.AsMemory(0, Length);

    /// <summary>Makes room for a number of bytes after the filled ones.</summary>
    /// <exception cref="ArgumentException">More than an array can have.</exception>
    public void Grow(int size)
    {
        long least = (long)Length + size;
        if (least > Array.MaxLength)
        {
            throw new ArgumentException($"A value of {least} bytes is larger than an array can be ({Array.MaxLength} bytes).");
        }

        Array.Resize(ref _array, (int)Math.Min(Array.MaxLength, Math.Max(least, _array.Length * 2L)));
    }
}
