using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Wire.Format;
using Wire.Values;

namespace Wire.Compilation.Flat;

/// <summary>
/// Strings of flat objects, as <see cref="StringFormat"/> has them: short Latin-1 text, whose header is one byte and whose characters take
/// one each, in line; other text out of line.
/// </summary>
internal static class FlatText
{
    /// <summary>The maximal number of bytes in front of the characters.</summary>
    public const int MaxHeader = 2;

    /// <summary>No flat message has room for so much text.</summary>
    public const int TooLong = 1 << 16;

    private const int NotFlat = -1;

    /// <summary>Returns the number of characters; of very long text, more than any flat message has room for.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Length(string? value) => value is null ? 0 : Math.Min(value.Length, TooLong);

    /// <summary>Writes a string; there must be room for the header, and for two bytes a character.</summary>
    /// <returns>The number of bytes written.</returns>
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
            || !Latin1.TryNarrow(ref Unsafe.AsRef(in value.GetPinnableReference()), length, ref Unsafe.Add(ref destination, 1)))
        {
            return WriteSlow(ref destination, value);
        }

        destination = (byte)StringFormat.Header(length, wide: false);
        return length + 1;
    }

    // Text that is not short or not Latin-1.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int WriteSlow(ref byte destination, string value)
    {
        int length = value.Length;
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
    /// <param name="isCounted">True if long text is counted, and not read here.</param>
    /// <returns>How many bytes the string takes after the first one; negative when it is not read, or there are too few.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int TryRead(ref byte source, int available, out string? value, bool isCounted)
    {
        int header = source;
        int length = header >> 1;
        if ((header & 0x81) != 1 || length > available)
        {
            return TryReadSlow(ref source, available, null, out value, isCounted);
        }

        if (length == 0)
        {
            value = "";
            return 0;
        }

        value = new string('\0', length);
        Latin1.Widen(ref Unsafe.Add(ref source, 1), length, ref Unsafe.AsRef(in value.GetPinnableReference()));
        return length;
    }

    /// <summary>Reads a string; one that is equal stays what it is.</summary>
    /// <inheritdoc cref="TryRead"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int TryReadOver(ref byte source, int available, ref string? value, bool isCounted)
    {
        int header = source;
        int length = header >> 1;
        return (header & 0x81) != 1 || length > available ? TryReadSlow(ref source, available, value, out value, isCounted)
            : value is { } text && text.Length == length
            && Latin1.Equal(ref Unsafe.Add(ref source, 1), length, ref Unsafe.AsRef(in text.GetPinnableReference()))
            ? length
            : TryRead(ref source, available, out value, isCounted);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int TryReadSlow(ref byte source, int available, string? known, out string? value, bool isCounted)
    {
        value = null;
        int header = source;
        int more = 0;
        if (header >= 0x80)
        {
            more = 1;
            int high = available > 0 ? Unsafe.Add(ref source, 1) : 0;
            if (isCounted || high is 0 or >= 0x80)
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

        ref byte first = ref Unsafe.Add(ref source, 1 + more);
        if (known is not null && StringFormat.AreSame(MemoryMarshal.CreateReadOnlySpan(ref first, size), known, wide))
        {
            value = known;
            return more + size;
        }

        value = new string('\0', length);
        Span<char> text = MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(value.AsSpan()), length);
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
