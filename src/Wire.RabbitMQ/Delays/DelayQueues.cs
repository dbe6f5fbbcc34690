using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Copies;

namespace Wire.RabbitMQ.Delays;

/// <summary>
/// The queues in which messages of a queue wait that were put aside: one for each <see cref="DelayLevel"/>, made when it is needed. The
/// broker moves what has waited long enough back to the queue. Thread-safe.
/// </summary>
/// <remarks>
/// They are quorum queues whose broker removes a message only when its queue has confirmed it, so that a node that is killed loses none.
/// Specification: RabbitMQ, "Dead Letter Exchanges", at-least-once. They outlive the consumer: messages may be in them.
/// </remarks>
internal sealed class DelayQueues(CopyPublisher copies, string queue)
{
    /// <summary>Declares the queues for delays that are known beforehand.</summary>
    /// <exception cref="InvalidOperationException">The broker refuses one.</exception>
    public async Task DeclareAsync(IEnumerable<TimeSpan> delays, CancellationToken cancellationToken)
    {
        foreach (DelayLevel level in delays.Select(DelayLevel.Of).Distinct())
        {
            await DeclareAsync(level, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Puts a message aside. Success means that the broker has it.</summary>
    /// <param name="delivery">The message, which stays as it is until this has ended.</param>
    /// <param name="queueDelay">The time whose queue it goes to.</param>
    /// <param name="delay">Its own time, which is at most that.</param>
    /// <param name="state">Its history, for when it comes back.</param>
    /// <param name="cancellationToken">Ends the attempt, while it has not been published.</param>
    /// <exception cref="ArgumentException">Its headers leave no room for that.</exception>
    /// <exception cref="InvalidOperationException">The broker refuses the queue.</exception>
    public Task PublishAsync(
        IDelivery delivery, TimeSpan queueDelay, TimeSpan delay, RetryState state, CancellationToken cancellationToken)
    {
        var level = DelayLevel.Of(queueDelay);
        return copies.PublishAsync(
            level.QueueFor(queue),
            token => DeclareAsync(level, token),
            _ => RetryHeaders.Create(delivery, state, delay),
            delivery.Body,
            cancellationToken);
    }

    /// <summary>Returns the options of a delay queue.</summary>
    public static AmqpQueueOptions OptionsOf(DelayLevel level, string queue) => AmqpQueueOptions.Quorum with
    {
        MessageTtl = TimeSpan.FromMilliseconds(level.Milliseconds),
        DeadLetterExchange = "",
        DeadLetterRoutingKey = queue,
        DeadLettersAtLeastOnce = true,
        Overflow = AmqpOverflow.RejectPublish,
    };

    private async Task DeclareAsync(DelayLevel level, CancellationToken cancellationToken)
    {
        string name = level.QueueFor(queue);
        try
        {
            await copies.DeclareAsync(name, OptionsOf(level, queue), cancellationToken).ConfigureAwait(false);
        }
        catch (AmqpChannelException e)
        {
            string advice = e.Reason.ReplyCode == ReplyCodes.PreconditionFailed
                ? "It exists already, and was declared otherwise: delete it when it is empty"
                : "Give the user the right to configure it";
            throw new InvalidOperationException(
                $"The delay queue '{name}' of '{queue}' cannot be declared; the broker says: {e.Reason.ReplyCode} {e.Reason.ReplyText}. " +
                $"{advice}.",
                e);
        }
    }
}
