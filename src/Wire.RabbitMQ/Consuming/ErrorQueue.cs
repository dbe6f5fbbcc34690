using System.Buffers;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Copies;
using Wire.RabbitMQ.Topology;

namespace Wire.RabbitMQ.Consuming;

/// <summary>The destination of messages that cannot be handled. Thread-safe.</summary>
internal sealed class ErrorQueue(CopyPublisher copies, WireConsumerOptions options)
{
    private TopologyItem? _item;

    /// <summary>Its name.</summary>
    public string Name { get; } = options.EffectiveErrorQueue;

    /// <summary>Declares it, where the options say so.</summary>
    public async Task DeclareAsync(CancellationToken cancellationToken)
    {
        if (options.OnFailure != FailureAction.ErrorQueue || !options.DeclareErrorQueue)
        {
            return;
        }

        try
        {
            _item ??= TopologyItem.Queue(Name, AmqpQueueOptions.Default);
            await copies.DeclareAsync(_item, isWatched: false, cancellationToken).ConfigureAwait(false);
        }
        catch (InvalidOperationException e) when (e.InnerException is AmqpChannelException { Reason: { } reason } refusal)
        {
            throw new InvalidOperationException(
                reason.ReplyCode == ReplyCodes.PreconditionFailed
                    ? $"The error queue '{Name}' exists already, and was not declared as a durable queue without arguments " +
                        $"({reason.ReplyText}). To use it as it is, set {nameof(WireConsumerOptions.DeclareErrorQueue)} to false."
                    : $"The error queue '{Name}' cannot be declared; the broker says: {reason.ReplyCode} {reason.ReplyText}. Name " +
                        $"another one with {nameof(WireConsumerOptions.ErrorQueue)}; a queue named by the broker needs that, because " +
                        $"names that begin with amq. are reserved. Or choose another {nameof(WireConsumerOptions.OnFailure)}.",
                refusal);
        }
    }

    /// <summary>Publishes a message to it. Success means that it has arrived.</summary>
    /// <param name="delivery">The message, which stays as it is until this has ended.</param>
    /// <param name="failure">The reason why it cannot be handled.</param>
    /// <param name="cancellationToken">Ends the attempt, while it has not been published.</param>
    public Task PublishAsync(IDelivery delivery, Failure failure, CancellationToken cancellationToken)
    {
        ReadOnlySequence<byte> body = failure.Reason == FailureReason.TooLarge ? default : delivery.Body;
        return copies.PublishAsync(
            Name, DeclareAsync, frameMax => ErrorHeaders.Create(options.Queue, delivery, failure, frameMax), body, cancellationToken);
    }
}
