using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Wire.Amqp;
using Wire.Amqp.V091;

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

/// <summary>Builds the table each time, with one builder, and goes through its fields where they lie.</summary>
internal struct TableBuilderCodec(bool utf8Keys) : IAmqpCodec<long>
{
    private static readonly AmqpString[] StringKeys = [.. TenFields.Keys.Select(key => (AmqpString)key)];

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

    private static void Build(FieldTableBuilder builder, AmqpString[] keys)
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

/// <summary>
/// Exactly the ten fields, in their order, by someone who knows them: the keys are compared, the types are not looked at.
/// </summary>
internal readonly struct TableFloor() : IAmqpCodec<long>
{
    private readonly byte[] _bytes = new byte[512];

    public ReadOnlySequence<byte> Written => new(_bytes, 0, sizeof(uint) + (int)BinaryPrimitives.ReadUInt32BigEndian(_bytes));

    public long Write()
    {
        Span<byte> rest = _bytes.AsSpan(sizeof(uint));
        Begin(ref rest, "urgent"u8, 't')[0] = 1;
        rest = rest[1..];
        Begin(ref rest, "attempt"u8, 'B')[0] = TenFields.Attempt;
        rest = rest[1..];
        BinaryPrimitives.WriteInt16BigEndian(Begin(ref rest, "shard"u8, 's'), TenFields.Shard);
        rest = rest[sizeof(short)..];
        BinaryPrimitives.WriteInt32BigEndian(Begin(ref rest, "customer"u8, 'I'), TenFields.Customer);
        rest = rest[sizeof(int)..];
        BinaryPrimitives.WriteInt64BigEndian(Begin(ref rest, "sequence"u8, 'l'), TenFields.Sequence);
        rest = rest[sizeof(long)..];
        BinaryPrimitives.WriteSingleBigEndian(Begin(ref rest, "weight"u8, 'f'), TenFields.Weight);
        rest = rest[sizeof(float)..];
        BinaryPrimitives.WriteDoubleBigEndian(Begin(ref rest, "total"u8, 'd'), TenFields.Total);
        rest = rest[sizeof(double)..];
        int length = Encoding.UTF8.GetBytes(TenFields.Region, Begin(ref rest, "region"u8, 'S')[sizeof(uint)..]);
        BinaryPrimitives.WriteInt32BigEndian(rest, length);
        rest = rest[(sizeof(uint) + length)..];
        BinaryPrimitives.WriteInt32BigEndian(Begin(ref rest, "trace"u8, 'x'), TenFields.Trace.Length);
        TenFields.Trace.CopyTo(rest[sizeof(uint)..]);
        rest = rest[(sizeof(uint) + TenFields.Trace.Length)..];
        BinaryPrimitives.WriteInt64BigEndian(Begin(ref rest, "placed-at"u8, 'T'), TenFields.PlacedAt);
        rest = rest[sizeof(long)..];
        int written = _bytes.Length - rest.Length;
        BinaryPrimitives.WriteInt32BigEndian(_bytes, written - sizeof(uint));
        return written;
    }

    public long Read()
    {
        int length = BinaryPrimitives.ReadInt32BigEndian(_bytes);
        ReadOnlySpan<byte> rest = _bytes.AsSpan(sizeof(uint), length);
        Expect(ref rest, "urgent"u8);
        long sum = rest[0] != 0 ? 1 : 0;
        rest = rest[1..];
        Expect(ref rest, "attempt"u8);
        sum += rest[0];
        rest = rest[1..];
        Expect(ref rest, "shard"u8);
        sum += BinaryPrimitives.ReadInt16BigEndian(rest);
        rest = rest[sizeof(short)..];
        Expect(ref rest, "customer"u8);
        sum += BinaryPrimitives.ReadInt32BigEndian(rest);
        rest = rest[sizeof(int)..];
        Expect(ref rest, "sequence"u8);
        sum += BinaryPrimitives.ReadInt64BigEndian(rest);
        rest = rest[sizeof(long)..];
        Expect(ref rest, "weight"u8);
        sum += BitConverter.DoubleToInt64Bits(BinaryPrimitives.ReadSingleBigEndian(rest));
        rest = rest[sizeof(float)..];
        Expect(ref rest, "total"u8);
        sum += BitConverter.DoubleToInt64Bits(BinaryPrimitives.ReadDoubleBigEndian(rest));
        rest = rest[sizeof(double)..];
        Expect(ref rest, "region"u8);
        sum += TenFields.Sum(Block(ref rest));
        Expect(ref rest, "trace"u8);
        sum += TenFields.Sum(Block(ref rest));
        Expect(ref rest, "placed-at"u8);
        sum += BinaryPrimitives.ReadInt64BigEndian(rest);
        return sum;
    }

    // The key and the type; returns what is left, for the value.
    private static Span<byte> Begin(ref Span<byte> rest, ReadOnlySpan<byte> key, char type)
    {
        rest[0] = (byte)key.Length;
        key.CopyTo(rest[1..]);
        rest[1 + key.Length] = (byte)type;
        rest = rest[(key.Length + 2)..];
        return rest;
    }

    private static void Expect(ref ReadOnlySpan<byte> rest, ReadOnlySpan<byte> key)
    {
        if (rest[0] != key.Length || !rest.Slice(1, key.Length).SequenceEqual(key))
        {
            throw new InvalidOperationException("Another key was expected.");
        }

        rest = rest[(key.Length + 2)..];
    }

    private static ReadOnlySpan<byte> Block(ref ReadOnlySpan<byte> rest)
    {
        int length = BinaryPrimitives.ReadInt32BigEndian(rest);
        ReadOnlySpan<byte> block = rest.Slice(sizeof(uint), length);
        rest = rest[(sizeof(uint) + length)..];
        return block;
    }
}
