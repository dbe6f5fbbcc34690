using System.Buffers;
using System.Buffers.Binary;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams;
using Wire.RabbitMQ.Streams.Consuming;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>A message as the streams of the tables have it, all of a table the same.</summary>
/// <param name="Name">What it is called.</param>
/// <param name="Message">Its bytes.</param>
internal sealed record StreamLoad(string Name, byte[] Message)
{
    /// <summary>What the first eight bytes of a message without sections are, as a number.</summary>
    public const long Number = 0x0102030405060708;

    /// <summary>What reads and writes the objects.</summary>
    public static Serializer Serializer { get; } = new();

    /// <summary>An object.</summary>
    public static Poco Poco { get; } = Poco.Create(seed: 1);

    /// <summary>The same as bytes.</summary>
    public static byte[] Payload { get; } = Serializer.Serialize(Poco);

    /// <summary>Eight bytes and nothing around.</summary>
    public static StreamLoad Small { get; } = Of("8 B", 8);

    /// <summary>A hundred bytes and nothing around.</summary>
    public static StreamLoad Hundred { get; } = Of("100 B", 100);

    /// <summary>An object as all other clients get it: in the data section of an AMQP 1.0 message.</summary>
    public static StreamLoad Object { get; } = new("POCO", Section(new DataSection { Bytes = new(Payload) }));

    /// <summary>Eight bytes as the data of a message with eight properties and five application properties.</summary>
    public static StreamLoad Described { get; } = new(
        "properties",
        [
            .. Section(new Properties
            {
                MessageId = 17ul,
                To = "readings",
                Subject = "temperature",
                CorrelationId = "order-4711",
                ContentType = new AmqpSymbol("application/octet-stream"),
                CreationTime = DateTimeOffset.UnixEpoch,
                GroupId = "cellar",
                GroupSequence = 42,
            }),
            .. Section(new ApplicationProperties
            {
                Map = AmqpValue.Map(("region", "north"), ("sensor", 7), ("unit", "Celsius"), ("try", 1), ("tenant", "acme")),
            }),
            .. Section(new DataSection { Bytes = new(Small.Message) }),
        ]);

    private static StreamLoad Of(string name, int size)
    {
        byte[] message = new byte[size];
        BinaryPrimitives.WriteInt64BigEndian(message, Number);
        return new StreamLoad(name, message);
    }

    private static byte[] Section<TSection>(TSection section)
        where TSection : struct, ISection<TSection>
    {
        var buffer = new ArrayBufferWriter<byte>();
        MessageWriter.Write(buffer, section);
        return buffer.WrittenSpan.ToArray();
    }
}

/// <summary>A handler that counts the messages which are what they should be, and the dispatch that it goes by.</summary>
internal sealed class StreamHandling
{
    private long _until = long.MaxValue;
    private TaskCompletionSource _reached = new();

    private StreamHandling(Func<StreamHandling, ConsumerDispatch> dispatch) => Dispatch = dispatch(this);

    /// <summary>The dispatch.</summary>
    public ConsumerDispatch Dispatch { get; }

    /// <summary>Which messages are handled; null for all.</summary>
    public PayloadCondition? Where { get; private init; }

    /// <summary>How many messages were right.</summary>
    public long Count { get; private set; }

    /// <summary>Numbers, all messages of a chunk at once.</summary>
    public static StreamHandling NumbersTogether() => new(self => new BatchDispatch(messages =>
    {
        int count = 0;
        foreach (ref readonly StreamMessage message in messages)
        {
            count += IsNumber(message) ? 1 : 0;
        }

        self.Add(count);
    }));

    /// <summary>Numbers, one message after the other.</summary>
    public static StreamHandling Numbers() => Each(message => IsNumber(message));

    /// <summary>Objects.</summary>
    public static StreamHandling Objects() => new(self => new TypedDispatch<Poco>((poco, _) =>
    {
        self.Add(poco.IntProp == StreamLoad.Poco.IntProp ? 1 : 0);
        return ValueTask.CompletedTask;
    }));

    /// <summary>Objects, all messages of a chunk at once, of which none is read.</summary>
    public static StreamHandling ObjectsTogether() => new(self => new BatchDispatch(messages =>
    {
        int count = 0;
        foreach (ref readonly StreamMessage message in messages)
        {
            count += message.Span.Length == StreamLoad.Object.Message.Length ? 1 : 0;
        }

        self.Add(count);
    }));

    /// <summary>Objects of which none is wanted, by one member.</summary>
    public static StreamHandling Unwanted()
    {
        PayloadPath<int> number = StreamLoad.Serializer.Path((Poco poco) => poco.IntProp);
        StreamHandling? handling = null;
        return handling = new(_ => new BatchDispatch(_ => throw new InvalidOperationException("None is wanted.")))
        {
            Where = payload =>
            {
                bool isWanted = !number.TryRead(payload, out int value) || value != StreamLoad.Poco.IntProp;
                handling!.Add(isWanted ? 0 : 1);
                return isWanted;
            },
        };
    }

    /// <summary>Messages with properties, which are not looked at.</summary>
    public static StreamHandling NotLookedAt() => Each(message => message.Span.Length == StreamLoad.Described.Message.Length);

    /// <summary>One field of the properties, the eighth.</summary>
    public static StreamHandling Field() => Each(message => message.Properties.GroupSequence == 42);

    /// <summary>One application property, the third.</summary>
    public static StreamHandling Property() =>
        Each(message => message.TryGetApplicationProperty("unit", out AmqpValue unit) && unit.Type == AmqpType.String);

    /// <summary>All of the properties, for one field.</summary>
    public static StreamHandling AllFields() => Each(message => message.ReadProperties().GroupSequence == 42);

    /// <summary>The map of the application properties, for one of them.</summary>
    public static StreamHandling Map() =>
        Each(message => message.ReadApplicationProperties().TryGetValue("unit", out AmqpValue unit) && unit.Type == AmqpType.String);

    /// <summary>Ends when so many more messages have come.</summary>
    public Task MoreAsync(long messages)
    {
        _reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _until = Count + messages;
        return _reached.Task;
    }

    /// <summary>Consumes so many messages, from a stream's first on.</summary>
    public async Task ConsumeAsync(StreamClient client, string stream, long messages, bool crc = true)
    {
        Task all = MoreAsync(messages);
        var options = new StreamConsumerOptions { Offset = StreamOffset.First, CheckCrc = crc };
        await using StreamConsumer consumer = await client.ConsumeAsync(stream, Dispatch, options, CancellationToken.None);
        await await Task.WhenAny(all, consumer.Completion);
    }

    private static StreamHandling Each(Func<StreamMessage, bool> isRight) => new(self => new MessageDispatch(message =>
    {
        self.Add(isRight(message) ? 1 : 0);
        return ValueTask.CompletedTask;
    }));

    private static bool IsNumber(in StreamMessage message) => BinaryPrimitives.ReadInt64BigEndian(message.Span) == StreamLoad.Number;

    // Handlers of one consumer come one after the other.
    private void Add(int count)
    {
        Count += count;
        if (Count >= _until)
        {
            _until = long.MaxValue;
            _reached.TrySetResult();
        }
    }
}
