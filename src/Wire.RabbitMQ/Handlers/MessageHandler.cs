using System.Diagnostics.CodeAnalysis;

namespace Wire.RabbitMQ;

/// <summary>Handles a message, whatever it was registered as.</summary>
/// <param name="message">The message.</param>
/// <param name="context">Its circumstances.</param>
public delegate Task MessageHandler(object message, MessageContext context);

/// <summary>
/// Stands around the handlers of a consumer: <see cref="WireConsumer.Use(IConsumeMiddleware)"/>. Thread-safe, as it handles several at a
/// time.
/// </summary>
public interface IConsumeMiddleware
{
    /// <summary>
    /// Handles a message: before, after, or instead of the handler. When the task fails, the message is tried again or handled as a
    /// failure, as if the handler had failed; without a call of <paramref name="next"/> the handler does not get it.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <param name="context">Its circumstances, for this attempt.</param>
    /// <param name="next">The next middleware, or the handler. It takes an object of the same type.</param>
    [SuppressMessage("Naming", "CA1716", Justification = "The word that the field has for it.")]
    Task HandleAsync(object message, MessageContext context, MessageHandler next);
}
