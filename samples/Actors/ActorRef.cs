namespace Actors;

/// <summary>
/// A reference to an actor. Of an actor of this node it has the mailbox, and of any other the mailbox of what waits for that node: who
/// sends does not see the difference.
/// </summary>
internal sealed class ActorRef(ActorAddress address, Mailbox<Envelope> mailbox)
{
    /// <summary>Gets what stands for the reference in messages to other nodes.</summary>
    public ActorAddress Address => address;

    /// <summary>Sends a message, and does not wait: what actors do.</summary>
    public void Tell(Message message, ActorRef? sender = null) => mailbox.Add(Wrap(message, sender));

    /// <summary>Sends a message as soon as there is room: what all others should do, who could be faster than the actor.</summary>
    public ValueTask TellAsync(Message message, ActorRef? sender = null) => mailbox.AddAsync(Wrap(message, sender));

    /// <summary>Delivers what has arrived for the actor.</summary>
    public ValueTask DeliverAsync(ReadOnlyMemory<Envelope> envelopes) => mailbox.AddAsync(envelopes);

    public override string ToString() => address.ToString();

    // Whoever gets the message does not expect null, and could no longer say who has sent it.
    private Envelope Wrap(Message message, ActorRef? sender)
    {
        ArgumentNullException.ThrowIfNull(message);
        return new Envelope(this, sender, message);
    }
}

/// <summary>The stand-in of a reference.</summary>
/// <param name="Node">The number of the node.</param>
/// <param name="Number">The number of the actor there.</param>
internal readonly record struct ActorAddress(ushort Node, uint Number)
{
    public override string ToString() => $"{Node}/{Number}";
}

/// <summary>A message on its way.</summary>
/// <param name="Target">Who gets it.</param>
/// <param name="Sender">Who gets the answer, if anyone does.</param>
/// <param name="Body">The message.</param>
internal sealed record Envelope(ActorRef Target, ActorRef? Sender, Message Body);
