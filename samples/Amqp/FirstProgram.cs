#region First program, usings
using System.Buffers;
using Wire;
using Wire.Amqp;
using Wire.Amqp.V091;
#endregion

namespace Amqp;

/// <summary>The first program of docs/amqp.md: an object as frames of AMQP 0-9-1, and the same object from those frames.</summary>
internal static class FirstProgram
{
    public static void Run()
    {
        #region First program
        var body = new AmqpBody(new Serializer(new SerializerOptions
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what a payload may name
        }));

        using var output = new AmqpBuffer(); // one per connection, reused
        var publish = new BasicPublish { Exchange = "orders", RoutingKey = "placed" };
        var properties = new BasicProperties { DeliveryMode = 2 };
        Message order = new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m);
        body.Write(output, channel: 1, in publish, in properties, order, frameMax: 131_072);
        ReadOnlySequence<byte> bytes = output.Written; // method, content header and body, as a socket sends them

        var frames = new FrameReader(bytes, frameMax: 131_072);
        using var content = new ContentReader(maxBodySize: 1 << 27); // one per channel, reused
        frames.TryRead(out Frame method);
        content.BeginMessage(in method);
        while (content.IsIncomplete && frames.TryRead(out Frame frame))
        {
            content.Add(in frame);
        }

        BasicProperties received = content.Header.ReadContentHeader().Properties;
        Console.WriteLine(body.Read<Message>(in received, content.Body)); // OrderPlaced { ... Customer = Ada, Total = 19.90 }
        #endregion
    }
}
