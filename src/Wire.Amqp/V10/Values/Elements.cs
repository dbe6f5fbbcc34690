using System.Buffers.Binary;
using Wire.Amqp.Primitives;

namespace Wire.Amqp.V10.Values;

/// <summary>
/// The elements of an array that is being built. All have one constructor, and which one is known when the last of them is: so each is
/// written in the widest form of its type, and the whole is made narrow in place when all of them turn out to fit.
/// </summary>
internal static class Elements
{
    /// <summary>
    /// The widest constructor of a type. The ones without any bytes are used for null alone: other implementations are not prepared for
    /// four billion zeros in no space, nor is this one (<see cref="AmqpArray.MaxElementsWithoutBytes"/>).
    /// </summary>
    public static byte WideCode(AmqpType type) => type < AmqpType.Described
        ? Constructor.WidestOf(type)
        : throw new ArgumentException(
            $"An array cannot have elements of type {type}: for described values, give the descriptor and the type of the values.");

    /// <summary>The constructor of a type for values that take one byte, or whose size does.</summary>
    public static byte NarrowCode(AmqpType type) => type switch
    {
        AmqpType.UInt => Constructor.SmallUInt,
        AmqpType.ULong => Constructor.SmallULong,
        AmqpType.Int => Constructor.SmallInt,
        AmqpType.Long => Constructor.SmallLong,
        AmqpType.Binary or AmqpType.String or AmqpType.Symbol or >= AmqpType.List => (byte)(WideCode(type) - Constructor.Wide),
        _ => WideCode(type),
    };

    /// <summary>Writes an element in the widest form of its type, without a constructor.</summary>
    /// <returns>Whether it fits the narrow form as well.</returns>
    public static bool Write(ref AmqpWriter writer, in AmqpValue value)
    {
        switch (value.Type)
        {
            case AmqpType.Binary:
                writer.Write(value.Span.Length);
                writer.WriteBytes(value.Span);
                return value.Span.Length <= byte.MaxValue;

            case AmqpType.String or AmqpType.Symbol:
                AmqpString text = value.Text;
                int bytes = text.ByteCount;
                writer.Write(bytes);
                writer.WriteText(text, bytes);
                return bytes <= byte.MaxValue;

            case AmqpType.List or AmqpType.Map or AmqpType.Array:
                ArrayReader reader = Container.Open(value, out uint count);
                ReadOnlySpan<byte> rest = value.Span[^(int)reader.Remaining..];
                writer.Write(sizeof(uint) + rest.Length);
                writer.Write(count);
                writer.WriteBytes(rest);
                return FitsNarrow(rest.Length, count);

            default:
                writer.WriteBits(value, Constructor.FixedWidth(WideCode(value.Type)));
                return value.Type is AmqpType.Int or AmqpType.Long ? (long)value.Bits == (sbyte)value.Bits : value.Bits <= byte.MaxValue;
        }
    }

    /// <summary>
    /// Returns whether a list, map or array with that many bytes after its count fits the form with one byte for size and count.
    /// </summary>
    public static bool FitsNarrow(int length, uint count) => length < byte.MaxValue && count <= byte.MaxValue;

    /// <summary>Makes elements narrow that have been written wide.</summary>
    /// <returns>How many bytes they take now.</returns>
    public static int Narrow(Span<byte> elements, AmqpType type)
    {
        byte code = WideCode(type);
        int from = 0, to = 0;
        if (!Constructor.HasSize(code))
        {
            // A number: its last byte.
            int width = Constructor.FixedWidth(code);
            for (; from < elements.Length; from += width)
            {
                elements[to++] = elements[from + width - 1];
            }

            return to;
        }

        while (from < elements.Length)
        {
            int size = BinaryPrimitives.ReadInt32BigEndian(elements[from..]);
            from += sizeof(int);
            if (type >= AmqpType.List)
            {
                // The size counts the count: what were four bytes of it becomes one.
                size -= sizeof(int);
                elements[to++] = (byte)(size + 1);
                elements[to++] = elements[from + sizeof(int) - 1];
                from += sizeof(int);
            }
            else
            {
                elements[to++] = (byte)size;
            }

            elements.Slice(from, size).CopyTo(elements[to..]);
            from += size;
            to += size;
        }

        return to;
    }
}
