using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Format;

/// <summary>
/// Strings of flat objects: those of <see cref="StringFormat"/> whose header is one byte and whose characters take one each.
/// </summary>
internal static class FlatText
{
    private const int NotFlat = -1;

    /// <summary>
    /// Returns the number of bytes that a string takes after its header; for one that is not flat, more than for any flat one.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Length(string? value) => value is null ? 0 : Math.Min(value.Length, StringFormat.MaxShortLength + 1);

    /// <summary>Writes a string; the destination must have room for its <see cref="Length"/> and a header.</summary>
    /// <returns>The number of bytes written; negative when the string is not flat.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Write(ref byte destination, string? value)
    {
        if (value is null)
        {
            destination = 0;
            return 1;
        }

        int length = value.Length;
        if (length > StringFormat.MaxShortLength
            || !Latin1.TryNarrow(ref MemoryMarshal.GetReference(value.AsSpan()), length, ref Unsafe.Add(ref destination, 1)))
        {
            return NotFlat;
        }

        destination = (byte)StringFormat.Header(length, wide: false);
        return length + 1;
    }

    /// <summary>Reads a string.</summary>
    /// <param name="source">The position of its header.</param>
    /// <param name="available">The number of bytes after it.</param>
    /// <param name="value">The string, which may be null.</param>
    /// <returns>How many bytes the string takes after its header; negative when it is not flat, or there are too few.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int TryRead(ref byte source, int available, out string? value)
    {
        int header = source;
        int length = header >> 1;
        if ((header & 0x81) != 1 || length > available)
        {
            value = null;
            return header == 0 ? 0 : NotFlat;
        }

        if (length == 0)
        {
            value = "";
            return 0;
        }

        value = new string('\0', length);
        Latin1.Widen(ref Unsafe.Add(ref source, 1), length, ref MemoryMarshal.GetReference(value.AsSpan()));
        return length;
    }
}
