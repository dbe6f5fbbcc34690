namespace Wire.Amqp.Client.Connections;

/// <summary>Puts off what costs less for many messages at once. Called on the receive loop.</summary>
internal interface IRoundListener
{
    /// <summary>
    /// Continues when what was received together has been dealt with, where <see cref="Link.AtEndOfRound"/> asked for it.
    /// </summary>
    void RoundEnded();
}
