namespace Wire.RabbitMQ;

/// <summary>Handles messages of a type, as a service: a new instance for each attempt, in its own scope.</summary>
/// <typeparam name="T">The type; messages of derived types come too, where no other handler is nearer.</typeparam>
public interface IMessageHandler<in T>
{
    /// <summary>
    /// Handles a message. When the task succeeds, the message is acknowledged; when it fails, the message is tried again or handled as a
    /// failure.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <param name="context">The properties, and the token that fires when the host does not wait any longer.</param>
    Task HandleAsync(T message, MessageContext context);
}

/// <summary>
/// Handles requests of a type and replies to them, as a service: a new instance for each attempt, in its own scope.
/// </summary>
/// <typeparam name="TRequest">The type of requests; those of derived types come too, where no other handler is nearer.</typeparam>
/// <typeparam name="TReply">The type of replies.</typeparam>
public interface IRequestHandler<in TRequest, TReply>
{
    /// <summary>Handles a request. The result is sent to the requester; when all attempts fail, it gets an error reply.</summary>
    /// <param name="request">The request.</param>
    /// <param name="context">The properties, and the token that fires when the host does not wait any longer.</param>
    Task<TReply> HandleAsync(TRequest request, MessageContext context);
}
