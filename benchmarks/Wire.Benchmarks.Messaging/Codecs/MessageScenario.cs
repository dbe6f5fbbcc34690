namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>A message of AMQP 1.0: properties, of which five are set, and a data section of 1 KB.</summary>
internal sealed class MessageScenario() : Scenario("AMQP 1.0 message, 5 properties, 1 KB")
{
    public const string MessageId = "order-123456789";
    public const string To = "/queues/orders";
    public const string Subject = "order.placed.eu";
    public const string ContentType = "application/octet-stream";
    public const long CreationTime = 1_760_000_000_123;

    public static readonly byte[] Data = MakeData();

    private readonly Lazy<byte[]> _expected = new(static () =>
    {
        var codec = new MessageFloor();
        int length = (int)codec.Write();
        return codec.Bytes.AsSpan(0, length).ToArray();
    });

    public override int Batch => 10;

    /// <summary>What is added up of all that was read: of texts and of the data the length and both ends.</summary>
    public static long Checksum { get; } = Sum(MessageId) + Sum(To) + Sum(Subject) + Sum(ContentType) + CreationTime + TenFields.Sum(Data);

    public override IEnumerable<Row> Rows() =>
    [
        Row("By hand, BinaryPrimitives (floor)", Typing.Floor, new MessageFloor()),
        Row("Wire.Amqp", Typing.Polymorphic, new MessageCodec()),
    ];

    private static long Sum(string text) => TenFields.Sum((object)text);

    private static byte[] MakeData()
    {
        byte[] data = new byte[1024];
        new Random(1).NextBytes(data);
        return data;
    }

    private AmqpRow<long, TCodec> Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, IAmqpCodec<long> =>
        new(name, typing, codec, static sum => sum == Checksum, () => _expected.Value);
}
