using System.Buffers;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Tests.Bodies;

/// <summary>A message in its frames, taken apart by the letter of the specification.</summary>
internal sealed class Published
{
    public BasicProperties Properties;

    public ReadOnlySequence<byte> Body;

    public static Published Parse(byte[] bytes, int frameMax, ushort channel)
    {
        var frames = new FrameReader(new ReadOnlyMemory<byte>(bytes), frameMax);
        Assert.True(frames.TryRead(out Frame method));
        Assert.Equal(channel, method.Channel);
        Assert.Equal("orders", method.ReadMethod<BasicPublish>().Exchange.ToString());
        Assert.True(frames.TryRead(out Frame header));
        ContentHeader content = header.ReadContentHeader();
        var parts = new List<byte[]>();
        while (frames.TryRead(out Frame body))
        {
            Assert.Equal((FrameType.Body, channel), (body.Type, body.Channel));
            parts.Add(body.Payload.ToArray());
        }

        Assert.Equal(bytes.Length, frames.Consumed);
        Assert.Equal((long)content.BodySize, parts.Sum(part => (long)part.Length));

        // All frames are as full as they can be, but the last.
        Assert.All(parts.SkipLast(1), part => Assert.Equal(frameMax - 8, part.Length));
        return new Published { Properties = content.Properties, Body = parts.Count == 0 ? default : Sequences.Of([.. parts]) };
    }
}
