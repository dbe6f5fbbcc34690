namespace Wire.Amqp.Client.Consuming;

/// <summary>The consumers of a channel as they are on a new session of it.</summary>
internal enum ConsumersRestored
{
    /// <summary>All of them consume.</summary>
    All,

    /// <summary>
    /// The broker has refused one, which has ended and will not be tried again, and has closed the session: the others can consume on
    /// another session.
    /// </summary>
    OneRefused,

    /// <summary>
    /// The broker has closed the session, because a queue still belongs to another connection, or has deleted itself when the broker
    /// noticed the end of that connection: to be tried again on another session after a pause, when the topology is restored.
    /// </summary>
    OneToRetry,
}
