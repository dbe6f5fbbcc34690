using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using Wire.RabbitMQ.Tests.Testing;

namespace Wire.RabbitMQ.Tests.Requests;

/// <summary>A queue of its own whose messages are answered by a function on the client's own channel, as another program might.</summary>
internal sealed class RawResponder : IAsyncDisposable
{
    private readonly IChannel _channel;

    private RawResponder(IChannel channel, string queue) => (_channel, Queue) = (channel, queue);

    public string Queue { get; }

    /// <summary>Begins.</summary>
    /// <param name="connection">The connection.</param>
    /// <param name="answer">Gets the request and sends what it likes.</param>
    public static async Task<RawResponder> StartAsync(IConnection connection, Func<BasicDeliverEventArgs, IChannel, Task> answer)
    {
        IChannel channel = await connection.CreateChannelAsync();
        string queue = await channel.DeclareQueueAsync();
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += (_, delivery) => answer(delivery, channel);
        await channel.BasicConsumeAsync(queue, autoAck: true, consumer);
        return new RawResponder(channel, queue);
    }

    /// <summary>Sends a reply.</summary>
    public static Task ReplyAsync<T>(BasicDeliverEventArgs request, IChannel channel, T reply) =>
        channel.PublishAsync(
            Shop.Serializer,
            "",
            request.BasicProperties.ReplyTo!,
            reply,
            new BasicProperties { CorrelationId = request.BasicProperties.CorrelationId }).AsTask();

    public async ValueTask DisposeAsync() => await _channel.DisposeAsync();
}
