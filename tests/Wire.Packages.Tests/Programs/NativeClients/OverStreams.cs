using System.Threading.Channels;
using Depot;
using Wire;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams;

// Wire.RabbitMQ.Streams.
internal static class OverStreams
{
    private static readonly IShipment[] Messages =
    [
        new Crate(0, "Ada", 2), new Letter(1, "Bob", "hello"), new Ping(2, Stage.Sent), new Quote(3, Size.Small), new Crate(4, "Eve", 1),
    ];

    public static async Task RunAsync(Exchanges exchanges, string uri)
    {
        await using StreamClient client = await StreamClient.ConnectAsync(StreamClientOptions.Parse(uri) with
        {
            Serializer = new Serializer(DepotSerializer.Options),
            UseEndpointsOnly = true,
        });
        foreach (StreamFormat format in Enum.GetValues<StreamFormat>())
        {
            await exchanges.TryAsync($"a stream, written as {format} and read from its first message", () => WithStreamAsync(
                client, new StreamProducerOptions { Format = format }));
        }

        await exchanges.TryAsync("compressed sub-entries", () => WithStreamAsync(
            client, new StreamProducerOptions { SubEntries = new StreamSubEntryOptions { Codec = new GZipCodec() } }));
        string stream = NewName();
        await client.CreateStreamAsync(stream);
        await exchanges.TryAsync("each message once, by its number", () => SendTwiceAsync(client, stream));
        await exchanges.TryAsync("a stream, read from an offset", () => ReadAsync(client, stream, StreamOffset.At(3), Messages[3..]));
        await exchanges.TryAsync("an offset that is kept", async () =>
        {
            await client.StoreOffsetAsync("reader", stream, 1);
            await ReadAsync(client, stream, StreamOffset.First, Messages[2..], "reader");
        });
        await exchanges.TryAsync("properties of AMQP 1.0", () => ReadPropertiesAsync(client, stream));
        await client.DeleteStreamAsync(stream);
        await exchanges.TryAsync("a stream that is missing", async () => Exchanges.Same(
            StreamResponseCode.StreamDoesNotExist,
            (await Exchanges.ThrowsAsync<StreamException>(() => client.CreateProducerAsync(NewName()))).Code));
    }

    private static string NewName() => $"depot-{Guid.NewGuid():N}";

    private static async Task WithStreamAsync(StreamClient client, StreamProducerOptions options)
    {
        string stream = NewName();
        await client.CreateStreamAsync(stream);
        await using (StreamProducer producer = await client.CreateProducerAsync(stream, options))
        {
            await Task.WhenAll(Messages.Select(message => producer.SendAsync(message).AsTask()));
        }

        await ReadAsync(client, stream, StreamOffset.First, Messages);
        await client.DeleteStreamAsync(stream);
    }

    private static async Task ReadAsync(
        StreamClient client, string stream, StreamOffset offset, IShipment[] expected, string? name = null)
    {
        var read = Channel.CreateUnbounded<IShipment?>();
        await using StreamConsumer consumer = await client.ConsumeAsync<IShipment>(
            stream,
            (message, _) => read.Writer.WriteAsync(message),
            new StreamConsumerOptions { Offset = offset, Name = name });
        foreach (IShipment message in expected)
        {
            Exchanges.SameShipment(message, await read.Reader.ReadAsync());
        }
    }

    private static async Task SendTwiceAsync(StreamClient client, string stream)
    {
        for (ulong i = 0; i < 2; i++)
        {
            await using StreamProducer producer = await client.CreateProducerAsync(stream, new StreamProducerOptions { Name = "depot" });
            Exchanges.Same(i * (ulong)Messages.Length, producer.LastPublishingId);
            foreach (IShipment message in Messages)
            {
                await producer.SendAsync(message, new StreamSendOptions { PublishingId = 1 + (ulong)message.Number });
            }
        }

        await ReadAsync(client, stream, StreamOffset.First, Messages);
    }

    private static async Task ReadPropertiesAsync(StreamClient client, string stream)
    {
        await using StreamProducer producer = await client.CreateProducerAsync(stream);
        await producer.SendMessageAsync(new Letter(9, "Ada", "alarm"), new Properties { MessageId = "alarm-9", GroupId = "cellar" });
        var read = new TaskCompletionSource<(string Id, string Group, Parcel? Parcel)>();
        await using StreamConsumer consumer = await client.ConsumeAsync(
            stream,
            message =>
            {
                Properties properties = message.ReadProperties();
                read.TrySetResult((properties.MessageId.ToString()!, properties.GroupId.ToString(), message.Read<Parcel>()));
                return ValueTask.CompletedTask;
            },
            new StreamConsumerOptions { Offset = StreamOffset.At((ulong)Messages.Length) });
        (string id, string group, Parcel? parcel) = await read.Task;
        Exchanges.Same("alarm-9 cellar", $"{id} {group}");
        Exchanges.SameShipment(new Letter(9, "Ada", "alarm"), parcel);
    }
}
