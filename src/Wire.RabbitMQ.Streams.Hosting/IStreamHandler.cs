namespace Wire.RabbitMQ.Streams.Hosting;

/// <summary>Handles messages of a stream, as a service: a new instance for each attempt, in its own scope.</summary>
/// <typeparam name="T">The type of the objects, or an ancestor of it.</typeparam>
public interface IStreamHandler<in T>
{
    /// <summary>Handles a message. When the task fails, the message is tried again or handled as a failure, as the options say.</summary>
    /// <param name="value">The object; null if null was published.</param>
    /// <param name="message">The message, which is valid until the task has ended.</param>
    /// <param name="cancellationToken">Fires when the host does not wait any longer.</param>
    Task HandleAsync(T value, StreamMessage message, CancellationToken cancellationToken);
}
