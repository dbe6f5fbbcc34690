using System.Collections.Concurrent;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Copies;
using Wire.RabbitMQ.Topology;

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
    private readonly ConcurrentDictionary<DelayLevel, TopologyItem> _items = new();

    /// <summary>Returns the queue of a level.</summary>
    public static TopologyItem ItemOf(DelayLevel level, string queue)
    {
        AmqpQueueOptions options = AmqpQueueOptions.Quorum with
        {
            MessageTtl = TimeSpan.FromMilliseconds(level.Milliseconds),
            DeadLetterExchange = "",
            DeadLetterRoutingKey = queue,
            DeadLettersAtLeastOnce = true,
            Overflow = AmqpOverflow.RejectPublish,
        };
        return TopologyItem.Queue(level.QueueFor(queue), options);
    }

    /// <summary>Declares the queues of levels that are known beforehand.</summary>
    /// <exception cref="InvalidOperationException">The broker refuses one.</exception>
    public async Task DeclareAsync(IEnumerable<DelayLevel> levels, CancellationToken cancellationToken)
    {
        foreach (DelayLevel level in levels.Distinct())
        {
            await copies.DeclareAsync(ItemOf(level), isWatched: true, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Has a message wait. Success means that the broker has it.</summary>
    /// <param name="delivery">The message, which stays as it is until this has ended.</param>
    /// <param name="wait">How long.</param>
    /// <param name="state">Its history, for when it comes back.</param>
    /// <param name="cancellationToken">Ends the attempt, while it has not been published.</param>
    /// <exception cref="ArgumentException">Its headers leave no room for that.</exception>
    /// <exception cref="InvalidOperationException">The broker refuses the queue.</exception>
    public async Task PublishAsync(IDelivery delivery, Wait wait, RetryState state, CancellationToken cancellationToken)
    {
        TopologyItem item = ItemOf(wait.Level);
        await copies.PublishAsync(
            item.Name,
            token => copies.DeclareAsync(item, isWatched: true, token),
            _ => RetryHeaders.Create(queue, delivery, state, wait.Time),
            delivery.Body,
            cancellationToken).ConfigureAwait(false);

        // Until then the message stays where it came from as well.
        await copies.WhenSafeAsync(item.Name, cancellationToken).ConfigureAwait(false);
    }

    private TopologyItem ItemOf(DelayLevel level) => _items.GetOrAdd(level, static (level, queue) => ItemOf(level, queue), queue);
}
