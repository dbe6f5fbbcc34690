using Wire.Amqp.Client.Publishing;
using Wire.Transport.Pending;

namespace Wire.Amqp.Client.Channels;

/// <summary>
/// Listens to a channel of a link for its owner. Called on the receive loop, in the order of what came; nothing here waits.
/// </summary>
internal interface IChannelListener : ISendQueueOwner
{
    /// <summary>Called once when the channel has ended; no other call follows. On any thread.</summary>
    void Ended(LinkEnd end);
}

/// <summary>The reason why a link or a channel has ended.</summary>
/// <param name="Error">The error for further use.</param>
/// <param name="IsByProgram">True if the program closed it.</param>
internal sealed record LinkEnd(Exception Error, bool IsByProgram)
{
    /// <summary>The reason for listeners: null where the program wanted it.</summary>
    public Exception? Reason => IsByProgram ? null : Error;

    /// <summary>Completes the task that waits for it: successfully where the program wanted it.</summary>
    public void Complete(TaskCompletionSource completion) => completion.TryEnd(IsByProgram ? null : LinkChannel.Ended(this));
}
