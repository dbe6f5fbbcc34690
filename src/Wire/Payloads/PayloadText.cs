using System.Buffers.Binary;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;
using Wire.Format;

namespace Wire;

/// <summary>
/// Text in a payload, where it lies: no string is made of it. It is valid as long as the memory of the payload is, and does not change.
/// The default value is null.
/// </summary>
public readonly ref struct PayloadText
{
    private readonly bool _isThere;

    /// <param name="bytes">The characters.</param>
    /// <param name="isWide">True if each takes two bytes.</param>
    internal PayloadText(ReadOnlySpan<byte> bytes, bool isWide)
    {
        Bytes = bytes;
        IsLatin1 = !isWide;
        _isThere = true;
    }

    /// <param name="text">Text that is no part of a payload.</param>
    internal PayloadText(string? text)
    {
        if (text is null)
        {
            return;
        }

        _isThere = true;
        IsLatin1 = !text.AsSpan().ContainsAnyExceptInRange('\0', '\u00FF');
        byte[] bytes = new byte[IsLatin1 ? text.Length : text.Length * sizeof(char)];
        if (IsLatin1)
        {
            Encoding.Latin1.GetBytes(text, bytes);
        }
        else
        {
            MemoryMarshal.AsBytes(text.AsSpan()).CopyTo(bytes);
            Reverse(MemoryMarshal.Cast<byte, char>(bytes.AsSpan()));
        }

        Bytes = bytes;
    }

    /// <summary>Reads text in place, or null; false where the bytes are too few or no text.</summary>
    /// <param name="bytes">The bytes, from its length on.</param>
    /// <param name="text">The text.</param>
    /// <param name="length">How many bytes it takes, with its length.</param>
    internal static bool TryRead(ReadOnlySpan<byte> bytes, out PayloadText text, out int length)
    {
        text = default;
        length = 1;
        if (bytes.IsEmpty)
        {
            return false;
        }

        uint header = bytes[0];
        if (header >= 0x80 && !VarUInt32.TryRead(bytes, out header, out length))
        {
            return false;
        }

        if (header == 0)
        {
            return true;
        }

        header--;
        bool isWide = (header & 1) != 0;
        long size = (long)(header >> 1) << (isWide ? 1 : 0);
        if (size > bytes.Length - length)
        {
            return false;
        }

        text = new PayloadText(bytes.Slice(length, (int)size), isWide);
        length += (int)size;
        return true;
    }

    /// <summary>Gets whether it is null. All else is then empty.</summary>
    public bool IsNull => !_isThere;

    /// <summary>
    /// Gets whether each character takes one byte, its code in Latin-1, as Wire writes all text that has no others; otherwise each takes
    /// two, little-endian.
    /// </summary>
    public bool IsLatin1 { get; }

    /// <summary>Gets the bytes of the characters.</summary>
    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Gets the number of characters, as those of a string are counted.</summary>
    public int Length => IsLatin1 ? Bytes.Length : Bytes.Length / sizeof(char);

    /// <summary>Gets a character.</summary>
    /// <param name="index">Its index, from 0.</param>
    /// <exception cref="IndexOutOfRangeException">The text is shorter.</exception>
    public char this[int index] => IsLatin1
        ? (char)Bytes[index]
        : (char)(Bytes[index * sizeof(char)] | (Bytes[(index * sizeof(char)) + 1] << 8));

    /// <summary>Copies the characters.</summary>
    /// <param name="destination">Where they go.</param>
    /// <param name="charsWritten">How many were copied: all, or none.</param>
    /// <returns>False where they do not fit.</returns>
    public bool TryFormat(Span<char> destination, out int charsWritten)
    {
        charsWritten = 0;
        int length = Length;
        if (length > destination.Length)
        {
            return false;
        }

        if (length > 0)
        {
            Decode(destination[..length]);
        }

        charsWritten = length;
        return true;
    }

    /// <summary>Writes the text as UTF-8. An unpaired surrogate becomes the replacement character.</summary>
    /// <param name="destination">Where it goes.</param>
    /// <param name="bytesWritten">How many bytes were written: those of all, or none.</param>
    /// <returns>False where they do not fit.</returns>
    public bool TryFormat(Span<byte> destination, out int bytesWritten)
    {
        const int Piece = 256;
        Span<char> characters = stackalloc char[Piece];
        bytesWritten = 0;
        int at = 0, written = 0;
        while (at < Length)
        {
            int count = Math.Min(Piece, Length - at);
            if (at + count < Length && char.IsHighSurrogate(this[at + count - 1]))
            {
                count--;
            }

            Slice(at, count).Decode(characters[..count]);
            if (Utf8.FromUtf16(characters[..count], destination[written..], out _, out int more) != System.Buffers.OperationStatus.Done)
            {
                return false;
            }

            written += more;
            at += count;
        }

        bytesWritten = written;
        return true;
    }

    /// <summary>Compares the characters with others, one by one. Null is not equal to empty text.</summary>
    /// <param name="other">The others.</param>
    public bool Equals(ReadOnlySpan<char> other) => _isThere && Length == other.Length && StartsWith(other);

    /// <summary>Returns whether the characters begin with others.</summary>
    /// <param name="other">The others.</param>
    public bool StartsWith(ReadOnlySpan<char> other)
    {
        if (!_isThere || Length < other.Length)
        {
            return false;
        }

        if (!IsLatin1 && BitConverter.IsLittleEndian)
        {
            return Bytes.StartsWith(MemoryMarshal.AsBytes(other));
        }

        for (int i = 0; i < other.Length; i++)
        {
            if (this[i] != other[i])
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Makes a string of it; null where it is null.</summary>
    public override string? ToString()
    {
        if (!_isThere)
        {
            return null;
        }

        string text = new('\0', Length);
        if (text.Length > 0)
        {
            Decode(MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(text.AsSpan()), text.Length));
        }

        return text;
    }

    private PayloadText Slice(int start, int count)
    {
        int size = IsLatin1 ? 1 : sizeof(char);
        return new(Bytes.Slice(start * size, count * size), isWide: !IsLatin1);
    }

    private void Decode(Span<char> destination)
    {
        if (IsLatin1)
        {
            Latin1.Widen(ref MemoryMarshal.GetReference(Bytes), destination.Length, ref MemoryMarshal.GetReference(destination));
        }
        else
        {
            Bytes.CopyTo(MemoryMarshal.AsBytes(destination));
            Reverse(destination);
        }
    }

    // What is little-endian in payloads, on other machines.
    private static void Reverse(Span<char> text)
    {
        if (!BitConverter.IsLittleEndian)
        {
            Span<ushort> units = MemoryMarshal.Cast<char, ushort>(text);
            BinaryPrimitives.ReverseEndianness(units, units);
        }
    }
}
