namespace Wire.Amqp.Client.Consuming;

/// <summary>The consumers of a channel as they are on a new session of it.</summary>
internal enum ConsumersRestored
{
    /// <summary>All of them consume.</summary>
    All,

    /// <summary>
    /// The broker has refused one and closed the session. That one has ended, or goes about it otherwise: on another session, at once.
    /// </summary>
    OneRefused,

    /// <summary>
    /// The broker has closed the session, because a queue does not answer or still belongs to another connection: to be tried again on
    /// another session, after a pause.
    /// </summary>
    OneWaits,
}
