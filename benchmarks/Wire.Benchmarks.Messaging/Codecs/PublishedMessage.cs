namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>A message of 512 bytes with five properties, as it is published.</summary>
internal static class PublishedMessage
{
    public const ushort Channel = 1;
    public const string Exchange = "orders";
    public const string RoutingKey = "order.placed.eu";
    public const string ContentType = "application/octet-stream";
    public const byte DeliveryMode = 2;
    public const string CorrelationId = "7f6d1c4e-32aa-4a0b-9f0e-d34e11f0a9b2";
    public const string MessageId = "order-123456789";
    public const long Timestamp = 1_760_000_000;

    /// <summary>What RabbitMQ and its clients agree on unless they are told otherwise.</summary>
    public const int FrameMax = 131_072;

    public static readonly byte[] Body = MakeBody();

    /// <summary>What is added up of all that was read: of texts and of the body the length and both ends.</summary>
    public static long Checksum { get; } =
        Sum(Exchange) + Sum(RoutingKey) + Sum(ContentType) + DeliveryMode + Sum(CorrelationId) + Sum(MessageId) + Timestamp + TenFields.Sum(Body);

    private static long Sum(string text) => TenFields.Sum((object)text);

    private static byte[] MakeBody()
    {
        byte[] body = new byte[512];
        new Random(1).NextBytes(body);
        return body;
    }
}
