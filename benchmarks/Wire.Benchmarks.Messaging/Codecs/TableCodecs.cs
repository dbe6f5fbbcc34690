using System.Buffers;
using System.Text;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.Benchmarks.Measuring;

namespace Wire.Benchmarks.Messaging.Codecs;

/// <summary>Builds the table each time, with one builder, and goes through its fields where they lie.</summary>
internal struct TableBuilderCodec(bool utf8Keys) : IAmqpCodec<long>
{
    public static readonly AmqpString[] StringKeys = [.. TenFields.Keys.Select(key => (AmqpString)key)];

    // A key that is used again and again may be kept in UTF-8.
    private static readonly AmqpString[] Utf8Keys = [.. TenFields.Keys.Select(key => new AmqpString(Encoding.UTF8.GetBytes(key)))];

    private readonly AmqpString[] _keys = utf8Keys ? Utf8Keys : StringKeys;
    private readonly FieldTableBuilder _builder = new();
    private readonly byte[] _bytes = new byte[512];
    private int _length;

    public readonly ReadOnlySequence<byte> Written => new(_bytes, 0, _length);

    public long Write()
    {
        _builder.Clear();
        Build(_builder, _keys);
        var writer = new AmqpWriter(_bytes);
        _builder.Table.Write(ref writer);
        return _length = writer.Written;
    }

    public readonly long Read() => ReadAll(_bytes);

    /// <summary>Adds all fields.</summary>
    public static void Build(FieldTableBuilder builder, AmqpString[] keys)
    {
        builder.Add(keys[0], TenFields.Urgent);
        builder.Add(keys[1], TenFields.Attempt);
        builder.Add(keys[2], TenFields.Shard);
        builder.Add(keys[3], TenFields.Customer);
        builder.Add(keys[4], TenFields.Sequence);
        builder.Add(keys[5], TenFields.Weight);
        builder.Add(keys[6], TenFields.Total);
        builder.Add(keys[7], TenFields.Region);
        builder.Add(keys[8], TenFields.Trace);
        builder.Add(keys[9], new Timestamp(TenFields.PlacedAt));
    }

    /// <summary>Goes through all fields.</summary>
    public static long ReadAll(ReadOnlyMemory<byte> bytes)
    {
        var reader = new AmqpReader(bytes);
        long sum = 0;
        foreach ((_, FieldValue value) in FieldTable.Read(ref reader))
        {
            sum += TenFields.Sum(value);
        }

        return sum;
    }
}

/// <summary>Writes a table that was built before, as a program does whose headers stay the same.</summary>
internal struct PrebuiltTableCodec() : IAmqpCodec<long>
{
    private readonly FieldTable _table = FieldTable.Create(TenFields.ToDictionary());
    private readonly byte[] _bytes = new byte[512];
    private int _length;

    public readonly ReadOnlySequence<byte> Written => new(_bytes, 0, _length);

    public long Write()
    {
        var writer = new AmqpWriter(_bytes);
        _table.Write(ref writer);
        return _length = writer.Written;
    }

    public readonly long Read() => TableBuilderCodec.ReadAll(_bytes);
}

/// <summary>Writes a dictionary of objects, and reads one, as programs of RabbitMQ.Client have them.</summary>
internal struct DictionaryTableCodec() : IAmqpCodec<long>
{
    private readonly Dictionary<string, object?> _fields = TenFields.ToDictionary();
    private readonly byte[] _bytes = new byte[512];
    private int _length;

    public readonly ReadOnlySequence<byte> Written => new(_bytes, 0, _length);

    public long Write()
    {
        var writer = new AmqpWriter(_bytes);
        FieldTable.Create(_fields).Write(ref writer);
        return _length = writer.Written;
    }

    public readonly long Read()
    {
        var reader = new AmqpReader(_bytes);
        long sum = 0;
        foreach ((_, object? value) in FieldTable.Read(ref reader).ToDictionary())
        {
            sum += TenFields.Sum(value);
        }

        return sum;
    }
}
