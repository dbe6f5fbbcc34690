namespace Wire.RabbitMQ.Consuming;

/// <summary>The kinds of <see cref="MessageOutcome"/>.</summary>
internal enum OutcomeKind
{
    Ack,
    Requeue,
    Reject,
    Fail,
    Defer,

    /// <summary>Decided by no handler: its failure was the last.</summary>
    LastFailure,

    /// <summary>Decided by no handler: it is called again, with the message still here.</summary>
    TryAgain,

    /// <summary>Decided by no handler: it is called again, when the message has been put aside for a time.</summary>
    TryLater,

    /// <summary>Decided by no handler: its publisher has said that it is for a later time, for which it is put aside.</summary>
    NotYet,
}
