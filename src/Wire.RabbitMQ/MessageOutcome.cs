using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Delays;

namespace Wire.RabbitMQ;

/// <summary>
/// A decision on a message: by the result of its handler, by <see cref="MessageContext.Outcome"/>, or by
/// <see cref="WireConsumerOptions.OnException"/>. Immutable.
/// </summary>
/// <remarks>Specification: AMQP 0-9-1, basic.ack and basic.reject.</remarks>
public sealed class MessageOutcome
{
    private MessageOutcome(OutcomeKind kind) => Kind = kind;

    /// <summary>The message is handled: it is acknowledged.</summary>
    public static MessageOutcome Ack { get; } = new(OutcomeKind.Ack);

    /// <summary>
    /// The message goes back to its queue, and comes again at once, to this consumer or another. A quorum queue with a delivery limit
    /// counts that. A stream takes none back: there the message is handled again a second later.
    /// </summary>
    public static MessageOutcome Requeue { get; } = new(OutcomeKind.Requeue);

    /// <summary>
    /// The message is rejected: the broker moves it to the dead-letter exchange of the queue, or drops it if the queue has none. The
    /// requester of a request gets an error.
    /// </summary>
    public static MessageOutcome Reject { get; } = new(OutcomeKind.Reject);

    /// <summary>The failure of a handler, after the last attempt.</summary>
    internal static MessageOutcome Failed { get; } = new(OutcomeKind.Failed);

    /// <summary>Another attempt, at once or after a pause, in which the message stays here.</summary>
    internal static MessageOutcome TryAgain { get; } = new(OutcomeKind.TryAgain);

    /// <summary>Gets what is decided.</summary>
    internal OutcomeKind Kind { get; }

    /// <summary>Gets the reason for a dead letter.</summary>
    internal string? Reason { get; private init; }

    /// <summary>Gets the time for which it is put aside.</summary>
    internal TimeSpan Delay { get; private init; }

    /// <summary>
    /// The message cannot be handled, and there is no further attempt: it is treated as <see cref="WireConsumerOptions.OnFailure"/> says.
    /// In an error queue the header <c>x-wire-error-reason</c> is <c>rejected</c>, and <c>x-wire-error-message</c> the reason.
    /// </summary>
    /// <param name="reason">The reason, for people.</param>
    /// <exception cref="ArgumentException">The reason is empty.</exception>
    public static MessageOutcome DeadLetter(string reason)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(reason);
        return new MessageOutcome(OutcomeKind.DeadLetter) { Reason = reason };
    }

    /// <summary>
    /// The message is put aside, in a queue of the broker, and comes again after a time, as if it came for the first time: that counts
    /// neither as an attempt nor as a retry. It comes behind others, and a message of a stream cannot be put aside.
    /// </summary>
    /// <param name="delay">The time: 1 ms to 24 days, rounded up to milliseconds. The message may come up to a third of it later.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time is out of range.</exception>
    public static MessageOutcome Defer(TimeSpan delay)
    {
        DelayLevel.Check(delay, nameof(delay));
        return new MessageOutcome(OutcomeKind.Defer) { Delay = delay };
    }

    /// <summary>Returns the decision in words.</summary>
    public override string ToString() => Kind switch
    {
        OutcomeKind.Defer => $"{nameof(Defer)}: {Delay}",
        OutcomeKind.DeadLetter => $"{nameof(DeadLetter)}: {Reason}",
        _ => Kind.ToString(),
    };

    /// <summary>Another attempt, when the message has been put aside for a time.</summary>
    internal static MessageOutcome TryLater(TimeSpan delay) => new(OutcomeKind.TryLater) { Delay = delay };
}
