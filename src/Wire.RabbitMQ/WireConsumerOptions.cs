using System.Text;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Delays;

namespace Wire.RabbitMQ;

/// <summary>Options of a <see cref="WireConsumer"/>. Immutable.</summary>
public sealed record WireConsumerOptions
{
    /// <summary>The queue. It has to exist, unless <see cref="Conventions"/> or <see cref="Topology"/> declare it.</summary>
    public required string Queue { get; init; }

    /// <summary>
    /// Gets the conventions by which the queue, with <see cref="QueueOptions"/>, and the exchanges of the types that are handled are
    /// declared, and the queue is bound to them; null, the default, for none.
    /// </summary>
    /// <remarks>
    /// That happens before it starts, and again each time it begins to consume anew, so that what was deleted meanwhile comes back.
    /// </remarks>
    public WireConventions? Conventions { get; init; }

    /// <summary>Gets the options of the queue that <see cref="Conventions"/> declare: durable unless set.</summary>
    public AmqpQueueOptions QueueOptions { get; init; } = AmqpQueueOptions.Default;

    /// <summary>Gets the topology that is declared at the same times, before that of <see cref="Conventions"/>; null for none.</summary>
    public WireTopology? Topology { get; init; }

    /// <summary>
    /// Gets the largest number of messages that are handled at a time: 1 and up; one for each processor unless set. With 1 they are handled
    /// in the queue's order.
    /// </summary>
    public int MaxConcurrency { get; init; } = Environment.ProcessorCount;

    /// <summary>
    /// Returns the key of a message: those of one key are handled one after the other, in the queue's order, and those of different keys
    /// side by side, up to <see cref="MaxConcurrency"/>; null from it for one whose order does not matter. It is asked once for each
    /// delivery, about properties, headers, routing key and body, of which nothing is kept. If it throws, the message is a failure. Null,
    /// the default, for no order but that of <see cref="MaxConcurrency"/> = 1.
    /// </summary>
    /// <remarks>
    /// What waits for its key counts as sent ahead: raise <see cref="PrefetchCount"/> where keys are few. A message that comes again,
    /// requeued, after a delay or from the error queue, comes behind others of its key.
    /// </remarks>
    public Func<MessageContext, string?>? OrderingKey { get; init; }

    /// <summary>
    /// Gets which messages are handled, by what is in their payloads: over a <see cref="PayloadPath{T}"/>, such as <c>payload =>
    /// total.TryRead(payload, out decimal value) &amp;&amp; value > 100</c>, no object is read for it. The others are acknowledged, as if
    /// they had been handled, and a requester is told. Null, the default, for all. It is not asked about bodies that are no Wire payloads,
    /// which are handled, nor about what <see cref="MaxDeliveries"/> refuses. If it throws, the message is a failure. Called from any
    /// thread.
    /// </summary>
    public PayloadCondition? Where { get; init; }

    /// <summary>
    /// Gets the number of messages that the broker sends ahead for each that is handled at a time: 1 and up; 3 unless set.
    /// </summary>
    public int PrefetchMultiplier { get; init; } = 3;

    /// <summary>
    /// Gets the number of unacknowledged messages that the broker sends at most: 1 to 65,535. <see cref="MaxConcurrency"/> times <see
    /// cref="PrefetchMultiplier"/> unless set. A value below <see cref="MaxConcurrency"/> limits the concurrency.
    /// </summary>
    public ushort? PrefetchCount { get; init; }

    /// <summary>Gets the policy for trying a message again. <see cref="RetryPolicy.Default"/> unless set.</summary>
    public RetryPolicy Retry { get; init; } = RetryPolicy.Default;

    /// <summary>
    /// Decides on a message whose handler has thrown, before <see cref="Retry"/> is asked: null from it for what that says, anything else
    /// for no further attempt here. If it throws itself, the message is a failure. Null, the default, for none.
    /// </summary>
    public Func<Exception, MessageContext, MessageOutcome?>? OnException { get; init; }

    /// <summary>
    /// Gets the number of deliveries after which a message is not handled any more, but treated as <see cref="OnFailure"/> says: 1 and up;
    /// 16 unless set, and null for any number. Quorum queues count deliveries, so that a message that ends the process each time is found
    /// out. They count those to a process that ends or a connection that is lost, too, also of messages that no handler had begun with.
    /// RabbitMQ 4 drops messages of such queues after 20, unless told otherwise.
    /// </summary>
    public int? MaxDeliveries { get; init; } = 16;

    /// <summary>Gets the fate of a message that cannot be handled: <see cref="FailureAction.ErrorQueue"/> unless set.</summary>
    public FailureAction OnFailure { get; init; }

