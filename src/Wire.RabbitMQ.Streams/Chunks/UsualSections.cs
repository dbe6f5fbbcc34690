using System.Buffers.Binary;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>
/// Finds sections where a message is as nearly all are: each section with the shortest descriptor, in their order. Of any other message it
/// says that it is none of these, and <see cref="MessageReader"/> goes through it, which takes several times as long and knows what is
/// wrong.
/// </summary>
internal static class UsualSections
{
    // The descriptor, and the code of the value.
    private const int Head = 4;

    /// <summary>Finds the first section of a kind.</summary>
    /// <param name="message">All of the message.</param>
    /// <param name="kind">The kind.</param>
    /// <param name="at">Where the section begins; the length of the message where it has none.</param>
    /// <returns>Whether the message is a usual one, up to there.</returns>
    public static bool TryFind(ReadOnlySpan<byte> message, SectionKind kind, out int at)
    {
        SectionKind last = SectionKind.Unknown;
        for (at = 0; at < message.Length;)
        {
            int end = EndOf(message, at);
            if (end < 0)
            {
                return false;
            }

            // A body is one section here; several, and any that are out of order, are for the reader.
            var found = (SectionKind)message[at + 2];
            if (found <= last || (IsBody(found) && IsBody(last)))
            {
                return false;
            }

            if (found == kind)
            {
                return true;
            }

            last = found;
            at = end;
        }

        return true;
    }

    /// <summary>Finds the place of the section of a kind, at most one of which a message has.</summary>
    /// <param name="message">All of the message.</param>
    /// <param name="kind">The kind: one before the body.</param>
    /// <param name="where">All of the section; where it has none, nothing, and where it would be.</param>
    /// <returns>Whether the message is a usual one, up to there.</returns>
    public static bool TryLocate(ReadOnlySpan<byte> message, SectionKind kind, out Range where)
    {
        SectionKind last = SectionKind.Unknown;
        where = default;
        int at = 0;
        while (at < message.Length)
        {
            int end = EndOf(message, at);
            if (end < 0 || (SectionKind)message[at + 2] is var found && found <= last)
            {
                return false;
            }

            if (found >= kind)
            {
                where = at..(found == kind ? end : at);
                return true;
            }

            (last, at) = (found, end);
        }

        where = at..at;
        return true;
    }

    /// <summary>Finds the data of a message whose body is one data section, behind which there is a footer at most.</summary>
    public static bool TryFindData(ReadOnlySpan<byte> message, out Range data)
    {
        data = default;
        if (!TryFind(message, SectionKind.Data, out int at) || at == message.Length)
        {
            return false;
        }

        int end = EndOf(message, at);
        if (end < message.Length && (EndOf(message, end) != message.Length || message[end + 2] != (byte)SectionKind.Footer))
        {
            return false;
        }

        int width = message[at + Head - 1] switch { Constructor.Binary8 => sizeof(byte), Constructor.Binary32 => sizeof(uint), _ => 0 };
        data = (at + Head + width)..end;
        return width > 0;
    }

    // -1 where the section is no usual one, or is not all there.
    private static int EndOf(ReadOnlySpan<byte> message, int at)
    {
        ReadOnlySpan<byte> section = message[at..];
        if (section.Length < Head
            || section[0] != Constructor.Described
            || section[1] != Constructor.SmallULong
            || section[2] is < (byte)SectionKind.Header or > (byte)SectionKind.Footer)
        {
            return -1;
        }

        byte code = section[3];
        long length = Constructor.FixedWidth(code);
        if (length < 0)
        {
            int width = Constructor.SizeWidth(code);
            if (!Constructor.HasSize(code) || section.Length < Head + width)
            {
                return -1;
            }

            length = width + (width == sizeof(byte) ? section[Head] : BinaryPrimitives.ReadUInt32BigEndian(section[Head..]));
        }

        return Head + length <= section.Length ? at + Head + (int)length : -1;
    }

    private static bool IsBody(SectionKind kind) => kind is >= SectionKind.Data and <= SectionKind.Value;
}
