using Bench;
using Wire.Amqp;
using Wire.Benchmarks.Messaging.RabbitMQ;

namespace Wire.Benchmarks.Messaging.Lane;

/// <summary>What a message holds: an object, and its bytes, made beforehand.</summary>
/// <param name="Name">How large it is.</param>
/// <param name="Parcel">The object.</param>
/// <param name="Body">The same as bytes.</param>
internal sealed record Load(string Name, Parcel Parcel, byte[] Body)
{
    public static Load Small => field ??= Of("512 B", 512);

    public static Load Medium => field ??= Of("16 KB", 16 * 1024);

    public static Load Large => field ??= Of("1 MB", 1 << 20);

    private static Load Of(string name, int size) => new(name, Parcel.Create(size), Parcels.Body(size));
}

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
