using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.Transport;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>A connection with one channel, which do what a test says; with an error it is lost by that, and does not come back.</summary>
internal sealed class FakeConnection(FakeMessageChannel channel, Exception? error = null) : WireConnection
{
    public override string? BlockedReason => null;

    public override bool IsOpen => error is null;

    public override bool IsClosed => false;

    internal override Exception? Error => error;

    internal override string Advice => "Is the broker up?";

    internal override int FrameMax => 0;

    internal override BrokerEndpoint? Endpoint => null;

    public override Task CloseAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    internal override async Task<IMessageChannel> OpenCoreAsync(
        AmqpChannelOptions options, ChannelEvents events, CancellationToken cancellationToken)
    {
        if (error is not null)
        {
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
        }

        return channel;
    }

    internal override Task<T> UseCoreAsync<T>(Func<IAmqpTopology, Task<T>> use, CancellationToken opening) =>
        throw new NotSupportedException();

    internal override IDisposable WatchBlocked(Action<string?> tell) => throw new NotSupportedException();

    internal override IDisposable Watch(Action<Exception> lost, Action recovered) => throw new NotSupportedException();
}

/// <summary>A channel that does what a test says.</summary>
internal sealed class FakeMessageChannel : IMessageChannel
{
    /// <summary>What consuming does before the broker has answered.</summary>
    public Func<Func<IDelivery, ValueTask>, CancellationToken, Task> Consume { get; init; } = (_, _) => Task.CompletedTask;

    /// <summary>What publishing does.</summary>
    public Func<IAmqpPublishObserver?, ValueTask> Publish { get; init; } = _ => default;

    /// <summary>Gets the end of the last consumer, which a test may set.</summary>
    public TaskCompletionSource ConsumerEnd { get; private set; } = new();

    public bool IsDisposed { get; private set; }

    public bool IsConsumerDisposed { get; private set; }

    public bool IsOpen => !IsDisposed;

    public int InFlight => 0;

    public bool HasRoom => true;

    public Task Completion { get; } = new TaskCompletionSource().Task;

    public ValueTask PublishAsync<T>(
        in BasicPublish method, in BasicProperties properties, T message, IAmqpPublishObserver? observer,
        CancellationToken cancellationToken) => Publish(observer);

    public Task CloseAsync(CancellationToken patience) => DisposeAsync().AsTask();

    public async Task<IMessageConsumer> ConsumeAsync(
        string queue, Func<IDelivery, ValueTask> handler, AmqpConsumeOptions options, CancellationToken cancellationToken)
    {
        await Consume(handler, cancellationToken);
        ConsumerEnd = new TaskCompletionSource();
        return new Consumer(this);
    }

    public ValueTask DisposeAsync()
    {
        IsDisposed = true;
        return default;
    }

    private sealed class Consumer(FakeMessageChannel channel) : IMessageConsumer
    {
        public Task Ended { get; } = channel.ConsumerEnd.Task;

        public bool IsConsuming => !Ended.IsCompleted;

        public int Concurrency { get; set; } = 1;

        public ValueTask DisposeAsync()
        {
            channel.IsConsumerDisposed = true;
            return default;
        }
    }
}
