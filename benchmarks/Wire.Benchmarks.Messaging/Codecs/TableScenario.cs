namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>A table of ten fields of ten types, with its length: written, and read field by field.</summary>
internal sealed class TableScenario() : Scenario("AMQP table of 10 mixed fields")
{
    private readonly Lazy<byte[]> _expected = new(static () =>
    {
        var codec = new TableFloor();
        int length = (int)codec.Write();
        return codec.Bytes.AsSpan(0, length).ToArray();
    });

    public override int Batch => 10;

    public override IEnumerable<Row> Rows() =>
    [
        Row("By hand, BinaryPrimitives (floor)", Typing.Floor, new TableFloor()),
        Row("Wire.Amqp, built anew", Typing.Polymorphic, new TableBuilderCodec(utf8Keys: false)),
        Row("Wire.Amqp, built anew, keys in UTF-8", Typing.Polymorphic, new TableBuilderCodec(utf8Keys: true)),
        Row("Wire.Amqp, built before", Typing.Polymorphic, new PrebuiltTableCodec()),
        Row("Wire.Amqp, dictionaries of objects", Typing.Polymorphic, new DictionaryTableCodec()),
    ];

    private AmqpRow<long, TCodec> Row<TCodec>(string name, Typing typing, TCodec codec)
        where TCodec : struct, IAmqpCodec<long> =>
        new AmqpRow<long, TCodec>(name, typing, codec, static sum => sum == TenFields.Checksum, () => _expected.Value);
}
