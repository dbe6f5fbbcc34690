using System.Threading.Channels;
using Depot;
using Wire;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.V091;

// Wire.Amqp.Client, with the codecs of Wire.Amqp.
internal static class OverAmqp
{
    private static readonly Serializer Serializer = new(DepotSerializer.Options);

    public static async Task RunAsync(Exchanges exchanges, string uri)
    {
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(OptionsOf(uri));
        await using AmqpChannel channel = await connection.OpenChannelAsync();
        string queue = (await channel.Topology.DeclareQueueAsync("", AmqpQueueOptions.Temporary)).Name;
        await exchanges.TryAsync("objects of a base class", () => ConsumeAsync<Parcel>(
            channel, queue, [new Crate(1, "Ada", 3), new Letter(2, "Bob", "hello"), new Crate(3, "Eve", 0)]));
        await exchanges.TryAsync("objects of an interface", () => ConsumeAsync<IShipment>(
            channel, queue, [new Ping(1, Stage.Arrived), new Letter(2, "Bob", "hello"), new Quote(3, Size.Large)]));
        await exchanges.TryAsync("properties and headers", () => ReadPropertiesAsync(channel, queue));
        await exchanges.TryAsync("a large object, in pieces", () => ConsumeAsync<Parcel>(
            channel, queue, [new Scan(1, [.. Enumerable.Range(0, 3 << 20).Select(each => (byte)each)])]));
        await exchanges.TryAsync("a type that is not allowed", () => RefuseAsync(channel, queue));
        await exchanges.TryAsync("a message that no queue takes", async () => Exchanges.Same(
            AmqpPublishFailure.Returned,
            (await Exchanges.ThrowsAsync<AmqpPublishException>(async () => await channel.PublishAsync(
                new BasicPublish { RoutingKey = $"not-{queue}", Mandatory = true }, default, new Letter(1, "Ada", "lost")))).Failure));
        foreach (Compression compression in Enum.GetValues<Compression>())
        {
            await using AmqpChannel compressed = await connection.OpenChannelAsync(new AmqpChannelOptions
            {
                Body = new AmqpBody(Serializer, new AmqpBodyOptions { Compression = compression, CompressAbove = 0 }),
            });
            await exchanges.TryAsync(
                $"compression {compression}", () => ConsumeAsync<Parcel>(compressed, queue, [new Crate(1, "Ada", 50)]));
        }

        await exchanges.TryAsync("a declaration that the broker refuses", async () =>
        {
            await using AmqpChannel other = await connection.OpenChannelAsync();
            AmqpChannelException refusal = await Exchanges.ThrowsAsync<AmqpChannelException>(
                () => other.Topology.DeclareExchangeAsync("amq.direct", "fanout"));
            Exchanges.Same(406, refusal.Reason.ReplyCode);
            Exchanges.Same(MethodId.ExchangeDeclare, refusal.Reason.Cause);
        });
    }

    public static async Task RunOverTlsAsync(Exchanges exchanges, string uri) => await exchanges.TryAsync("TLS, sent inline", async () =>
    {
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(OptionsOf(uri) with { Writing = FrameWriting.Inline });
        await using AmqpChannel channel = await connection.OpenChannelAsync();
        string queue = (await channel.Topology.DeclareQueueAsync("", AmqpQueueOptions.Temporary)).Name;
        await ConsumeAsync<Parcel>(channel, queue, [new Crate(1, "Ada", 3)]);
    });

    private static AmqpConnectionOptions OptionsOf(string uri) => AmqpConnectionOptions.Parse(uri) with { Body = new AmqpBody(Serializer) };

    private static async Task ConsumeAsync<T>(AmqpChannel channel, string queue, T[] messages)
        where T : IShipment
    {
        var received = Channel.CreateUnbounded<T?>();
        await using AmqpConsumer consumer = await channel.ConsumeAsync<T>(queue, (message, _) => received.Writer.WriteAsync(message));
        await Task.WhenAll(messages.Select(message => channel.PublishAsync("", queue, message).AsTask()));
        foreach (T message in messages)
        {
            Exchanges.SameShipment(message, await received.Reader.ReadAsync());
        }
    }

    private static async Task ReadPropertiesAsync(AmqpChannel channel, string queue)
    {
        var fields = new Dictionary<string, object?> { ["to"] = "Ada", ["of"] = 3, ["tags"] = new object[] { "a", true } };
        var properties = new BasicProperties
        {
            MessageId = "parcel-1",
            Priority = 3,
            Headers = FieldTable.Create(fields),
        };
        await channel.PublishAsync("", queue, new Letter(1, "Ada", "hello"), properties);
        using AmqpDelivery delivery = (await channel.GetAsync(queue, noAck: true))!.Value;
        Exchanges.Same("parcel-1", delivery.Properties.MessageId.ToString());
        Exchanges.Same(AmqpBody.ContentType, delivery.Properties.ContentType.ToString());
        Exchanges.Same(typeof(Letter).FullName, delivery.Properties.Type.ToString());
        Dictionary<string, object?> headers = delivery.Properties.Headers.ToDictionary();
        Exchanges.Same("Ada", headers["to"]);
        Exchanges.Same<object?>(3, headers["of"]);
        Exchanges.Same("a True", string.Join(' ', (IEnumerable<object?>)headers["tags"]!));
        Exchanges.SameShipment(new Letter(1, "Ada", "hello"), delivery.Read<Parcel>());
    }

    private static async Task RefuseAsync(AmqpChannel channel, string queue)
    {
        await channel.PublishAsync("", queue, new Stranger(1));
        var failed = new TaskCompletionSource<Exception>();
        await using AmqpConsumer consumer = await channel.ConsumeAsync<object>(
            queue,
            (_, _) => ValueTask.CompletedTask,
            new AmqpConsumeOptions { OnError = (_, error) => failed.TrySetResult(error) });
        Exchanges.Same(typeof(TypeRefusedException), (await failed.Task).GetType());
    }
}
