namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// The rest of a message that is too large to be gathered, published in the background: written on a thread of the link, which waits for
/// the socket, and on the pool where that has another one.
/// </summary>
internal sealed class RestOfMessage : IThreadPoolWorkItem
{
    private readonly Publisher _publisher;
    private readonly UnwrittenPublication _publication;
    private readonly MessageWrite _written;

    private RestOfMessage(Publisher publisher, UnwrittenPublication publication, in MessageWrite written) =>
        (_publisher, _publication, _written) = (publisher, publication, written);

    /// <summary>Starts writing the rest. Its first part has been committed.</summary>
    public static void Start(Publisher publisher, UnwrittenPublication publication, in MessageWrite written) =>
        written.Session.Channel.Link.Streaming.Run(new RestOfMessage(publisher, publication, in written));

    /// <inheritdoc/>
    public void Execute() => _publisher.WriteRestHere(_publication, _written);
}
