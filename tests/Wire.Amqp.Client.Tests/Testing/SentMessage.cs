using System.Buffers;
using Wire.Amqp.V091;

namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>A message as a server sends it, to compare with what was received.</summary>
internal sealed record SentMessage(ulong Tag, byte[] Body)
{
    public static SentMessage OfSize(ulong tag, int size)
    {
        byte[] body = new byte[size];
        new Random((int)tag).NextBytes(body);
        return new SentMessage(tag, body);
    }

    public string RoutingKey => $"key.{Tag}";

    /// <summary>Its frames, one after the other.</summary>
    public byte[] ToBytes(ushort channel, int frameMax)
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, channel, new BasicDeliver
        {
            ConsumerTag = "consumer",
            DeliveryTag = Tag,
            Redelivered = true,
            Exchange = "exchange",
            RoutingKey = RoutingKey,
        });
        FrameWriter.WriteContentHeader(
            output, channel, (ulong)Body.Length, new BasicProperties { MessageId = RoutingKey, Priority = (byte)Tag });
        FrameWriter.WriteBody(output, channel, Body, frameMax);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>Its frames, each by itself.</summary>
    public IEnumerable<byte[]> ToFrames(ushort channel, int frameMax)
    {
        byte[] bytes = ToBytes(channel, frameMax);
        for (int at = 0, length; at < bytes.Length; at += length)
        {
            length = (int)NetworkOrder.Read<uint>(bytes.AsSpan(at + 3)) + 8;
            yield return bytes[at..(at + length)];
        }
    }

    public void AssertEqual(AmqpDelivery delivery)
    {
        Assert.Equal(("consumer", Tag, true), (delivery.ConsumerTag.ToString(), delivery.DeliveryTag, delivery.Redelivered));
        Assert.Equal(("exchange", RoutingKey), (delivery.Exchange.ToString(), delivery.RoutingKey.ToString()));
        Assert.Equal((RoutingKey, (byte)Tag), (delivery.Properties.MessageId.ToString(), delivery.Properties.Priority));
        Assert.Equal(Body.Length, delivery.Body.Length);
        int at = 0;
        foreach (ReadOnlyMemory<byte> part in delivery.Body)
        {
            Assert.True(part.Span.SequenceEqual(Body.AsSpan(at, part.Length)), $"The bytes from {at} on of message {Tag} are others.");
            at += part.Length;
        }
    }
}
