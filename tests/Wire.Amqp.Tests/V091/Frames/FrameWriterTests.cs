using System.Buffers;
using Wire.Amqp.V091;

namespace Wire.Amqp.Tests.V091.Frames;

public sealed class FrameWriterTests
{
    [Fact]
    public void A_published_message_is_a_method_a_header_and_a_body()
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, 1, new BasicPublish { Exchange = "x", RoutingKey = "key", Mandatory = true });
        FrameWriter.WriteContentHeader(output, 1, 5, new BasicProperties { ContentType = "t", Priority = 7, Timestamp = new(0x0102), ClusterId = "" });
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
}
