namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>A table of ten fields of ten types, with its length: written, and read field by field.</summary>
internal sealed class TableScenario() : ChecksumScenario<TableFloor>("AMQP table of 10 mixed fields", TenFields.Checksum)
{
    public override IEnumerable<Row> Rows() =>
    [
        Floor(),
        Row("Wire.Amqp, built anew", Typing.Polymorphic, new TableBuilderCodec(utf8Keys: false)),
        Row("Wire.Amqp, built anew, keys in UTF-8", Typing.Polymorphic, new TableBuilderCodec(utf8Keys: true)),
        Row("Wire.Amqp, built before", Typing.Polymorphic, new PrebuiltTableCodec()),
        Row("Wire.Amqp, dictionaries of objects", Typing.Polymorphic, new DictionaryTableCodec()),
    ];
}
