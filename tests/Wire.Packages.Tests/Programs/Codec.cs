#region readme
using System.Buffers;
using Wire;
using Wire.Amqp;
using Wire.Amqp.V091;

var body = new AmqpBody(new Serializer(new SerializerOptions
{
    TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what a payload may name
}));

using var output = new AmqpBuffer();
var publish = new BasicPublish { Exchange = "orders", RoutingKey = "placed" };
var properties = new BasicProperties { DeliveryMode = 2 };
Message order = new OrderPlaced(1, "Ada", 19.90m);
body.Write(output, channel: 1, in publish, in properties, order, frameMax: 131_072);

var frames = new FrameReader(output.Written, frameMax: 131_072); // method, content header and body, as a socket sends them
using var content = new ContentReader(maxBodySize: 1 << 27);
frames.TryRead(out Frame method);
content.BeginMessage(in method);
while (content.IsIncomplete && frames.TryRead(out Frame frame))
{
    content.Add(in frame);
}

BasicProperties received = content.Header.ReadContentHeader().Properties;
Console.WriteLine(body.Read<Message>(in received, content.Body)); // OrderPlaced { Id = 1, Customer = Ada, Total = 19.90 }
#endregion

ReadOnlySequence<byte> written = output.Written;
Console.WriteLine($"{received.DeliveryMode} {method.Channel} {written.Length > content.Body.Length}");

#region readme
public abstract record Message(int Id);
public sealed record OrderPlaced(int Id, string Customer, decimal Total) : Message(Id);
#endregion
