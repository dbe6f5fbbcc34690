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

    /// <summary>Acknowledges the message: it is handled.</summary>
    public static MessageOutcome Ack { get; } = new(OutcomeKind.Ack);

    /// <summary>
    /// Returns the message to its queue, from which it comes again at once, to this consumer or another. Quorum queues count that: after
    /// <see cref="WireConsumerOptions.MaxDeliveries"/> it is a failure. A stream takes none back: the message is handled again a second
    /// later.
    /// </summary>
    public static MessageOutcome Requeue { get; } = new(OutcomeKind.Requeue);

    /// <summary>
    /// Rejects the message: the broker moves it to the dead-letter exchange of the queue, or drops it if the queue has none. The
    /// requester of a request gets an error.
    /// </summary>
    public static MessageOutcome Reject { get; } = new(OutcomeKind.Reject);

    /// <summary>The failure of a handler, after the last attempt.</summary>
    internal static MessageOutcome LastFailure { get; } = new(OutcomeKind.LastFailure);

    /// <summary>Another attempt, at once or after a pause, in which the message stays here.</summary>
    internal static MessageOutcome TryAgain { get; } = new(OutcomeKind.TryAgain);

    /// <summary>Gets what is decided.</summary>
    internal OutcomeKind Kind { get; }

    /// <summary>Gets the reason for a dead letter.</summary>
    internal string? Reason { get; private init; }

    /// <summary>Gets the time for which it is put aside.</summary>
    internal Wait Wait { get; private init; }

    /// <summary>
    /// Fails the message without a further attempt: it is treated as <see cref="WireConsumerOptions.OnFailure"/> says, so goes to the
    /// error queue or is a dead letter. In an error queue the header <c>x-wire-error-reason</c> is <c>rejected</c>, and
    /// <c>x-wire-error-message</c> the reason.
    /// </summary>
    /// <param name="reason">The reason, for people.</param>
    /// <exception cref="ArgumentException">The reason is empty.</exception>
    public static MessageOutcome Fail(string reason)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(reason);
        return new MessageOutcome(OutcomeKind.Fail) { Reason = reason };
    }

    /// <summary>
    /// Has the message wait in a queue of the broker, and come again after a time, as if it came for the first time. That is no retry, and
    /// has no limit: <see cref="MessageContext.Deferrals"/> says how often it was. It comes behind others. One that would expire meanwhile
    /// is a failure, as is one of a stream.
    /// </summary>
    /// <param name="delay">
    /// The time: 1 ms to 24 days, rounded up to milliseconds. The message may come up to a third of it later, or up to 100 ms.
    /// </param>
    /// <exception cref="ArgumentOutOfRangeException">The time is out of range.</exception>
    public static MessageOutcome Defer(TimeSpan delay)
    {
        DelayLevel.Check(delay, nameof(delay));
        return new MessageOutcome(OutcomeKind.Defer) { Wait = Wait.For(delay) };
    }

    /// <summary>Returns the decision in words.</summary>
    public override string ToString() => Kind switch
    {
        OutcomeKind.Defer => $"{nameof(Defer)}: {Wait.Time}",
        OutcomeKind.Fail => $"{nameof(Fail)}: {Reason}",
        _ => Kind.ToString(),
    };

    /// <summary>Another attempt, when the message has been put aside for a time.</summary>
    internal static MessageOutcome TryLater(Wait wait) => new(OutcomeKind.TryLater) { Wait = wait };

    /// <summary>Its time has not come: another look, when it has been put aside for a time.</summary>
    internal static MessageOutcome NotYet(Wait wait) => new(OutcomeKind.NotYet) { Wait = wait };
}
