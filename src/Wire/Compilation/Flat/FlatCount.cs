using System.Runtime.CompilerServices;

namespace Wire.Compilation.Flat;

/// <summary>The count of elements in flat objects: one byte or two.</summary>
internal static class FlatCount
{
    /// <summary>The maximal number of bytes.</summary>
    public const int MaxSize = 2;

    /// <summary>Writes a count, and returns its number of bytes.</summary>
    /// <param name="destination">The position.</param>
    /// <param name="count">The count, at most <see cref="Wire.Flat.FlatBounds.MaxBytes"/>.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Store(ref byte destination, int count)
    {
        if (count < 0x80)
        {
            destination = (byte)count;
            return 1;
        }

        destination = (byte)(count | 0x80);
        Unsafe.Add(ref destination, 1) = (byte)(count >> 7);
        return MaxSize;
    }

    /// <summary>Reads a count.</summary>
    /// <param name="source">The first byte of it.</param>
    /// <param name="available">The number of bytes behind that.</param>
    /// <param name="elementSize">The least number of bytes that an element takes.</param>
    /// <param name="count">The count.</param>
    /// <returns>The number of bytes of the count behind the first one; negative when there are not so many elements.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Load(ref byte source, int available, int elementSize, out int count)
    {
        count = source;
        int more = 0;
        if (count >= 0x80)
        {
            int high = available > 0 ? Unsafe.Add(ref source, 1) : 0;
            if (high is 0 or >= 0x80)
            {
                return -1;
            }

            count = (count & 0x7F) | (high << 7);
            more = 1;
        }

        return count * elementSize > available - more ? -1 : more;
    }
}
