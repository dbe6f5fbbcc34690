namespace Wire.RabbitMQ.Streams;

/// <summary>How objects are written that are sent alone.</summary>
public enum StreamFormat
{
    /// <summary>As the data section of an AMQP 1.0 message, which every other client of streams reads.</summary>
    Amqp,

    /// <summary>As the Wire payload alone: a few bytes less, for readers that know.</summary>
    Wire,
}
