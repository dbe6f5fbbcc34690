using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>Finds what is asked for in the sections of a message.</summary>
internal static class MessageSections
{
    /// <summary>
    /// Returns whether bytes begin with a section, whose descriptor has one of its forms: a small number, a number, or a name.
    /// </summary>
    public static bool AreIn(ReadOnlySpan<byte> bytes) => bytes is
        [Constructor.Described, Constructor.SmallULong, >= (byte)SectionKind.Header and <= (byte)SectionKind.Footer, ..]
        or [Constructor.Described, Constructor.ULong, 0, 0, 0, 0, 0, 0, 0, >= (byte)SectionKind.Header and <= (byte)SectionKind.Footer, ..]
        or [Constructor.Described, Constructor.Symbol8, _, (byte)'a', (byte)'m', (byte)'q', (byte)'p', (byte)':', ..];

    /// <summary>Reads the only section of a kind, if there is one.</summary>
    public static bool Find<TSection>(in StreamMessage message, out TSection found)
        where TSection : struct, ISection<TSection>
    {
        MessageReader reader = Open(message);
        if (UsualSections.TryFind(message.Span, TSection.Kind, out int at))
        {
            reader = new MessageReader(message.Body[at..], at);
        }

        while (reader.TryRead(out Section section))
        {
            if (section.Kind == TSection.Kind)
            {
                found = section.Read<TSection>();
                return true;
            }
        }

        found = default;
        return false;
    }

    /// <summary>Reads the only section of a kind as a value; null where there is none.</summary>
    public static AmqpValue FindValue(in StreamMessage message, SectionKind kind)
    {
        MessageReader reader = Open(message);
        while (reader.TryRead(out Section section))
        {
            if (section.Kind == kind)
            {
                return section.ReadValue();
            }
        }

        return default;
    }

    /// <summary>Reads the data of a message, in one piece.</summary>
    public static ReadOnlyMemory<byte> ReadData(in StreamMessage message)
    {
        if (UsualSections.TryFindData(message.Span, out Range found))
        {
            return message.Body[found];
        }

        ReadOnlyMemory<byte>? data = null;
        ArrayBufferWriter<byte>? joined = null;
        MessageReader reader = Open(message);
        while (reader.TryRead(out Section section))
        {
            if (section.Kind == SectionKind.Data)
            {
                // The message lies in one piece, and so does each part of it.
                ReadOnlyMemory<byte> part = section.Read<DataSection>().Bytes.First;
                if (data is not { } before)
                {
                    data = part;
                    continue;
                }

                if (joined is null)
                {
                    joined = new ArrayBufferWriter<byte>(before.Length + part.Length);
                    joined.Write(before.Span);
                }

                joined.Write(part.Span);
            }
        }

        return joined?.WrittenMemory
            ?? data ?? throw NewException(message, "has no data section: use ReadValue() or Sections");
    }

    /// <summary>Makes the error for a message that is not AMQP 1.0.</summary>
    public static AmqpFormatException NewException(in StreamMessage message, string reason) =>
        new(AmqpFormatError.Body, -1, $"The message with offset {message.Offset} of '{message.Stream}' {reason}");

    private static MessageReader Open(in StreamMessage message) => AreIn(message.Span)
        ? message.Sections
        : throw NewException(message, "is not an AMQP 1.0 message, because it does not begin like one: read its Body");
}
