using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>
/// What it takes to publish a message of 512 bytes with five properties and ten headers, down to the socket: RabbitMQ.Client against
/// Wire.Amqp, with one send per message and with one for several, as RabbitMQ.Client has it when messages come faster than the socket takes them.
/// All talk to the same server of this process, which reads and forgets; what it takes for that, and the operating system for
/// the socket, is in all figures.
/// </summary>
internal static class PublishPath
{
    private const string Single = "AMQP publish through a socket, a send per message: processor time";
    private const string Batched = "AMQP publish through a socket, a send per 16 messages: processor time";
    private const string Allocated = "AMQP publish through a socket: allocated";
    private const int Batch = 16;

    private const int Rounds = 9;
    private const int Messages = 4000;

    public static string[] Names { get; } = [Single, Batched, Allocated];

    /// <summary>Figures of one message.</summary>
    public static Comparison[] Measure() => MeasureAsync().GetAwaiter().GetResult();

    private static async Task<Comparison[]> MeasureAsync()
    {
        await CheckAsync();
        await using var broker = new AmqpServer(PublishedMessage.FrameMax, discards: true);
        await using IPublisher single = new SocketPublisher(broker.Port, 1);
        await using IPublisher batched = new SocketPublisher(broker.Port, Batch);
        await using IPublisher client = await ClientPublisher.ConnectAsync(broker.Port);
        List<Figure[]> rounds = [];
        for (int round = -2; round < Rounds; round++)
        {
            Figure[] figures = [await MeasureAsync(broker, single), await MeasureAsync(broker, batched), await MeasureAsync(broker, client)];

            // The first rounds have the code compiled.
            if (round >= 0)
            {
                rounds.Add(figures);
            }
        }

        return
        [
            Compare(Single, "ns", rounds, 0, figure => figure.Nanoseconds),
            Compare(Batched, "ns", rounds, 1, figure => figure.Nanoseconds),
            Compare(Allocated, "B", rounds, 0, figure => figure.Bytes),
        ];
    }

    private static Comparison Compare(string name, string unit, List<Figure[]> rounds, int own, Func<Figure, double> select) => new(
        name,
        unit,
        "Wire.Amqp",
        rounds.Select(round => select(round[own])).Median(),
        "RabbitMQ.Client",
        rounds.Select(round => select(round[^1])).Median(),
        rounds.Select(round => select(round[own]) / select(round[^1])).Median());

    private static async Task<Figure> MeasureAsync(AmqpServer broker, IPublisher publisher)
    {
        long expected = broker.Discarded + Messages;
        long allocated = GC.GetTotalAllocatedBytes(precise: true);
        double start = ProcessorClock.Nanoseconds();
        for (int i = 0; i < Messages; i++)
        {
            await publisher.PublishAsync();
        }

        while (broker.Discarded < expected)
        {
            Thread.Sleep(1);
        }

        double elapsed = ProcessorClock.Nanoseconds() - start;
        return new Figure(elapsed / Messages, (double)(GC.GetTotalAllocatedBytes(precise: true) - allocated) / Messages);
    }

    // All have to publish the same.
    private static async Task CheckAsync()
    {
        await using var broker = new AmqpServer(PublishedMessage.FrameMax);
        await using IPublisher wire = new SocketPublisher(broker.Port, 1);
        await using IPublisher client = await ClientPublisher.ConnectAsync(broker.Port);
        foreach (IPublisher publisher in (IPublisher[])[wire, client])
        {
            await publisher.PublishAsync();
            ReceivedMessage message = await broker.NextAsync();
            BasicPublish method = message.Method;
            BasicProperties properties = message.Properties;
            long headers = properties.Headers.ToDictionary().Values.Aggregate(0L, static (sum, value) => sum + TenFields.Sum(value));
            if (PublishCodec.Sum(in method, in properties, message.Body) != PublishedMessage.Checksum || headers != TenFields.Checksum)
            {
                throw new InvalidOperationException($"{publisher.GetType().Name} publishes something else.");
            }
        }
    }

    private readonly record struct Figure(double Nanoseconds, double Bytes);
}

/// <summary>A client that is connected and publishes one message again and again.</summary>
internal interface IPublisher : IAsyncDisposable
{
    ValueTask PublishAsync();
}
