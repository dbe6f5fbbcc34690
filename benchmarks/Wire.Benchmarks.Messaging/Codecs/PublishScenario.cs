namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>The three frames of a message that is published: method, content header and body.</summary>
internal sealed class PublishScenario() : ChecksumScenario<PublishFloor>("AMQP basic.publish, 5 properties", PublishedMessage.Checksum)
{
    public override IEnumerable<Row> Rows() =>
    [
        Floor(),
        Row("Wire.Amqp, frame by frame", Typing.Static, new PublishCodec()),
        Row("Wire.Amqp, read by a ContentReader", Typing.Static, new PublishContentCodec(new PublishCodec())),
    ];
}
