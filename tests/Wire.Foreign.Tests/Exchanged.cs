using System.Security.Cryptography;
using System.Text.Json.Nodes;
using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.Foreign.Tests;

/// <summary>A message that is exchanged, and what of it is compared: each property or its absence, the headers, and the body.</summary>
internal sealed record Exchanged(BasicProperties Properties, byte[] Body)
{
    private static readonly Timestamp Time = new(1_800_000_000);

    /// <summary>All properties, and none of them.</summary>
    public static Exchanged WithProperties(bool withClusterId) => new(
        new BasicProperties
        {
            ContentType = "application/x-wire; Ж=1",
            ContentEncoding = "gzip",
            DeliveryMode = 2,
            Priority = 0,
            CorrelationId = "Заявка № 7 🚀",
            ReplyTo = new string('r', 255),
            Expiration = "600000",
            MessageId = "",
            Timestamp = Time,
            Type = "Wire.Foreign.Tests.Exchanged",
            UserId = "guest",
            AppId = "app",
            ClusterId = withClusterId ? "cluster" : default(AmqpString),
        },
        [1, 2, 3]);

    /// <summary>A message with headers of some types, by their octets.</summary>
    public static Exchanged WithHeaders(string octets)
    {
        Dictionary<char, object?[]> all = new()
        {
            ['t'] = [true, false],
            ['b'] = [(sbyte)-128, (sbyte)-1, (sbyte)0, (sbyte)127],
            ['B'] = [(byte)0, (byte)127, (byte)128, (byte)255],
            ['s'] = [short.MinValue, (short)-1, short.MaxValue],
            ['u'] = [(ushort)0, (ushort)40_000, ushort.MaxValue],
            ['I'] = [int.MinValue, -1, 0, int.MaxValue],
            ['i'] = [0u, 3_000_000_000, uint.MaxValue],
            ['l'] = [long.MinValue, -1L, 0L, 1L << 53, long.MaxValue],
            ['f'] = [0f, -1.5f, 0.1f, float.MaxValue, float.Epsilon],
            ['d'] = [0d, -0d, -1.5, 0.1, double.MaxValue, double.Epsilon],
            ['D'] = [0m, 19.9m, 1m, 12345.67m, 0.0000001m],
            ['S'] = ["", "text", "Ж 🚀", new string('s', 30_000)],
            ['x'] = [Array.Empty<byte>(), new byte[] { 0, 255, 128 }],
            ['T'] = [new Timestamp(0), Time, new Timestamp(253_402_300_799)],
            ['V'] = [null],
        };
        var headers = new Dictionary<string, object?>();
        var one = new List<object?>();
        foreach (char octet in octets)
        {
            for (int i = 0; i < all[octet].Length; i++)
            {
                headers[$"ключ {octet} {i}"] = all[octet][i];
            }

            one.Add(all[octet][0]);
        }

        var table = new Dictionary<string, object?> { ["deepest"] = one.ToArray() };
        for (int depth = 0; depth < 30; depth++)
        {
            table = new Dictionary<string, object?> { ["in"] = depth % 2 == 0 ? table : new object?[] { table } };
        }

        headers["nested"] = table;
        headers["array"] = one.ToArray();
        return new Exchanged(new BasicProperties { Headers = FieldTable.Create(headers) }, [42]);
    }

    /// <summary>A message with a body of so many bytes, and nothing else.</summary>
    public static Exchanged WithBody(int length)
    {
        byte[] body = new byte[length];
        new Random(length).NextBytes(body);
        return new Exchanged(default, body);
    }

    /// <summary>The properties that are there, without the headers, by the names that the clients' answers have.</summary>
    public JsonObject PresentProperties()
    {
        var present = new JsonObject();
        void Text(string name, AmqpString text)
        {
            if (!text.IsNull)
            {
                present[name] = text.ToString();
            }
        }

        void Number(string name, long? number)
        {
            if (number is { } value)
            {
                present[name] = value;
            }
        }

        Text("contentType", Properties.ContentType);
        Text("contentEncoding", Properties.ContentEncoding);
        Number("deliveryMode", Properties.DeliveryMode);
        Number("priority", Properties.Priority);
        Text("correlationId", Properties.CorrelationId);
        Text("replyTo", Properties.ReplyTo);
        Text("expiration", Properties.Expiration);
        Text("messageId", Properties.MessageId);
        Number("timestamp", Properties.Timestamp?.Seconds);
        Text("type", Properties.Type);
        Text("userId", Properties.UserId);
        Text("appId", Properties.AppId);
        Text("clusterId", Properties.ClusterId);
        return present;
    }

    /// <summary>What a client answers that has taken this message.</summary>
    public JsonObject Answer(Func<FieldValue, JsonObject> shown) => new()
    {
        ["properties"] = PresentProperties(),
        ["headers"] = shown(Properties.Headers),
        ["length"] = Body.Length,
        ["hash"] = Convert.ToHexStringLower(SHA256.HashData(Body)),
    };
}
