namespace Wire.Amqp.Client;

/// <summary>The broker has ended a consumer. Its channel continues.</summary>
public sealed class AmqpConsumerException : Exception
{
    /// <summary>Creates the exception.</summary>
    public AmqpConsumerException(string message, Exception? inner = null)
        : base(message, inner)
    {
    }
}
