using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Wire.Errors;
using Wire.Format;

namespace Wire.Values;

/// <summary>
/// A string: a variable-length integer that is 0 for null and else 1 + 2 * length + wide, then length bytes (Latin-1) or, when wide is 1,
/// length UTF-16 code units (docs/format.md, clause 4.2).
/// </summary>
internal static class StringFormat
{
    /// <summary>The longest string whose header is one byte in both widths.</summary>
    public const int MaxShortLength = 62;

    /// <summary>Longer strings are checked against the limits: no string with a one-byte header is longer.</summary>
    public const int MaxUncounted = 63;

    /// <summary>The longest string of .NET.</summary>
    public const int MaxLength = 0x3FFFFFDF;

    // Text is narrowed and widened in pieces of this many characters when it may not lie in one window.
    private const int Piece = 1024;

    // Up to this length the string is allocated at once even when the input's length is unknown.
    private const int TrustedLength = 1 << 15;

    public static uint Header(int length, bool wide) => 1 + ((uint)length << 1) + (wide ? 1u : 0u);

    /// <summary>Writes a string of any length, or null.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Write(ref WireWriter writer, string? value)
    {
        if (value is null)
        {
            writer.WriteByte(0);
            return;
        }

        if (value.Length > MaxUncounted)
        {
            CheckLong(ref writer, value.Length);
        }

        ReadOnlySpan<char> text = value;
        bool wide = text.ContainsAnyExceptInRange('\0', '\u00FF');
        writer.WriteVarUInt32(Header(value.Length, wide));
        if (wide && BitConverter.IsLittleEndian)
        {
            writer.WriteBytes(MemoryMarshal.AsBytes(text));
            return;
        }

        while (!text.IsEmpty)
        {
            ReadOnlySpan<char> piece = text[..Math.Min(Piece, text.Length)];
            if (wide)
            {
                foreach (char c in piece)
                {
                    writer.WriteFixed(c);
                }
            }
            else
            {
                // All of it fits, as checked above: for this much text .NET's own loop is the fastest.
                Encoding.Latin1.GetBytes(piece, MemoryMarshal.CreateSpan(ref writer.Reserve(piece.Length), piece.Length));
            }

            text = text[piece.Length..];
        }
    }

    /// <summary>Reads a string, or null, in one window or several.</summary>
    public static string? Read(ref WireReader reader)
    {
        uint header = reader.ReadVarUInt32();
        if (header-- == 0)
        {
            return null;
        }

        bool wide = (header & 1) != 0;
        int length = (int)(header >> 1);
        if (length <= MaxUncounted && !wide)
        {
            return ReadShort(ref reader, length);
        }

        long size = wide ? (long)length * sizeof(char) : length;
        CheckLimit(ref reader, length);
        reader.CheckLength(size);
        Charge(ref reader, length);

        if (length > TrustedLength && !reader.KnowsLeft)
        {
            return ReadGrowing(ref reader, length, wide);
        }

        string text = new('\0', length);
        ReadInto(ref reader, MemoryMarshal.CreateSpan(ref MemoryMarshal.GetReference(text.AsSpan()), length), wide);
        return text;
    }

    /// <summary>Passes over a string, where it is equal to another and lies in the window; false where nothing has been read.</summary>
    public static bool TryReadSame(ref WireReader reader, string text)
    {
        ReadOnlySpan<byte> window = reader.Window;
        if (!VarUInt32.TryRead(window, out uint header, out int begin) || header-- == 0 || header >> 1 != (uint)text.Length)
        {
            return false;
        }

        bool wide = (header & 1) != 0;
        long size = wide ? (long)text.Length * sizeof(char) : text.Length;
        if (size > window.Length - begin || !AreSame(window.Slice(begin, (int)size), text, wide))
        {
            return false;
        }

        // Errors are behind the header.
        reader.Advance(begin);
        CheckLimit(ref reader, text.Length);
        if (wide || text.Length > MaxUncounted)
        {
            reader.CheckLength(size);
        }

        Charge(ref reader, text.Length);
        reader.Advance((int)size);
        return true;
    }

