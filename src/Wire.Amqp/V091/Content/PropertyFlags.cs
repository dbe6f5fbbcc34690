using System.Runtime.CompilerServices;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;

namespace Wire.Amqp.V091.Content;

/// <summary>
/// The set of properties in a content header (AMQP 0-9-1 section 4.2.6.1): one bit for each, the first one highest. The lowest bit says
/// that another word of flags follows, which a class of more than 15 properties would need: basic has 14.
/// </summary>
internal struct PropertyFlags
{
    /// <summary>Says that another word of flags follows.</summary>
    public const ushort Continuation = 1;

    private int _next;

    /// <summary>The flags of the properties so far.</summary>
    public ushort Word { get; private set; }

    /// <summary>Records whether the next property is set.</summary>
    /// <returns>The same.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool Add(bool present)
    {
        Word |= (ushort)((present ? 0x8000 : 0) >> _next++);
        return present;
    }

    /// <summary>Reads flags. Undefined flags are refused, because the length of their properties is unknown.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="known">How many properties there are.</param>
    public static PropertyFlags Read(ref ArrayReader reader, int known)
    {
        ushort first = reader.Read<ushort>();
        int unknown = first & (0xFFFF >> known) & ~Continuation;
        for (ushort next = first; (next & Continuation) != 0;)
        {
            next = reader.Read<ushort>();
            unknown |= next & ~Continuation;
        }

        if (unknown != 0)
        {
            ThrowHelper.Format(
                AmqpFormatError.UnknownCode, reader.Offset - sizeof(ushort), $"Expected flags of {known} properties, found others set");
        }

        return new PropertyFlags { Word = first };
    }

    /// <summary>Returns whether the next property is there.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool ReadNext() => ((Word << _next++) & 0x8000) != 0;
}
