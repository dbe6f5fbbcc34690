using System.Text;
using RabbitMQ.Client;
using Wire.Amqp.Bodies;
using Wire.Amqp.V091;
using BasicProperties = Wire.Amqp.V091.BasicProperties;

namespace Wire.Amqp.Tests.Interop;

/// <summary>What the tests send, in the words of Wire.Amqp, and what RabbitMQ.Client makes of it.</summary>
internal static class WireSamples
{
    /// <summary>A field of every type that has one octet in all clients.</summary>
    public static FieldTable Table()
    {
        var fields = new FieldTableBuilder();
        fields.Add("V", default(FieldValue));
        fields.Add("t", true);
        fields.Add("not t", false);
        fields.Add("b", sbyte.MinValue);
        fields.Add("B", byte.MaxValue);
        fields.Add("s", short.MinValue);
        fields.Add("u", ushort.MaxValue);
        fields.Add("I", int.MinValue);
        fields.Add("i", uint.MaxValue);
        fields.Add("l", long.MinValue);
        fields.Add("f", float.Epsilon);
        fields.Add("d", double.MaxValue);
        fields.Add("D", 1234.5678m);
        fields.Add("S", ClientSamples.Text);
        fields.Add("long S", new string('y', 100_000));
        fields.Add("T", new Timestamp(ClientSamples.Moment.UnixTime));
        fields.Add("x", new byte[] { 0xFF, 0, 1 });
        fields.BeginArray("A");
        fields.Add(1);
        fields.Add("two");
        fields.BeginTable();
        fields.Add("three", 3L);
        fields.End();
        fields.End();
        fields.BeginTable("F");
        fields.BeginTable("inner");
        fields.Add("innermost", true);
        fields.End();
        fields.End();
        return fields.ToTable();
    }

    /// <summary>The table in the types of the client, which gives a text as its bytes.</summary>
    public static Dictionary<string, object?> TableOfClient() => new()
    {
        ["V"] = null,
        ["t"] = true,
        ["not t"] = false,
        ["b"] = sbyte.MinValue,
        ["B"] = byte.MaxValue,
        ["s"] = short.MinValue,
        ["u"] = ushort.MaxValue,
        ["I"] = int.MinValue,
        ["i"] = uint.MaxValue,
        ["l"] = long.MinValue,
        ["f"] = float.Epsilon,
        ["d"] = double.MaxValue,
        ["D"] = 1234.5678m,
        ["S"] = Encoding.UTF8.GetBytes(ClientSamples.Text),
        ["long S"] = Encoding.UTF8.GetBytes(new string('y', 100_000)),
        ["T"] = ClientSamples.Moment,
        ["x"] = new BinaryTableValue([0xFF, 0, 1]),
        ["A"] = new List<object?> { 1, "two"u8.ToArray(), new Dictionary<string, object?> { ["three"] = 3L } },
        ["F"] = new Dictionary<string, object?> { ["inner"] = new Dictionary<string, object?> { ["innermost"] = true } },
    };

    /// <summary>Properties of which none is missing.</summary>
    public static BasicProperties AllProperties() => new()
    {
        ContentType = "application/x-wire",
        ContentEncoding = "br",
        Headers = Table(),
        DeliveryMode = 2,
        Priority = 9,
        CorrelationId = ClientSamples.Text,
        ReplyTo = "reply",
        Expiration = "60000",
        MessageId = "message",
        Timestamp = new Timestamp(ClientSamples.Moment.UnixTime),
        Type = "Some.Type",
        UserId = ClientSamples.User,
        AppId = "wire",
        ClusterId = new string('c', 255),
    };
}
