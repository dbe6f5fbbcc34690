using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Wire.Format;

namespace Wire.Flat;

/// <summary>
/// Strings of flat objects, as <see cref="StringFormat"/> has them: short Latin-1 text, whose header is one byte and whose characters take
/// one each, in line; other text of moderate length out of line.
/// </summary>
internal static class FlatText
{
    /// <summary>Longer text is not written as part of a flat object.</summary>
    public const int MaxLength = 1024;

    /// <summary>The maximal number of bytes in front of the characters.</summary>
    public const int MaxHeader = 2;

    /// <summary>The memory that reading a string takes for every byte: at most that of an empty object for its header.</summary>
    public const int Memory = 24;

    private const int NotFlat = -1;

    /// <summary>Gets the maximal number of bytes of a string.</summary>
    public static int MaxBytes => MaxHeader + (MaxLength * sizeof(char));

    /// <summary>Returns the room for the characters of a string; for one that is not flat, more than for any flat one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Room(string? value) => value is null ? 0 : Math.Min(value.Length, MaxLength + 1) * sizeof(char);

    /// <summary>Writes a string; there must be <see cref="Room"/> behind a header.</summary>
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
            return WriteOther(ref destination, value);
        }

        destination = (byte)StringFormat.Header(length, wide: false);
        return length + 1;
    }

    // Text that is not short or not Latin-1.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int WriteOther(ref byte destination, string value)
    {
        int length = value.Length;
        if (length > MaxLength)
        {
            return NotFlat;
        }

        bool wide = value.AsSpan().ContainsAnyExceptInRange('\0', '\u00FF');
        uint header = StringFormat.Header(length, wide);
        int headerBytes = 1;
        if (header < 0x80)
        {
            destination = (byte)header;
        }
        else
        {
            destination = (byte)(header | 0x80);
            Unsafe.Add(ref destination, 1) = (byte)(header >> 7);
            headerBytes = MaxHeader;
        }

        Span<byte> text = MemoryMarshal.CreateSpan(ref Unsafe.Add(ref destination, headerBytes), wide ? length * sizeof(char) : length);
        if (!wide)
        {
            Encoding.Latin1.GetBytes(value, text);
        }
        else if (BitConverter.IsLittleEndian)
        {
            MemoryMarshal.AsBytes(value.AsSpan()).CopyTo(text);
        }
        else
        {
            BinaryPrimitives.ReverseEndianness(
                MemoryMarshal.Cast<char, ushort>(value.AsSpan()), MemoryMarshal.Cast<byte, ushort>(text));
        }

        return headerBytes + text.Length;
    }

    /// <summary>Reads a string.</summary>
    /// <param name="source">The position of its header.</param>
    /// <param name="available">The number of bytes after the first one.</param>
    /// <param name="value">The string, which may be null.</param>
    /// <returns>How many bytes the string takes after the first one; negative when it is not flat, or there are too few.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int TryRead(ref byte source, int available, out string? value)
    {
        int header = source;
        int length = header >> 1;
        if ((header & 0x81) != 1 || length > available)
        {
            return TryReadOther(ref source, available, out value);
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

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int TryReadOther(ref byte source, int available, out string? value)
    {
        value = null;
        int header = source;
        int more = 0;
        if (header >= 0x80)
        {
            more = 1;
            int high = available > 0 ? Unsafe.Add(ref source, 1) : 0;
            if (high is 0 or >= 0x80)
            {
                return NotFlat;
            }

            header = (header & 0x7F) | (high << 7);
        }

        if (header == 0)
        {
            return 0;
        }

        bool wide = (--header & 1) != 0;
        int length = header >> 1;
        int size = wide ? length * sizeof(char) : length;
        if (size > available - more)
        {
            return NotFlat;
        }

        value = new string('\0', length);
        Span<char> text = MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(value.AsSpan()), length);
        ref byte first = ref Unsafe.Add(ref source, 1 + more);
        if (!wide)
        {
            Latin1.Widen(ref first, length, ref MemoryMarshal.GetReference(text));
        }
        else
        {
            MemoryMarshal.CreateReadOnlySpan(ref first, size).CopyTo(MemoryMarshal.AsBytes(text));
            if (!BitConverter.IsLittleEndian)
            {
                Span<ushort> units = MemoryMarshal.Cast<char, ushort>(text);
                BinaryPrimitives.ReverseEndianness(units, units);
            }
        }

        return more + size;
    }
}
