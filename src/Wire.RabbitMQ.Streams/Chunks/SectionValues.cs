using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>
/// Finds one value of a section by passing over those before it, where the message is as nearly all are; of any other the whole section is
/// read.
/// </summary>
internal static class SectionValues
{
    // The descriptor of a usual section.
    private const int Descriptor = 3;

    /// <summary>Reads a field of the properties; null where it is absent.</summary>
    /// <param name="message">The message.</param>
    /// <param name="number">The number of the field, from 0.</param>
    /// <exception cref="AmqpFormatException">It is no AMQP 1.0 message, or damaged.</exception>
    public static AmqpValue ReadField(in StreamMessage message, int number)
    {
        ReadOnlyMemory<byte> body = message.Body;
        ReadOnlySpan<byte> bytes = body.Span;
        if (!MessageSections.AreIn(bytes) || !UsualSections.TryFind(bytes, SectionKind.Properties, out int section))
        {
            return ReadOtherField(message, number);
        }

        if (section == bytes.Length)
        {
            return default;
        }

        if (!TryOpen(bytes, section, isMap: false, out int at, out int end, out uint count))
        {
            return ReadOtherField(message, number);
        }

        if (number >= count)
        {
            return default;
        }

        ReadOnlySpan<byte> elements = bytes[..end];
        for (int i = 0; i < number; i++)
        {
            if (!TrySkip(elements, ref at))
            {
                return ReadOtherField(message, number);
            }
        }

        return Read(body, at, end);
    }

    /// <summary>Finds an application property by its key.</summary>
    /// <returns>Whether there is one.</returns>
    /// <exception cref="AmqpFormatException">It is no AMQP 1.0 message, or damaged.</exception>
    public static bool TryFindProperty(in StreamMessage message, string key, out AmqpValue value)
    {
        ReadOnlyMemory<byte> body = message.Body;
        ReadOnlySpan<byte> bytes = body.Span;
        value = default;
        if (!MessageSections.AreIn(bytes)
            || !Ascii.IsValid(key)
            || !UsualSections.TryFind(bytes, SectionKind.ApplicationProperties, out int section))
        {
            return TryFindOther(message, key, out value);
        }

        if (section == bytes.Length)
        {
            return false;
        }

        if (!TryOpen(bytes, section, isMap: true, out int at, out int end, out uint count) || (count & 1) != 0)
        {
            return TryFindOther(message, key, out value);
        }

        ReadOnlySpan<byte> elements = bytes[..end];
        for (; count > 0; count -= 2)
        {
            int start = at;
            if (!TrySkip(elements, ref at))
            {
                return TryFindOther(message, key, out value);
            }

            if (Is(elements[start..at], key))
            {
                value = Read(body, at, end);
                return true;
            }

            if (!TrySkip(elements, ref at))
            {
                return TryFindOther(message, key, out value);
            }
        }

        // What follows the last entry is damage.
        return at != end && TryFindOther(message, key, out value);
    }

    // The elements of a list or map: where they begin and end, and how many there are.
    private static bool TryOpen(ReadOnlySpan<byte> bytes, int section, bool isMap, out int at, out int end, out uint count)
    {
        at = section + Descriptor + 1;
        (end, count) = (at, 0);
        switch (bytes[section + Descriptor])
        {
            case Constructor.List0 when !isMap:
                return true;
            case Constructor.List8 when !isMap:
            case Constructor.Map8 when isMap:
                // The section is all there.
                end = at + 1 + bytes[at];
                count = end > at + 1 ? bytes[at + 1] : 0u;
                at += 2;
                return at <= end;
            case Constructor.List32 when !isMap:
            case Constructor.Map32 when isMap:
                uint size = BinaryPrimitives.ReadUInt32BigEndian(bytes[at..]);
                if (size < sizeof(uint))
                {
                    return false;
                }

                end = at + sizeof(uint) + (int)size;
                count = BinaryPrimitives.ReadUInt32BigEndian(bytes[(at + sizeof(uint))..]);
                at += 2 * sizeof(uint);
                return true;
            default:
                return false;
        }
    }

    // Most elements are null, a number, or a size of one byte and as many bytes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TrySkip(ReadOnlySpan<byte> elements, ref int at)
    {
        int next = at + 1;
        if (next < elements.Length)
        {
            byte code = elements[at];
            if (code is >= Constructor.Null and < Constructor.Binary8)
            {
                // Of 0, 1, 2, 4, 8 or 16 bytes.
                next += (1 << ((code >> 4) - (Constructor.Null >> 4))) >> 1;
            }
            else if (code >= Constructor.Binary8 && (code & Constructor.Wide) == 0)
            {
                next += 1 + elements[next];
            }
            else
            {
                return TrySkipOther(elements, ref at);
            }

            if (next <= elements.Length)
            {
                at = next;
                return true;
            }

            return false;
        }

        return TrySkipOther(elements, ref at);
    }

    // Not over described values, which the specification has in neither section.
    private static bool TrySkipOther(ReadOnlySpan<byte> elements, ref int at)
    {
        if (at >= elements.Length)
        {
            return false;
        }

        byte code = elements[at++];
        long length = Constructor.FixedWidth(code);
        if (length < 0)
        {
            int width = Constructor.SizeWidth(code);
            if (!Constructor.HasSize(code) || elements.Length - at < width)
            {
                return false;
            }

            length = width == sizeof(byte) ? elements[at] : BinaryPrimitives.ReadUInt32BigEndian(elements[at..]);
            at += width;
        }

        if (length > elements.Length - at)
        {
            return false;
        }

        at += (int)length;
        return true;
    }

    private static bool Is(ReadOnlySpan<byte> element, string key) => element[0] switch
    {
        Constructor.String8 => element.Length == key.Length + 2 && Ascii.Equals(element[2..], key),
        Constructor.String32 => element.Length == key.Length + 5 && Ascii.Equals(element[5..], key),
        _ => false,
    };

    private static AmqpValue Read(ReadOnlyMemory<byte> body, int at, int end)
    {
        // The most frequent ones without a reader.
        switch (body.Span[at..end])
        {
            case [Constructor.Null, ..]:
                return default;
            case [Constructor.SmallUInt, var number, ..]:
                return (uint)number;
            case [Constructor.String8, var length, .. var rest]
                when length <= rest.Length && MemoryMarshal.TryGetArray(body, out ArraySegment<byte> array):
                return AmqpValue.FromArray(
                    AmqpType.String, Constructor.String8, array.Array!, array.Offset + at + 2, length, at + 2);
        }

        var reader = new AmqpReader(body[at..end], at);
        return reader.ReadValue();
    }

    private static AmqpValue ReadOtherField(in StreamMessage message, int number)
    {
        if (MessageSections.FindValue(message, SectionKind.Properties) is { IsNull: false } section)
        {
            foreach (AmqpValue field in section.As<AmqpList>())
            {
                if (number-- == 0)
                {
                    return field;
                }
            }
        }

        return default;
    }

    private static bool TryFindOther(in StreamMessage message, string key, out AmqpValue value) =>
        message.ReadApplicationProperties().TryGetValue(key, out value);
}
