namespace Wire.RabbitMQ;

/// <summary>Handles many messages of a type at a time, as a service: a new instance for each batch, in its own scope.</summary>
/// <typeparam name="T">The type; messages of derived types come too, where no other handler is nearer.</typeparam>
public interface IBatchHandler<T>
{
    /// <summary>
    /// Handles a batch. When the task succeeds, its messages are acknowledged, each as its <see cref="MessageContext.Outcome"/> says; when
    /// it fails, each is tried again or handled as a failure by itself: further attempts are batches of one.
    /// </summary>
    /// <param name="batch">The messages, in the order of the queue as far as the consumer keeps it.</param>
    /// <param name="cancellationToken">Fires as <see cref="MessageContext.CancellationToken"/> of each of them does.</param>
    Task HandleAsync(IReadOnlyList<Delivery<T>> batch, CancellationToken cancellationToken);
}
