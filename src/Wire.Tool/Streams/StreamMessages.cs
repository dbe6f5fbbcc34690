using System.Buffers;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams;
using Wire.Tool.Messages;

namespace Wire.Tool.Streams;

/// <summary>Copies what a message of a stream has: a payload alone, or an AMQP 1.0 message of sections.</summary>
internal static class StreamMessages
{
    /// <summary>Makes a message that is independent of the chunk.</summary>
    /// <param name="message">The message.</param>
    /// <param name="limits">What its body may cost.</param>
    public static BrokerMessage Read(StreamMessage message, Limits limits)
    {
        var parts = new Parts();
        if (message.HasSections)
        {
            try
            {
                MessageReader sections = message.Sections;
                while (sections.TryRead(out Section section))
                {
                    parts.Add(in section);
                }
            }
            catch (AmqpFormatException)
            {
                // Bytes of another kind may begin as sections do.
                parts = new Parts();
            }
        }

        List<MessageFact> facts = [new("chunk-time", message.Timestamp.UtcDateTime.ToString("O")), .. parts.Facts];
        ReadOnlyMemory<byte> bytes = parts.IsBody ? parts.Data.WrittenMemory : message.Body.ToArray();
        return new(
            (long)message.Offset,
            facts,
            "application-properties",
            parts.ApplicationProperties,
            new(bytes.Length, bytes.Length, () => MessageBody.Read(bytes, parts.ContentType, parts.ContentEncoding, limits)));
    }

    /// <summary>The parts of a message that its sections have.</summary>
    private sealed class Parts
    {
        public List<MessageFact> Facts { get; } = [];

        public List<MessageFact> ApplicationProperties { get; } = [];

        public ArrayBufferWriter<byte> Data { get; } = new();

        public bool IsBody { get; private set; }

        public string? ContentType { get; private set; }

        public string? ContentEncoding { get; private set; }

        public void Add(in Section section)
        {
            switch (section.Kind)
            {
                case SectionKind.Properties:
                    Add(section.Read<Properties>());
                    break;
                case SectionKind.ApplicationProperties:
                    AddAll(ApplicationProperties, section.Read<ApplicationProperties>().Map, "");
                    break;
                case SectionKind.MessageAnnotations:
                    AddAll(Facts, section.Read<MessageAnnotations>().Map, "annotation ");
                    break;
                case SectionKind.Data:
                    IsBody = true;
                    foreach (ReadOnlyMemory<byte> part in section.Read<DataSection>().Bytes)
                    {
                        Data.Write(part.Span);
                    }

                    break;
                case SectionKind.Value or SectionKind.Sequence:
                    IsBody = true;
                    Facts.Add(new(section.Kind == SectionKind.Value ? "value" : "sequence", section.ReadValue().ToObject()));
                    break;
            }
        }

        private void Add(Properties properties)
        {
            ContentType = TextOf(properties.ContentType.Text);
            ContentEncoding = TextOf(properties.ContentEncoding.Text);
            AddFact("message-id", properties.MessageId.ToObject());
            AddFact("correlation-id", properties.CorrelationId.ToObject());
            AddFact("to", TextOf(properties.To));
            AddFact("subject", TextOf(properties.Subject));
            AddFact("reply-to", TextOf(properties.ReplyTo));
            AddFact("content-type", ContentType);
            AddFact("content-encoding", ContentEncoding);
            AddFact("creation-time", properties.CreationTime?.ToString());
            AddFact("absolute-expiry-time", properties.AbsoluteExpiryTime?.ToString());
            AddFact("group-id", TextOf(properties.GroupId));
            AddFact("group-sequence", properties.GroupSequence);
            AddFact("reply-to-group-id", TextOf(properties.ReplyToGroupId));
            AddFact("user-id", properties.UserId?.ToArray());
        }

        private void AddFact(string name, object? value)
        {
            if (value is not null)
            {
                Facts.Add(new(name, value));
            }
        }

        private static void AddAll(List<MessageFact> facts, AmqpMap map, string prefix)
        {
            foreach ((AmqpValue key, AmqpValue value) in map)
            {
                facts.Add(new(prefix + key.ToObject(), value.ToObject()));
            }
        }

        private static string? TextOf(AmqpString text) => text.IsNull ? null : text.ToString();
    }
}
