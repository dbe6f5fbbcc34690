namespace Wire.Amqp.Client;

/// <summary>The broker has ended a consumer. Its channel continues.</summary>
public sealed class AmqpConsumerException : Exception
{
    /// <summary>Says what has happened.</summary>
    public AmqpConsumerException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