    /// <summary>Skips a string, or null.</summary>
    public static void Skip(ref WireReader reader)
    {
        if (reader.ReadVarUInt32() is not 0 and uint header)
        {
            reader.Skip((header - 1 >> 1) * (((header - 1) & 1) + 1L));
        }
    }

    /// <summary>Returns whether the bytes of the characters of a string are those of another.</summary>
    public static bool AreSame(ReadOnlySpan<byte> bytes, string text, bool wide)
    {
        if (bytes.Length != (wide ? text.Length * sizeof(char) : text.Length))
        {
            return false;
        }

        if (!wide)
        {
            return Latin1.Equal(ref MemoryMarshal.GetReference(bytes), text.Length, ref Unsafe.AsRef(in text.GetPinnableReference()));
        }

        if (BitConverter.IsLittleEndian)
        {
            return bytes.SequenceEqual(MemoryMarshal.AsBytes(text.AsSpan()));
        }

        for (int i = 0; i < text.Length; i++)
        {
            if (System.Buffers.Binary.BinaryPrimitives.ReadUInt16LittleEndian(bytes[(i * sizeof(char))..]) != text[i])
            {
                return false;
            }
        }

        return true;
    }

    private static void CheckLimit(ref WireReader reader, int length)
    {
        if (length > MaxUncounted && length > reader.Session.Limits.MaxStringLength)
        {
            ThrowHelper.Limit(nameof(Limits.MaxStringLength), reader.Session.Limits.MaxStringLength, $"A string of {length} characters");
        }
    }

    private static void Charge(ref WireReader reader, int length)
    {
        if (length > MaxUncounted)
        {
            reader.Session.Costs.Charge(MemorySize(length));
        }
    }

    private static string ReadShort(ref WireReader reader, int length)
    {
        ref byte source = ref reader.ReadRef(length);
        string text = new('\0', length);
        Latin1.Widen(ref source, length, ref MemoryMarshal.GetReference(text.AsSpan()));
        return text;
    }

    private static void CheckLong(ref WireWriter writer, int length)
    {
        SerializerSession session = writer.Session;
        if (length > session.Limits.MaxStringLength)
        {
            session.Costs.Refuse(
                writer.Member, nameof(Limits.MaxStringLength), session.Limits.MaxStringLength, $"A string of {length} characters");
        }

        session.Costs.Charge(writer.Member, MemorySize(length));
    }

    /// <summary>Returns the memory of a string: an object header, the length, the characters and a terminating zero.</summary>
    public static long MemorySize(int length) => 22 + ((long)length * sizeof(char));

    /// <summary>Reads text from an input of unknown length, using at most twice the memory of the bytes that have arrived.</summary>
    private static string ReadGrowing(ref WireReader reader, int length, bool wide)
    {
        char[] buffer = ArrayPool<char>.Shared.Rent(TrustedLength);
        try
        {
            for (int done = 0; done < length;)
            {
                if (done == buffer.Length)
                {
                    char[] larger = ArrayPool<char>.Shared.Rent((int)Math.Min(length, buffer.Length * 2L));
                    buffer.AsSpan(0, done).CopyTo(larger);
                    ArrayPool<char>.Shared.Return(buffer);
                    buffer = larger;
                }

                int part = Math.Min(buffer.Length, length) - done;
                ReadInto(ref reader, buffer.AsSpan(done, part), wide);
                done += part;
            }

            return new string(buffer, 0, length);
        }
        finally
        {
            ArrayPool<char>.Shared.Return(buffer);
        }
    }

    private static void ReadInto(ref WireReader reader, Span<char> text, bool wide)
    {
        if (wide)
        {
            reader.ReadBytes(MemoryMarshal.AsBytes(text));
            if (!BitConverter.IsLittleEndian)
            {
                foreach (ref char c in text)
                {
                    c = (char)System.Buffers.Binary.BinaryPrimitives.ReverseEndianness(c);
                }
            }

            return;
        }

        while (!text.IsEmpty)
        {
            int part = Math.Min(Piece, text.Length);
            Latin1.Widen(ref reader.ReadRef(part), part, ref MemoryMarshal.GetReference(text));
            text = text[part..];
        }
    }
}