    /// <summary>
    /// The error queue; null, the default, for the queue's name and <c>.error</c>. A queue named by the broker needs an explicit name:
    /// names that begin with <c>amq.</c> cannot be declared.
    /// </summary>
    public string? ErrorQueue { get; init; }

    /// <summary>
    /// Gets whether the error queue is declared, as a durable queue without arguments, when the consumer starts. On unless set. Turn it off
    /// if the program declares it itself: with arguments, or as a temporary queue for a temporary one, whose error queue would otherwise
    /// stay at the broker.
    /// </summary>
    public bool DeclareErrorQueue { get; init; } = true;

    /// <summary>
    /// Gets the number of ids of handled messages that are kept for <see cref="MessageContext.Duplicate"/>: 0 for none; 4,096 unless set.
    /// </summary>
    public int DuplicateWindow { get; init; } = 4096;

    /// <summary>
    /// Gets the time for which <see cref="WireConsumer.StopAsync"/> lets handlers run before <see cref="MessageContext.CancellationToken"/>
    /// fires. 20 s unless set, so that all ends within the 30 s that a host has; <see cref="Timeout.InfiniteTimeSpan"/> for as long as they
    /// need.
    /// </summary>
    public TimeSpan StopTimeout { get; init; } = TimeSpan.FromSeconds(20);

    /// <summary>
    /// Gets the longest time for which an acknowledgement is held back to be sent with others. 20 ms unless set; zero for not at all.
    /// </summary>
    public TimeSpan AckDelay { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>The name of this consumer at the broker; empty, the default, for one generated by the broker.</summary>
    public string ConsumerTag { get; init; } = "";

    /// <summary>Gets whether no other consumer may consume the queue at the same time. Off unless set.</summary>
    public bool Exclusive { get; init; }

    /// <summary>
    /// Arguments for the broker, such as <c>x-priority</c>, or <c>x-stream-offset</c> for where a stream is begun; null, the default, for
    /// none.
    /// </summary>
    public IReadOnlyDictionary<string, object?>? Arguments { get; init; }

    /// <summary>Gets the prefetch count that results from these options.</summary>
    internal ushort EffectivePrefetch => PrefetchCount ?? (ushort)(MaxConcurrency * PrefetchMultiplier);

    /// <summary>Gets the error queue that results from these options.</summary>
    internal string EffectiveErrorQueue => ErrorQueue ?? Queue + ".error";

    /// <summary>Gets whether the queue is known to go away by itself, so that nothing may wait for it.</summary>
    internal bool GoesAway =>
        Queue.StartsWith("amq.", StringComparison.Ordinal) || QueueOptions is { Exclusive: true } or { AutoDelete: true };

    /// <summary>Gets whether the queue is declared by conventions.</summary>
    internal bool HasConventions => Conventions is not null && Conventions != WireConventions.None;

    /// <summary>Returns the topology that is declared for handlers of types; null for none.</summary>
    /// <exception cref="ArgumentException">It contradicts itself.</exception>
    internal WireTopology? TopologyFor(IEnumerable<Type> types)
    {
        if (!HasConventions && QueueOptions != AmqpQueueOptions.Default)
        {
            throw new ArgumentException(
                $"{nameof(QueueOptions)} of the consumer of '{Queue}' are for a queue that {nameof(Conventions)} declare, and there are " +
                $"none: set them, or add the queue to {nameof(Topology)}.");
        }

        if (!HasConventions && Topology is null)
        {
            return null;
        }

        // A copy, as the program may add to its own.
        WireTopology topology = Topology is null ? new WireTopology() : new WireTopology().Add(Topology);
        return HasConventions ? topology.Add(Conventions!.TopologyOf(Queue, QueueOptions, types)) : topology;
    }

    /// <summary>Returns all that a consumer with handlers for types declares, its error and delay queues included.</summary>
    internal WireTopology Describe(IEnumerable<Type> types)
    {
        WireTopology topology = TopologyFor(types) ?? new WireTopology();
        foreach (DelayLevel level in Retry.Delayed?.Levels() ?? [])
        {
            topology.Add(DelayQueues.ItemOf(level, Queue));
        }

        return OnFailure == FailureAction.ErrorQueue && DeclareErrorQueue ? topology.AddQueue(EffectiveErrorQueue) : topology;
    }

    /// <summary>Decides on a message whose handler has failed.</summary>
    /// <param name="context">The attempt.</param>
    /// <param name="exception">Its failure; where a decision fails as well, both.</param>
    internal MessageOutcome After(MessageContext context, ref Exception exception)
    {
        string asked = nameof(OnException);
        try
        {
            if (OnException?.Invoke(exception, context) is { } decided)
            {
                return decided;
            }

            asked = nameof(Retry);
            return Retry.After(context.Attempt, context.DelayedRetries, exception);
        }
        catch (Exception e)
        {
            // Otherwise a message for which the decision always fails would be redelivered for ever.
            exception = new AggregateException(
                $"The handler failed, and {asked} threw when it was asked about the failure: there is no further attempt.", exception, e);
            return MessageOutcome.LastFailure;
        }
    }

    internal void Validate()
    {
        Name(Queue, nameof(Queue));
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxConcurrency, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(PrefetchMultiplier, 1);
        if (PrefetchCount is null && (long)MaxConcurrency * PrefetchMultiplier > ushort.MaxValue)
        {
            throw new ArgumentOutOfRangeException(
                nameof(PrefetchMultiplier),
                $"{nameof(MaxConcurrency)} ({MaxConcurrency}) times {nameof(PrefetchMultiplier)} ({PrefetchMultiplier}) is more than " +
                $"the {ushort.MaxValue} messages that a broker sends ahead: set {nameof(PrefetchCount)}.");
        }

        if (PrefetchCount == 0)
        {
            throw new ArgumentOutOfRangeException(
                nameof(PrefetchCount),
                "0 would let the broker send the whole queue at once into this program's memory: set 1 to 65,535, or leave it null.");
        }

        ArgumentNullException.ThrowIfNull(QueueOptions);
        QueueOptions.AllArguments();
        ArgumentNullException.ThrowIfNull(Retry);
        Retry.Validate();
        if (Retry.Delayed is not null)
        {
            CheckDelays();
        }

        if (MaxDeliveries is { } most)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(most, 1, nameof(MaxDeliveries));
        }

        if (!Enum.IsDefined(OnFailure))
        {
            throw new ArgumentOutOfRangeException(nameof(OnFailure), OnFailure, "The value is not one of the actions.");
        }

        if (OnFailure == FailureAction.ErrorQueue)
        {
            Name(EffectiveErrorQueue, nameof(ErrorQueue));
            if (EffectiveErrorQueue == Queue)
            {
                throw new ArgumentException(
                    "The error queue is the queue itself: a message that cannot be handled would come again for ever.", nameof(ErrorQueue));
            }
        }

        ArgumentOutOfRangeException.ThrowIfNegative(DuplicateWindow);
        if (StopTimeout != Timeout.InfiniteTimeSpan)
        {
            Span(StopTimeout, nameof(StopTimeout));
        }

        Span(AckDelay, nameof(AckDelay));
        ArgumentNullException.ThrowIfNull(ConsumerTag);
        Short(ConsumerTag, nameof(ConsumerTag));
    }

