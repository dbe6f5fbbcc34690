namespace Wire.RabbitMQ;

/// <summary>The type that a body or its message names is not allowed, or none is named where one is needed.</summary>
/// <param name="message">What was wrong, and what to do.</param>
public sealed class BodyTypeException(string message) : Exception(message);
