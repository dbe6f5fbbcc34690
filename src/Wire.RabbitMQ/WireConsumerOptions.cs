using System.Text;

namespace Wire.RabbitMQ;

/// <summary>Options of a <see cref="WireConsumer"/>. Immutable.</summary>
public sealed record WireConsumerOptions
{
    /// <summary>The queue. It has to exist.</summary>
    public required string Queue { get; init; }

    /// <summary>
    /// Gets the largest number of messages that are handled at a time: 1 and up; one for each processor unless set. With 1 they are handled
    /// in the queue's order.
    /// </summary>
    public int MaxConcurrency { get; init; } = Environment.ProcessorCount;

    /// <summary>
    /// Gets the number of messages that the broker sends ahead for each that is handled at a time: 1 and up; 3 unless set.
    /// </summary>
    public int PrefetchMultiplier { get; init; } = 3;

    /// <summary>
    /// Gets the number of unacknowledged messages that the broker sends at most: 1 to 65,535. <see cref="MaxConcurrency"/> times <see
    /// cref="PrefetchMultiplier"/> unless set. Fewer than <see cref="MaxConcurrency"/> keep that from being reached.
    /// </summary>
    public ushort? PrefetchCount { get; init; }

    /// <summary>Gets the policy for trying a message again. <see cref="RetryPolicy.Default"/> unless set.</summary>
    public RetryPolicy Retry { get; init; } = RetryPolicy.Default;

    /// <summary>Gets the fate of a message that cannot be handled: <see cref="FailureAction.ErrorQueue"/> unless set.</summary>
    public FailureAction OnFailure { get; init; }

    /// <summary>
    /// The error queue; the queue's name and <c>.error</c> where it is null, as it is unless set. A queue that the broker has named needs
    /// one of another name: those that begin with <c>amq.</c> cannot be declared.
    /// </summary>
    public string? ErrorQueue { get; init; }

    /// <summary>
    /// Says whether the error queue is declared, as a durable queue without arguments, when the consumer starts. On unless set. Turn it off
    /// for one that the program declares itself: with arguments, or as a temporary one for a queue that is temporary, whose error queue
    /// would stay at the broker otherwise.
    /// </summary>
    public bool DeclareErrorQueue { get; init; } = true;

    /// <summary>
    /// Gets the number of ids of handled messages that are kept for <see cref="MessageContext.Duplicate"/>: 0 for none; 4,096 unless set.
    /// </summary>
    public int DuplicateWindow { get; init; } = 4096;

    /// <summary>
    /// Gets the time for which <see cref="WireConsumer.StopAsync"/> lets handlers run before <see cref="MessageContext.CancellationToken"/>
    /// fires. 30 s unless set; <see cref="Timeout.InfiniteTimeSpan"/> for as long as they need.
    /// </summary>
    public TimeSpan StopTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// Gets the longest time for which an acknowledgement is held back to be sent with others. 20 ms unless set; zero for not at all.
    /// </summary>
    public TimeSpan AckDelay { get; init; } = TimeSpan.FromMilliseconds(20);

    /// <summary>The name of this consumer at the broker; the broker makes one up where it is empty, as it is unless set.</summary>
    public string ConsumerTag { get; init; } = "";

    /// <summary>Says whether no other consumer may consume the queue at the same time. Off unless set.</summary>
    public bool Exclusive { get; init; }

    /// <summary>Arguments for the broker, such as <c>x-priority</c>; null for none, as it is unless set.</summary>
    public IReadOnlyDictionary<string, object?>? Arguments { get; init; }

    /// <summary>Gets the prefetch count that results from these options.</summary>
    internal ushort EffectivePrefetch => PrefetchCount ?? (ushort)(MaxConcurrency * PrefetchMultiplier);

    /// <summary>Gets the error queue that results from these options.</summary>
    internal string EffectiveErrorQueue => ErrorQueue ?? Queue + ".error";

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

        ArgumentNullException.ThrowIfNull(Retry);
        Retry.Validate();
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
    /// Publishes it, as it came and with the reason in headers, to <see cref="WireConsumerOptions.ErrorQueue"/>, and acknowledges it when
    /// the broker has confirmed that. Nothing is lost whatever the queue's own arguments are.
    /// </summary>
    ErrorQueue,

    /// <summary>
    /// Rejects it, so that the broker sends it to the dead-letter exchange of the queue. A queue without one drops what is rejected:
    /// declare it with <c>x-dead-letter-exchange</c>.
    /// </summary>
    DeadLetter,
}
