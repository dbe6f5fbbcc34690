namespace Wire.RabbitMQ;

/// <summary>A message with its circumstances.</summary>
/// <typeparam name="T">The type of the message.</typeparam>
/// <param name="Message">The message.</param>
/// <param name="Context">
/// Its circumstances, whose properties and body are valid until the message is settled. <see cref="MessageContext.Outcome"/> decides on
/// this message alone.
/// </param>
public readonly record struct Delivery<T>(T Message, MessageContext Context);
