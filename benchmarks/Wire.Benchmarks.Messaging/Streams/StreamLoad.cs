using System.Buffers;
using System.Buffers.Binary;
using Bench;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Streams;

/// <summary>A message as the streams of the tables have it, all of a table the same.</summary>
/// <param name="Name">What it is called.</param>
/// <param name="Message">Its bytes.</param>
internal sealed record StreamLoad(string Name, byte[] Message)
{
    /// <summary>What the first eight bytes of a message without sections are, as a number.</summary>
    public const long Number = 0x0102030405060708;

    /// <summary>The id of an AMQP 1.0 message.</summary>
    public const ulong MessageId = 17;

    /// <summary>An application property of it.</summary>
    public const int Priority = 4;

    /// <summary>How many bytes of data it has.</summary>
    public const int DataBytes = 32;

    /// <summary>What reads and writes the objects.</summary>
    public static Serializer Serializer { get; } = new();

    /// <summary>An object.</summary>
    public static Poco Poco { get; } = Poco.Create(seed: 1);

    /// <summary>The same as bytes.</summary>
    public static byte[] Payload { get; } = Serializer.Serialize(Poco);

    /// <summary>Eight bytes and nothing around.</summary>
    public static StreamLoad Small { get; } = Of("8 B", 8);

    /// <summary>A hundred bytes and nothing around.</summary>
    public static StreamLoad Hundred { get; } = Of("100 B", 100);

    /// <summary>An object as all other clients get it: in the data section of an AMQP 1.0 message.</summary>
    public static StreamLoad Object { get; } = new("POCO", Section(new DataSection { Bytes = new(Payload) }));

    /// <summary>An AMQP 1.0 message as other clients write it.</summary>
    public static StreamLoad Amqp { get; } = new(
        "AMQP 1.0",
        [
            .. Section(new Properties { MessageId = MessageId, ContentType = "application/json", CreationTime = new Timestamp(1_700_000_000_000) }),
            .. Section(new ApplicationProperties { Map = AmqpValue.Map(("region", "north"), ("priority", Priority), ("retried", false)) }),
            .. Section(new DataSection { Bytes = new(new byte[DataBytes]) }),
        ]);

    private static StreamLoad Of(string name, int size)
    {
        byte[] message = new byte[size];
        BinaryPrimitives.WriteInt64BigEndian(message, Number);
        return new StreamLoad(name, message);
    }

    private static byte[] Section<TSection>(TSection section)
        where TSection : struct, ISection<TSection>
    {
        var buffer = new ArrayBufferWriter<byte>();
        MessageWriter.Write(buffer, section);
        return buffer.WrittenSpan.ToArray();
    }
}
