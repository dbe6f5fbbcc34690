using System.Buffers;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Wire.RabbitMQ.Connections;

/// <summary>What RabbitMQ.Client delivers to. A body that is kept is copied, as the client's memory is the client's again after its call.</summary>
internal sealed class ClientConsumer(IChannel channel, IBrokerChannelEvents events) : IAsyncBasicConsumer, IBodyKeeper
{
    private readonly BodyPool _bodies = new();
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public IChannel Channel => channel;

    /// <summary>Ends when nothing is delivered any more.</summary>
    public Task Ended => _ended.Task;

    public Task HandleBasicDeliverAsync(
        string consumerTag,
        ulong deliveryTag,
        bool redelivered,
        string exchange,
        string routingKey,
        IReadOnlyBasicProperties properties,
        ReadOnlyMemory<byte> body,
        CancellationToken cancellationToken = default)
    {
        events.Delivered(new Incoming(deliveryTag, redelivered, exchange, routingKey, properties, new ReadOnlySequence<byte>(body), this));
        return Task.CompletedTask;
    }

    public Task HandleBasicConsumeOkAsync(string consumerTag, CancellationToken cancellationToken = default) => Task.CompletedTask;

    public Task HandleBasicCancelOkAsync(string consumerTag, CancellationToken cancellationToken = default)
    {
        End();
        return Task.CompletedTask;
    }

    public Task HandleBasicCancelAsync(string consumerTag, CancellationToken cancellationToken = default)
    {
        events.Cancelled();
        End();
        return Task.CompletedTask;
    }

    // The channel says so itself.
    public Task HandleChannelShutdownAsync(object channel, ShutdownEventArgs reason) => Task.CompletedTask;

    IKeptBody IBodyKeeper.Keep(ReadOnlySequence<byte> body) => _bodies.Copy(body.FirstSpan);

    /// <summary>Nothing is delivered any more.</summary>
    public void End() => _ended.TrySetResult();
}
