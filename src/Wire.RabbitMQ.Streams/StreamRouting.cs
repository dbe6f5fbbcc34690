namespace Wire.RabbitMQ.Streams;

/// <summary>How a <see cref="SuperStreamProducer"/> finds the partition of a routing key.</summary>
public enum StreamRouting
{
    /// <summary>By a hash of the key: each key has one partition, the one that the other clients choose too (MurmurHash3 for x86 with 32 bits, of the key's UTF-8).</summary>
    Hash = 0,

    /// <summary>By the bindings of the super stream, which the broker is asked for once for each key: a key has as many partitions as it is bound to.</summary>
    Key = 1,
}
