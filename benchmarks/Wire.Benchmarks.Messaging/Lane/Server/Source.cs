using System.Buffers;
using System.Buffers.Binary;
using System.Globalization;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Benchmarks.Messaging.Codecs;
using Wire.Benchmarks.Messaging.Frames;

namespace Wire.Benchmarks.Messaging.Lane.Server;

/// <summary>
/// A made-up queue of a <see cref="Sink"/>, whose name says what is in it: see <see cref="Named"/>. All its messages are the same frames, with another delivery tag.
/// </summary>
internal sealed class Source
{
    private readonly byte[] _frames;
    private readonly int _tagAt;
    private readonly long _messages;
    private ulong _tag;

    public Source(string queue, ushort channel, string consumerTag)
    {
        string[] parts = queue.Split('-');
        _messages = long.Parse(parts[2], CultureInfo.InvariantCulture);
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, channel, new BasicDeliver { ConsumerTag = consumerTag, RoutingKey = queue });

        // Behind the head of the frame, the number of the method and the consumer's tag.
        _tagAt = HandFrames.Head + sizeof(uint) + 1 + consumerTag.Length;
        byte[] body = Parcels.Body(int.Parse(parts[1], CultureInfo.InvariantCulture));
        var properties = new BasicProperties { ContentType = AmqpBody.ContentType, DeliveryMode = Parcels.DeliveryMode, Type = Parcels.TypeName };
        FrameWriter.WriteContentHeader(output, channel, (ulong)body.Length, in properties);
        FrameWriter.WriteBody(output, channel, body, PublishedMessage.FrameMax);
        _frames = output.WrittenSpan.ToArray();
    }

    /// <summary>Whether all has been delivered.</summary>
    public bool IsEmpty => (long)_tag == _messages;

    /// <summary>The name of a queue that has so many parcels of this size.</summary>
    public static string Named(int size, int messages) => $"parcels-{size}-{messages}";

    /// <summary>Writes the next delivery.</summary>
    public void Write(AmqpBuffer output)
    {
        BinaryPrimitives.WriteUInt64BigEndian(_frames.AsSpan(_tagAt), ++_tag);
        output.Write(_frames);
    }
}
