namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>A message of AMQP 1.0: properties, of which five are set, and a data section of 1 KB.</summary>
internal sealed class MessageScenario() : ChecksumScenario<MessageFloor>("AMQP 1.0 message, 5 properties, 1 KB", Sum())
{
    public const string MessageId = "order-123456789";
    public const string To = "/queues/orders";
    public const string Subject = "order.placed.eu";
    public const string ContentType = "application/octet-stream";
    public const long CreationTime = 1_760_000_000_123;

    public static readonly byte[] Data = MakeData();

    public override IEnumerable<Row> Rows() =>
    [
        Floor(),
        Row("Wire.Amqp", Typing.Polymorphic, new MessageCodec()),
    ];

    // Of texts and of the data the length and both ends.
    private static long Sum() =>
        Sum(MessageId) + Sum(To) + Sum(Subject) + Sum(ContentType) + CreationTime + TenFields.Sum(Data);

    private static long Sum(string text) => TenFields.Sum((object)text);

    private static byte[] MakeData()
    {
        byte[] data = new byte[1024];
        new Random(1).NextBytes(data);
        return data;
    }
}
