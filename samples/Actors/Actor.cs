namespace Actors;

/// <summary>An actor: gets its messages one after the other, never two at a time.</summary>
internal abstract class Actor
{
    /// <summary>Gets the system that the actor lives in.</summary>
    protected ActorSystem System { get; private set; } = null!;

    /// <summary>Gets the reference to this actor.</summary>
    protected ActorRef Self { get; private set; } = null!;

    /// <summary>Does what a message asks for. What it throws is the answer, and the actor goes on.</summary>
    protected abstract void Receive(Message message, ActorRef? sender);

    /// <summary>Receives messages until one is <see cref="Stop"/>.</summary>
    internal async Task RunAsync(ActorSystem system, ActorRef self, Mailbox<Envelope> mailbox)
    {
        (System, Self) = (system, self);
        bool goesOn = true;
        while (goesOn)
        {
            foreach (Envelope envelope in await mailbox.TakeAllAsync())
            {
                if (!goesOn)
                {
                    System.DeadLetters.AddUndelivered(envelope);
                }
                else if (envelope.Body is Stop)
                {
                    goesOn = false;
                }
                else
                {
                    Receive(envelope);
                }
            }
        }
    }

    private void Receive(Envelope envelope)
    {
        try
        {
            Receive(envelope.Body, envelope.Sender);
        }
        catch (Exception e)
        {
            if (envelope.Sender is { } sender)
            {
                sender.Tell(new Failure(e), Self);
            }
            else
            {
                System.DeadLetters.Add($"{envelope.Body} has failed, and nobody waits for the answer: {e.Message}");
            }
        }
    }
}
