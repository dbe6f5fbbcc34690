using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Wire.Errors;
using Wire.Format;
using Wire.Values;

namespace Wire.Documents;

/// <summary>A position in a payload that lies in one piece, and the numbers, lengths and texts that everything is made of.</summary>
/// <param name="payload">The payload.</param>
/// <param name="at">The position.</param>
/// <param name="limits">The limits; null where the payload has been checked.</param>
internal ref struct ByteCursor(ReadOnlySpan<byte> payload, int at, Limits? limits = null) : IPayloadCursor
{
    private static readonly Limits Unlimited = new();

    private readonly ReadOnlySpan<byte> _payload = payload;

    /// <summary>Gets the limits.</summary>
    public readonly Limits Limits => limits ?? Unlimited;

    /// <summary>Gets the position of the next byte.</summary>
    public int At { get; private set; } = at;

    /// <summary>Gets the number of bytes from here to the end.</summary>
    public readonly int Left => _payload.Length - At;

    readonly long IPayloadCursor.Offset => At;

    public byte ReadByte() => ReadBytes(1)[0];

    public bool ReadBoolean() => BooleanFormat.Load(ref MemoryMarshal.GetReference(ReadBytes(1)));

    public int ReadInt32() => BinaryPrimitives.ReadInt32LittleEndian(ReadBytes(sizeof(int)));

    public ReadOnlySpan<byte> ReadBytes(long count)
    {
        if (count > Left)
        {
            ThrowHelper.Truncated(count - Left);
        }

        At += (int)count;
        return _payload.Slice(At - (int)count, (int)count);
    }

    public void Skip(long count) => ReadBytes(count);

    /// <summary>Goes to a position.</summary>
    public void GoTo(int at) => At = at;

    /// <summary>Reads a variable-length integer of 32 bits.</summary>
    public uint ReadVarUInt32()
    {
        uint value = 0;
        for (int shift = 0; ; shift += 7)
        {
            uint part = ReadByte();
            if (shift == 28 && part > 0x0F)
            {
                ThrowHelper.InvalidValue("variable-length integer", "it exceeds 32 bits");
            }

            value |= (part & 0x7F) << shift;
            if (part < 0x80)
            {
                return value;
            }
        }
    }

    /// <summary>Reads a count of parts for which the payload has room.</summary>
    /// <param name="partSize">The least number of bytes of a part.</param>
    public uint ReadCount(int partSize)
    {
        uint count = ReadVarUInt32();
        CheckCount(count);
        CheckLength((long)count * partSize);
        return count;
    }

    /// <summary>Reads the head of a string.</summary>
    /// <param name="isWide">True if each character takes two bytes.</param>
    /// <returns>The number of its characters, whose bytes follow; null for null.</returns>
    public uint? ReadTextHead(out bool isWide)
    {
        uint head = ReadVarUInt32();
        isWide = head != 0 && ((head - 1) & 1) != 0;
        return head == 0 ? null : (head - 1) >> 1;
    }

    /// <summary>Reads a string, or null.</summary>
    public string? ReadText()
    {
        if (ReadTextHead(out bool isWide) is not { } length)
        {
            return null;
        }

        ReadOnlySpan<byte> bytes = ReadBytes(isWide ? 2L * length : length);
        return isWide
            ? string.Create((int)length, bytes, (text, source) => CopyWide(source, text))
            : System.Text.Encoding.Latin1.GetString(bytes);
    }

    /// <summary>Reads the lengths and lower bounds of an array.</summary>
    /// <returns>The number of elements, for which the payload has room.</returns>
    public uint ReadBounds(int elementSize, out (int Length, int LowerBound)[] dimensions)
    {
        byte rank = ReadByte();
        if (rank is 0 or > ArrayFormat.MaxRank)
        {
            ThrowHelper.InvalidValue("array", $"its rank is {rank} and should be 1 to {ArrayFormat.MaxRank}");
        }

        dimensions = new (int, int)[rank];
        var elements = new ArrayFormat.ElementCount();
        foreach (ref (int Length, int LowerBound) dimension in dimensions.AsSpan())
        {
            uint length = ReadVarUInt32();
            int lowerBound = ReadInt32();
            elements.Multiply(length, lowerBound);
            dimension = ((int)length, lowerBound);
        }

        CheckCount(elements.Count);
        CheckLength(elements.Count * elementSize);
        return (uint)elements.Count;
    }

    uint IPayloadCursor.ReadBounds(int elementSize) => ReadBounds(elementSize, out _);

    void IPayloadCursor.SkipScalar(byte tag, bool isTagged) => Scalars.Skip(ref this, tag, isTagged);

    readonly void IPayloadCursor.AtElement(int index)
    {
    }

    readonly void IPayloadCursor.AtTag()
    {
    }

    readonly void IPayloadCursor.AtObject()
    {
    }

    /// <summary>Checks that the payload has so many bytes left.</summary>
    public readonly void CheckLength(long length)
    {
        if (length > Left)
        {
            ThrowHelper.Length(length, Left);
        }
    }

    private readonly void CheckCount(long count)
    {
        if (count > Limits.MaxElements)
        {
            ThrowHelper.Limit(nameof(Limits.MaxElements), Limits.MaxElements, $"A collection of {count} elements");
        }
    }

    private static void CopyWide(ReadOnlySpan<byte> source, Span<char> text)
    {
        for (int i = 0; i < text.Length; i++)
        {
            text[i] = (char)BinaryPrimitives.ReadUInt16LittleEndian(source[(2 * i)..]);
        }
    }
}
