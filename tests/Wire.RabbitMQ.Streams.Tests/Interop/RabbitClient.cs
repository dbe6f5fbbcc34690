using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Interop;

/// <summary>RabbitMQ.Client with a stream of its own, to which it publishes and from which it consumes over AMQP 0-9-1.</summary>
internal sealed class RabbitClient : IAsyncDisposable
{
    private readonly IConnection _connection;
    private readonly IChannel _channel;

    private RabbitClient(IConnection connection, IChannel channel)
    {
        _connection = connection;
        _channel = channel;
    }

    public string Stream { get; } = Broker.UniqueName("interop");

    public static async Task<RabbitClient> OpenAsync()
    {
        string uri = Environment.GetEnvironmentVariable("WIRE_RABBITMQ_URI")
            ?? throw new InvalidOperationException(
                """WIRE_RABBITMQ_URI is not set: start a broker with `eval "$(eng/rabbitmq.sh start)"`.""");
        IConnection connection = await new ConnectionFactory { Uri = new Uri(uri) }.CreateConnectionAsync().WaitAsync(Patience.Limit);
        IChannel channel = await connection.CreateChannelAsync();
        var client = new RabbitClient(connection, channel);
        await channel.QueueDeclareAsync(
            client.Stream,
            durable: true,
            exclusive: false,
            autoDelete: false,
            new Dictionary<string, object?> { ["x-queue-type"] = "stream" });
        return client;
    }

    /// <summary>Publishes a message, without a confirm: those who read the stream see it.</summary>
    public ValueTask PublishAsync(BasicProperties properties, byte[] body) =>
        _channel.BasicPublishAsync("", Stream, mandatory: false, properties, body);

    /// <summary>Consumes the stream from its beginning.</summary>
    public async Task<IReadOnlyList<(IReadOnlyBasicProperties Properties, byte[] Body)>> ConsumeAsync(int messages)
    {
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        List<(IReadOnlyBasicProperties, byte[])> received = [];
        var consumer = new AsyncEventingBasicConsumer(_channel);
        consumer.ReceivedAsync += async (_, delivery) =>
        {
            received.Add((new BasicProperties(delivery.BasicProperties), delivery.Body.ToArray()));
            await _channel.BasicAckAsync(delivery.DeliveryTag, multiple: false);
            if (received.Count == messages)
            {
                all.TrySetResult();
            }
        };
        _channel.ChannelShutdownAsync += (_, reason) =>
        {
            all.TrySetException(new InvalidOperationException(reason.ReplyText));
            return Task.CompletedTask;
        };
        await _channel.BasicQosAsync(0, 100, global: false);
        string tag = await _channel.BasicConsumeAsync(
            Stream,
            autoAck: false,
            "",
            noLocal: false,
            exclusive: false,
            new Dictionary<string, object?> { ["x-stream-offset"] = "first" },
            consumer);
        await all.Task.WaitAsync(Patience.Limit);
        await _channel.BasicCancelAsync(tag);
        return received;
    }

    public async ValueTask DisposeAsync()
    {
        // On a channel of its own: the broker may have closed the other one.
        await using (IChannel channel = await _connection.CreateChannelAsync())
        {
            await channel.QueueDeleteAsync(Stream);
        }

        await _connection.DisposeAsync();
    }
}
