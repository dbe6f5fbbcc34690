using Bench;
using Wire.Amqp;
using Wire.Benchmarks.Messaging.RabbitMQ;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>What is published and consumed: objects, and what they are as bytes.</summary>
internal static class Parcels
{
    /// <summary>Not persistent: the broker's disk would be the measure of all.</summary>
    public const byte DeliveryMode = 1;

    /// <summary>Writes and reads the objects, as it does for RabbitMQ.Client.</summary>
    public static AmqpBody Serializer { get; } = new(BrokerBench.Serializer.Serializer);

    public static string TypeName { get; } = typeof(Parcel).FullName!;

    /// <summary>The bytes of an object with so much content.</summary>
    public static byte[] Body(int size)
    {
        using var buffer = new BodyBuffer();
        Serializer.Write(buffer, Parcel.Create(size));
        return buffer.Written.ToArray();
    }
}
