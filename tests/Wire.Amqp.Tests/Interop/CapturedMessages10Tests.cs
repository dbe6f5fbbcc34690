using System.Buffers;
using System.Buffers.Binary;
using System.Collections;
using Wire.Amqp.Bodies;
using Wire.Amqp.V10;
using Wire.Amqp.V10.Values;
using Wire.Testing;

namespace Wire.Amqp.Tests.Interop;

/// <summary>What RabbitMQ sends in AMQP 1.0, and a client that was put together by hand, is read.</summary>
public sealed class CapturedMessages10Tests
{
    private const int ProtocolHeader = 8;
    private const ulong Transfer = 0x14;

    [Fact]
    public void Every_frame_of_the_broker_is_a_described_list()
    {
        Assert.Equal(
            [0x40, 0x44, 0x10, 0x11, 0x12, 0x13, 0x12, 0x13, Transfer, Transfer, 0x18],
            Frames(Capture.Load("amqp10").FromServer).Select(Performative));
    }

    [Fact]
    public void Every_frame_of_the_client_is_a_described_list()
    {
        Assert.Equal([0x41, 0x10, 0x11, 0x12, Transfer, 0x12, 0x13, 0x18], Frames(Capture.Load("amqp10").FromClient).Select(Performative));
    }

    [Fact]
    public void The_broker_offers_what_it_offers()
    {
        byte[][] frames = [.. Frames(Capture.Load("amqp10").FromServer)];
        var mechanisms = (IEnumerable)Read(frames[0]).Undescribed.As<AmqpList>()[0].ToObject()!;
        Assert.Equal(["ANONYMOUS", "PLAIN", "AMQPLAIN"], mechanisms.Cast<object>().Select(mechanism => mechanism.ToString()));
        AmqpList open = Read(frames[2]).Undescribed.As<AmqpList>();
        Assert.Equal("wire@localhost", open[0].As<AmqpString>().ToString());
        Assert.Equal(4096u, open[2].As<uint>());
        Assert.Equal("RabbitMQ", open[9].As<AmqpMap>()[new AmqpSymbol("product")].As<AmqpString>().ToString());
    }

    [Fact]
    public void A_message_that_came_in_as_0_9_1_is_read()
    {
        foreach (ReadOnlySequence<byte> message in Sequences.SplitEverywhere(Messages(fromClient: false)[0]))
        {
            var reader = new MessageReader(message);
            Header header = Next(ref reader).Read<Header>();
            Assert.Equal(
                (true, 7, 60_000, true, null), (header.Durable, header.Priority, header.Ttl, header.FirstAcquirer, header.DeliveryCount));

            Properties properties = Next(ref reader).Read<Properties>();
            Assert.Equal("message", properties.MessageId.As<AmqpString>().ToString());
            Assert.Equal("guest"u8, properties.UserId!.Value.Span);
            Assert.True(properties.To.IsNull);
            Assert.Equal("wire.queue10", properties.Subject.ToString());
            Assert.Equal("/queue/reply", properties.ReplyTo.ToString());
            Assert.Equal("correlation", properties.CorrelationId.As<AmqpString>().ToString());
            Assert.Equal("application/x-wire", properties.ContentType.ToString());
            Assert.Equal("br", properties.ContentEncoding.ToString());
            Assert.Null(properties.AbsoluteExpiryTime);

            // RabbitMQ 3.10 passes the seconds of 0-9-1 on, where 1.0 has milliseconds.
            Assert.Equal(ClientSamples.Moment.UnixTime, properties.CreationTime!.Value.Milliseconds);

            Assert.Equal(ClientSamples.SmallBody, Next(ref reader).Read<DataSection>().Bytes.ToArray());
            Assert.False(reader.TryRead(out _));
        }
    }

    [Fact]
    public void A_message_that_came_in_as_1_0_is_read_on_both_sides()
    {
        foreach (bool fromClient in (bool[])[true, false])
        {
            foreach (ReadOnlySequence<byte> message in Sequences.SplitEverywhere(Messages(fromClient)[^1]))
            {
                var reader = new MessageReader(message);
                Header header = Next(ref reader).Read<Header>();
                Assert.Equal((true, 5, null), (header.Durable, header.Priority, header.Ttl));
                Assert.Equal(
                    ClientSamples.Text,
                    Next(ref reader).Read<MessageAnnotations>().Map[new AmqpSymbol("x-annotation")].As<AmqpString>().ToString());

                Properties properties = Next(ref reader).Read<Properties>();
                Assert.Equal("message", properties.MessageId.As<AmqpString>().ToString());
                Assert.Null(properties.UserId);
                Assert.Equal("subject", properties.Subject.ToString());
                Assert.Equal("application/x-wire", properties.ContentType.ToString());
                Assert.True(properties.ContentEncoding.IsNull);

                AmqpMap application = Next(ref reader).Read<ApplicationProperties>().Map;
                Assert.Equal(3, application.Count);
                Assert.Equal(ClientSamples.Text, application["text"].As<AmqpString>().ToString());
                Assert.Equal(42u, application["n"].As<uint>());
                Assert.True(application["yes"].As<bool>());

                Assert.Equal("sent as 1.0"u8, Next(ref reader).Read<DataSection>().Bytes.ToArray());
                Assert.False(reader.TryRead(out _));
            }
        }
    }

    private static Section Next(ref MessageReader reader)
    {
        Assert.True(reader.TryRead(out Section section));
        return section;
    }

    private static ulong Performative(byte[] frame) => Read(frame).Descriptor.As<ulong>();

    // The performative of a frame; nothing follows it but the message of a transfer.
    private static AmqpValue Read(byte[] frame)
    {
        var reader = new AmqpReader(frame);
        AmqpValue performative = reader.ReadValue();
        Assert.Equal(AmqpType.List, performative.Undescribed.Type);
        Assert.Equal(performative.Descriptor.As<ulong>() != Transfer, reader.IsAtEnd);
        return performative;
    }

    private static byte[][] Messages(bool fromClient)
    {
        var capture = Capture.Load("amqp10");
        return
        [
            .. Frames(fromClient ? capture.FromClient : capture.FromServer).Where(frame => Performative(frame) == Transfer).Select(Payload),
        ];
    }

    private static byte[] Payload(byte[] frame)
    {
        var reader = new AmqpReader(frame);
        reader.SkipValue();
        return frame[(int)reader.Offset..];
    }

    // The bodies of the frames (part 2 section 2.3): what stands behind size, offset, type and channel.
    private static IEnumerable<byte[]> Frames(byte[] bytes)
    {
        for (int at = 0; at < bytes.Length;)
        {
            if (bytes.AsSpan(at).StartsWith("AMQP"u8))
            {
                at += ProtocolHeader;
                continue;
            }

            int size = BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(at));
            yield return bytes[(at + (bytes[at + 4] * 4))..(at + size)];
            at += size;
        }
    }
}
