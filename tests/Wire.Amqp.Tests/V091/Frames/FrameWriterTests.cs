using System.Buffers;
using Wire.Amqp.Bodies;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.V091.Frames;

public sealed class FrameWriterTests
{
    [Fact]
    public void A_published_message_is_a_method_a_header_and_a_body()
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, 1, new BasicPublish { Exchange = "x", RoutingKey = "key", Mandatory = true });
        FrameWriter.WriteContentHeader(
            output, 1, 5, new BasicProperties { ContentType = "t", Priority = 7, Timestamp = new(0x0102), ClusterId = "" });
        FrameWriter.WriteBody(output, 1, "hello"u8, 11);
        FrameWriter.WriteHeartbeat(output);
        Assert.Equal(
            Convert.FromHexString((
                "01 0001 0000000D 003C0028 0000 0178 036B6579 01 CE" +
                "02 0001 0000001A 003C 0000 0000000000000005 8844 0174 07 0000000000000102 00 CE" +
                "03 0001 00000003 68656C CE 03 0001 00000002 6C6F CE" +
                "08 0000 00000000 CE").Replace(" ", "")),
            output.WrittenSpan.ToArray());
    }

    [Fact]
    public void A_body_is_split_at_the_frame_max_whatever_its_segments_are()
    {
        foreach (int payload in new[] { 1, 2, 7, 100 })
        {
            foreach (int length in new[] { 0, 1, payload - 1, payload, payload + 1, (3 * payload) - 1, 3 * payload, (3 * payload) + 1 })
            {
                byte[] body = [.. Enumerable.Range(0, length).Select(i => (byte)i)];
                int frameMax = payload + 8;
                byte[] expected = [.. body.Chunk(payload).SelectMany(part => (byte[])[3, 1, 2, 0, 0, 0, (byte)part.Length, .. part, 0xCE])];
                Assert.Equal(expected.Length, FrameWriter.SizeOfBody(length, frameMax));

                var output = new ArrayBufferWriter<byte>();
                FrameWriter.WriteBody(output, 0x0102, body, frameMax);
                Assert.Equal(expected, output.WrittenSpan.ToArray());
                foreach (ReadOnlySequence<byte> split in Sequences.SplitEverywhere(body).Append(Sequences.Chunked(body, 1)))
                {
                    output.ResetWrittenCount();
                    FrameWriter.WriteBody(output, 0x0102, split, frameMax);
                    Assert.Equal(expected, output.WrittenSpan.ToArray());
                }
            }
        }
    }

    [Fact]
    public void A_body_without_a_frame_max_is_one_frame()
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.WriteBody(output, 1, new byte[300_000], 0);
        Assert.Equal(300_008, output.WrittenCount);
        Assert.Equal(300_008, FrameWriter.SizeOfBody(300_000, 0));
    }

    [Fact]
    public void A_frame_max_that_leaves_no_room_is_refused()
    {
        var output = new ArrayBufferWriter<byte>();
        foreach (int frameMax in new[] { -1, 1, 8 })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => FrameWriter.WriteBody(output, 1, "x"u8, frameMax));
            Assert.Throws<ArgumentOutOfRangeException>(() => FrameWriter.WriteBody(output, 1, Sequences.Of([1], [2]), frameMax));
            Assert.Throws<ArgumentOutOfRangeException>(() => FrameWriter.SizeOfBody(1, frameMax));
        }

        Assert.Throws<ArgumentOutOfRangeException>(() => FrameWriter.SizeOfBody(-1, 100));
        Assert.Equal(0, output.WrittenCount);
    }

    [Fact]
    public void Writing_and_reading_a_message_allocates_nothing()
    {
        byte[] body = new byte[512];
        var output = new ArrayBufferWriter<byte>(4096);
        int frames = 0;
        Allocations.AssertNone(() =>
        {
            output.ResetWrittenCount();
            FrameWriter.Write(output, 1, new BasicPublish { Exchange = "exchange", RoutingKey = "some.routing.key" });
            FrameWriter.WriteContentHeader(output, 1, 512, new BasicProperties
            {
                ContentType = "application/octet-stream",
                DeliveryMode = 2,
                MessageId = "id",
                Timestamp = new(1),
                Type = "t",
            });
            FrameWriter.WriteBody(output, 1, body, 200);
            FrameWriter.WriteHeartbeat(output);

            var reader = new FrameReader(output.WrittenMemory, 200);
            frames = 0;
            int bodyBytes = 0;
            while (reader.TryRead(out Frame frame))
            {
                frames++;
                switch (frame.Type)
                {
                    case FrameType.Method:
                        frames += frame.MethodId == MethodId.BasicPublish && frame.ReadMethod<BasicPublish>().RoutingKey.ByteCount == 16
                            ? 0
                            : 1000;
                        break;
                    case FrameType.Header:
                        frames += frame.ReadContentHeader().BodySize == 512 ? 0 : 1000;
                        break;
                    case FrameType.Body:
                        bodyBytes += (int)frame.Payload.Length;
                        break;
                    default:
                        break;
                }
            }

            frames += bodyBytes == 512 ? 0 : 1000;
        });
        Assert.Equal(6, frames);
    }
}
