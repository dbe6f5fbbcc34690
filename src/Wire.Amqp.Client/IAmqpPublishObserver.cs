namespace Wire.Amqp.Client;

/// <summary>Hears what becomes of one message on its way out, for spans and numbers.</summary>
public interface IAmqpPublishObserver
{
    /// <summary>
    /// The message has been written, and is about to be sent. Called in the channel's turn, on any thread: it must not wait, nor publish on
    /// the same channel. Called again where the message is sent again.
    /// </summary>
    /// <param name="bodySize">The size of its body in bytes, as it is sent.</param>
    void Written(long bodySize);
}
