namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>The three frames of a message that is published: method, content header and body.</summary>
internal sealed class PublishScenario() : Scenario("AMQP basic.publish, 5 properties")
{
    private readonly Lazy<byte[]> _expected = new(static () =>
    {
        var codec = new PublishFloor();
        int length = (int)codec.Write();
        return codec.Bytes.AsSpan(0, length).ToArray();
    });

    public override int Batch => 10;

    public override IEnumerable<Row> Rows() =>
    [
        Row("By hand, BinaryPrimitives (floor)", Typing.Floor, new PublishFloor()),
        Row("Wire.Amqp, frame by frame", Typing.Static, new PublishCodec()),
        Row("Wire.Amqp, read by a ContentReader", Typing.Static, new PublishContentCodec(new PublishCodec())),
    ];

    private AmqpRow<long, TCodec> Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, IAmqpCodec<long> =>
        new AmqpRow<long, TCodec>(name, typing, codec, static sum => sum == PublishedMessage.Checksum, () => _expected.Value);
}
