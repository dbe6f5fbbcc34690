namespace Wire.RabbitMQ;

/// <summary>What a consumer does with a message that it cannot handle: it does not decode, nothing handles its type, or its handler failed for the last time.</summary>
public enum FailureAction
{
    /// <summary>
    /// Publishes it, as it came and with the reason in headers, to <see cref="WireConsumerOptions.ErrorQueue"/>, and acknowledges it when the broker has
    /// confirmed that. Nothing is lost whatever the queue's own arguments are.
    /// </summary>
    ErrorQueue,

    /// <summary>
    /// Rejects it, so that the broker sends it to the dead-letter exchange of the queue. A queue without one drops what is rejected: declare it with
    /// <c>x-dead-letter-exchange</c>.
    /// </summary>
    DeadLetter,
}
