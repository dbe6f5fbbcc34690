using System.Buffers;
using Bench;
using Wire.Benchmarks.Floors;

namespace Wire.Benchmarks.Scenarios;

/// <summary>A thousand messages over one connection: the first of each type carries its manifest.</summary>
internal sealed class SessionScenario() : Scenario<Conversation>("Session of 1,000 messages")
{
    public const int Count = 1000;

    public override bool Same(Conversation left, Conversation right) => Deep.Same(left.Messages, right.Messages);

    public override IEnumerable<Row> Floors() => [Floor<ConversationFloor>()];

    public override IEnumerable<Row> Wire()
    {
        var filter = TypeFilter.Default.Allow<Poco>().Allow<Ping>().Allow<Ack>().Allow<Reading>().Allow<Notice>().Allow<Move>();
        yield return Row("Wire, one session", Typing.Polymorphic, new ConversationCodec(new Serializer(SerializerOptions.Default with { TypeFilter = filter }), Output()));
    }

    protected override Conversation Make()
    {
        var random = new Random(1);
        return new Conversation([.. Enumerable.Range(0, Count).Select(i => Message(i, random))]);
    }

    private static object Message(int number, Random random) => random.Next(6) switch
    {
        0 => new Ping { Sequence = number },
        1 => new Ack { Message = random.Guid(), IsAccepted = true },
        2 => new Reading { Sensor = random.Next(100), Value = random.NextDouble(), At = random.Date() },
        3 => new Notice { Topic = "prices", Text = random.Text(20) },
        4 => new Move { From = random.Next(64), To = random.Next(64), Color = (Color)random.Next(3) },
        _ => Poco.Create(number),
    };

    private readonly struct ConversationCodec(Serializer serializer, ArrayBufferWriter<byte> output) : ICodec<Conversation>
    {
        public ReadOnlySpan<byte> Write(Conversation value)
        {
            output.ResetWrittenCount();
            using SerializerSession session = serializer.GetSerializerSession();
            foreach (object message in value.Messages)
            {
                serializer.Serialize(message, output, session);
            }

            return output.WrittenSpan;
        }

        public Conversation Read(ReadOnlySpan<byte> payload)
        {
            using DeserializerSession session = serializer.GetDeserializerSession();
            var messages = new object[Count];
            for (int i = 0; i < messages.Length; i++)
            {
                messages[i] = serializer.Deserialize(payload, session, out int consumed)!;
                payload = payload[consumed..];
            }

            return new Conversation(messages);
        }
    }
}
