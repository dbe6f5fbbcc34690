using System.Text;
using RabbitMQ.Client;
using Wire.Amqp.Bodies;

namespace Wire.Amqp.Tests.Interop;

/// <summary>What the tests send, in the words of RabbitMQ.Client.</summary>
internal static class ClientSamples
{
    /// <summary>The only moment in these tests.</summary>
    public static readonly AmqpTimestamp Moment = new(1_700_000_000);

    /// <summary>A text of several bytes per character.</summary>
    public const string Text = "grüße, 世界 🐇";

    /// <summary>The user that the broker knows from the beginning: it refuses messages in the name of another.</summary>
    public const string User = "guest";

    public static readonly byte[] SmallBody = Encoding.UTF8.GetBytes("a small body");

    /// <summary>Takes two full frames of 4,096 bytes, of which 8 are the envelope, and one that is not full.</summary>
    public static readonly byte[] ThreeFrameBody = [.. Enumerable.Range(0, (2 * 4088) + 100).Select(i => (byte)(i * 7))];

    /// <summary>A field of every type that the client writes; it writes no signed octet named so and no unsigned 64 bits.</summary>
    public static Dictionary<string, object?> Table() => new()
    {
        ["null"] = null,
        ["true"] = true,
        ["false"] = false,
        ["sbyte"] = (sbyte)-100,
        ["byte"] = (byte)200,
        ["short"] = (short)-30_000,
        ["ushort"] = (ushort)60_000,
        ["int"] = -2_000_000_000,
        ["uint"] = 4_000_000_000u,
        ["long"] = long.MinValue + 1,
        ["float"] = 1.5f,
        ["double"] = Math.PI,
        ["decimal"] = 12.34m,
        ["negative decimal"] = -12.34m,
        ["timestamp"] = Moment,
        ["text"] = Text,
        ["empty"] = "",
        ["long text"] = new string('x', 300),
        ["bytes"] = new byte[] { 0, 1, 0xFE, 0xFF },
        ["binary"] = new BinaryTableValue([0xFF, 0xFE, 1, 0]),
        ["list"] = new List<object?> { 1, "two", 3.0, null, new List<object?> { true } },
        ["table"] = new Dictionary<string, object?> { ["inner"] = new Dictionary<string, object?> { ["innermost"] = 1L } },
        ["empty list"] = new List<object?>(),
        ["empty table"] = new Dictionary<string, object?>(),
    };

    /// <summary>Properties of which none is missing.</summary>
    public static BasicProperties AllProperties() => new()
    {
        ContentType = "application/x-wire",
        ContentEncoding = "br",
        Headers = Table(),
        DeliveryMode = DeliveryModes.Persistent,
        Priority = 7,
        CorrelationId = "correlation",
        ReplyTo = "reply",
        Expiration = "60000",
        MessageId = "message",
        Timestamp = Moment,
        Type = "Some.Type",
        UserId = User,
        AppId = "wire",
        ClusterId = "cluster",
    };
}