    private void CheckDelays()
    {
        if (GoesAway)
        {
            throw new ArgumentException(
                $"The queue '{Queue}' goes away by itself, and messages that wait for it would stay in its delay queues: {nameof(Retry)}." +
                $"{nameof(RetryPolicy.Delayed)} is for queues that stay.");
        }

        Short(new DelayLevel((long)DelayLevel.Longest.TotalMilliseconds - 1).QueueFor(Queue), nameof(Queue));
    }

    private static void Name(string name, string option)
    {
        ArgumentException.ThrowIfNullOrEmpty(name, option);
        Short(name, option);
    }

    private static void Short(string text, string option)
    {
        if (Encoding.UTF8.GetByteCount(text) > byte.MaxValue)
        {
            throw new ArgumentException($"AMQP allows 255 bytes for a name, and '{text}' has {Encoding.UTF8.GetByteCount(text)}.", option);
        }
    }

    private static void Span(TimeSpan span, string option)
    {
        if (span < TimeSpan.Zero || span > TimeSpan.FromDays(1))
        {
            throw new ArgumentOutOfRangeException(option, span, "The value must be from zero to one day.");
        }
    }
}

/// <summary>
/// A consumer's answer to a message that it cannot handle: it does not decode, nothing handles its type, or its handler failed for the last
/// time.
/// </summary>
public enum FailureAction
{
    /// <summary>
    /// Publishes it unchanged, with the reason in headers, to <see cref="WireConsumerOptions.ErrorQueue"/>, and acknowledges it when the
    /// broker has confirmed that. Nothing is lost, whatever the queue's arguments.
    /// </summary>
    ErrorQueue,

    /// <summary>
    /// Rejects it, so that the broker sends it to the dead-letter exchange of the queue. A queue without one drops rejected messages:
    /// declare it with <c>x-dead-letter-exchange</c>.
    /// </summary>
    DeadLetter,
}
