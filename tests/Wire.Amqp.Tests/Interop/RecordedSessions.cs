using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;

namespace Wire.Amqp.Tests.Interop;

/// <summary>What RabbitMQ.Client and a broker say to each other while they are recorded.</summary>
internal static class RecordedSessions
{
    private const string Exchange = "wire.exchange";
    private const string OtherExchange = "wire.other";
    private const string Queue = "wire.queue";
    private const string Key = "key";

    /// <summary>What a queue is declared with.</summary>
    public static readonly Dictionary<string, object?> QueueArguments = new()
    {
        ["x-max-length"] = 100,
        ["x-overflow"] = "reject-publish",
        ["x-expires"] = 3_600_000L,
    };

    /// <summary>Small frames: a body of three, in both directions.</summary>
    public static async Task LargeBodyAsync(ConnectionFactory factory)
    {
        factory.RequestedFrameMax = 4096;
        await using IConnection connection = await factory.CreateConnectionAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeclareAsync(Queue, durable: false, exclusive: true);
        await channel.BasicPublishAsync("", Queue, ClientSamples.ThreeFrameBody);
        BasicGetResult got = await GetAsync(channel);
        Assert.Equal(ClientSamples.ThreeFrameBody, got.Body.ToArray());
        await connection.CloseAsync();
    }

    /// <summary>Nearly every method that the client has a call for, and every property of a message.</summary>
    public static async Task EverythingAsync(ConnectionFactory factory)
    {
        factory.RequestedHeartbeat = TimeSpan.FromSeconds(1);
        await using IConnection connection = await factory.CreateConnectionAsync();
        await using (IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, false)))
        {
            await DeclareAsync(channel);
            await PublishAsync(channel);
            await ConsumeAsync(channel);
            await DeleteAsync(channel);
            await channel.CloseAsync();
        }

        await TransactAsync(connection);
        await FailAsync(connection);
        await connection.UpdateSecretAsync("guest", "renewed");
        await Task.Delay(TimeSpan.FromSeconds(2)); // heartbeats
        await connection.CloseAsync(200, "goodbye");
    }

    private static async Task DeclareAsync(IChannel channel)
    {
        await channel.ExchangeDeclareAsync(OtherExchange, ExchangeType.Fanout, durable: false, autoDelete: true);
        await channel.ExchangeDeclareAsync(Exchange, ExchangeType.Direct, durable: true, autoDelete: false, new Dictionary<string, object?>
        {
            ["x-wire"] = "any",
        });
        await channel.ExchangeDeclarePassiveAsync(Exchange);
        await channel.ExchangeBindAsync(Exchange, OtherExchange, Key, new Dictionary<string, object?> { ["n"] = 1 });
        await channel.ExchangeUnbindAsync(Exchange, OtherExchange, Key, new Dictionary<string, object?> { ["n"] = 1 });
        await channel.QueueDeclareAsync(Queue, durable: false, exclusive: true, autoDelete: false, QueueArguments);
        await channel.QueueBindAsync(Queue, Exchange, Key, new Dictionary<string, object?> { ["list"] = new List<object?> { 1, "two" } });
        await channel.QueueBindAsync(Queue, Exchange, "another");
        await channel.QueueUnbindAsync(Queue, Exchange, "another");
        await channel.BasicQosAsync(0, 10, global: false);
    }

    private static async Task PublishAsync(IChannel channel)
    {
        var returned = new TaskCompletionSource();
        channel.BasicReturnAsync += (_, _) =>
        {
            returned.SetResult();
            return Task.CompletedTask;
        };
        await channel.BasicPublishAsync(Exchange, "nowhere", true, ClientSamples.AllProperties(), ClientSamples.SmallBody);
        await returned.Task.WaitAsync(TimeSpan.FromSeconds(10));
        for (int i = 0; i < 3; i++)
        {
            await channel.BasicPublishAsync(Exchange, Key, true, ClientSamples.AllProperties(), ClientSamples.SmallBody);
        }

        await channel.BasicPublishAsync(Exchange, Key, ReadOnlyMemory<byte>.Empty);
    }

    private static async Task ConsumeAsync(IChannel channel)
    {
        BasicGetResult got = await GetAsync(channel);
        await channel.BasicNackAsync(got.DeliveryTag, multiple: false, requeue: true);

        var consumer = new CollectingConsumer(channel);
        string tag = await channel.BasicConsumeAsync(Queue, autoAck: false, "consumer", noLocal: true, exclusive: false,
            new Dictionary<string, object?> { ["x-priority"] = 5 }, consumer);
        ulong last = 0;
        for (int i = 0; i < 4; i++)
        {
            last = (await consumer.NextAsync()).DeliveryTag;
        }

        await channel.BasicCancelAsync(tag);
        await channel.BasicAckAsync(last - 2, multiple: true);
        await channel.BasicRejectAsync(last - 1, requeue: true);
        await channel.BasicNackAsync(last, multiple: false, requeue: false);
    }

    private static async Task DeleteAsync(IChannel channel)
    {
        await channel.QueuePurgeAsync(Queue);
        Assert.Null(await channel.BasicGetAsync(Queue, autoAck: true));
        await channel.QueueDeleteAsync(Queue, ifUnused: true, ifEmpty: true);
        await channel.ExchangeDeleteAsync(Exchange, ifUnused: false);
        await channel.ExchangeDeleteAsync(OtherExchange, ifUnused: true);
    }

    private static async Task TransactAsync(IConnection connection)
    {
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.TxSelectAsync();
        await channel.BasicPublishAsync("", "nowhere", new byte[] { 1 });
        await channel.TxCommitAsync();
        await channel.TxRollbackAsync();
    }

    // The broker closes the channel.
    private static async Task FailAsync(IConnection connection)
    {
        await using IChannel channel = await connection.CreateChannelAsync();
        await Assert.ThrowsAsync<OperationInterruptedException>(() => channel.QueueDeclarePassiveAsync("wire.missing"));
    }

    private static async Task<BasicGetResult> GetAsync(IChannel channel)
    {
        for (int i = 0; i < 500; i++)
        {
            if (await channel.BasicGetAsync(Queue, autoAck: false) is { } got)
            {
                return got;
            }

            await Task.Delay(10);
        }

        throw new TimeoutException("The message did not come.");
    }
}
