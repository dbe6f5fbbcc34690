namespace Wire.Amqp.Client.Connections;

/// <summary>Listens for the end of a round, to do work for many messages at once. Called on the receive loop.</summary>
internal interface IRoundListener
{
    /// <summary>
    /// Called when everything that was received together has been handled, if <see cref="Link.AtEndOfRound"/> asked for it.
    /// </summary>
    void RoundEnded();
}
