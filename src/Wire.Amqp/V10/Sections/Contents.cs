using System.Buffers;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10.Sections;

/// <summary>Finds out how many bytes the value takes that a section is, and of a list of fields how many are written.</summary>
internal struct SizeContents : IContents
{
    /// <summary>The bytes.</summary>
    public int Size { get; private set; }

    /// <summary>The fields, and how many bytes they take together.</summary>
    public SizeFields Measured { get; private set; }

    public void Fields<TFields>(ref TFields fields)
        where TFields : struct, IFieldList<TFields>
    {
        var sizes = default(SizeFields);
        TFields.Fields(ref fields, ref sizes);
        Measured = sizes;
        Size = sizes.Count == 0 ? 1 : checked((sizes.FitsNarrow ? 3 : 9) + sizes.Size);
    }

    public void Map(ref AmqpMap map) => Size = Sizes.Measure(map.Value);

    public void Binary(ref ReadOnlySequence<byte> bytes)
    {
        if (bytes.Length > Array.MaxLength - 5)
        {
            throw new ArgumentException($"A section of {bytes.Length} bytes is larger than a span can be: split it into several sections.");
        }

        Size = Sizes.MeasureSized((int)bytes.Length);
    }

    public void List(ref AmqpList list) => Size = Sizes.Measure(list.Value);

    public void Value(ref AmqpValue value) => Size = Sizes.Measure(value);
}

/// <summary>Writes the value that a section is.</summary>
internal ref struct WriteContents(AmqpWriter writer, SizeFields measured) : IContents
{
    private AmqpWriter _writer = writer;

    /// <summary>The writer, after the written bytes.</summary>
    public readonly AmqpWriter Writer => _writer;

    public void Fields<TFields>(ref TFields fields)
        where TFields : struct, IFieldList<TFields>
    {
        if (measured.Count == 0)
        {
            _writer.Write(Constructor.List0);
            return;
        }

        if (measured.FitsNarrow)
        {
            _writer.Write(Constructor.List8);
            _writer.Write((byte)(measured.Size + 1));
            _writer.Write((byte)measured.Count);
        }
        else
        {
            _writer.Write(Constructor.List32);
            _writer.Write((uint)measured.Size + sizeof(uint));
            _writer.Write((uint)measured.Count);
        }

        var write = new WriteFields(_writer, measured.Count);
        TFields.Fields(ref fields, ref write);
        _writer = write.Writer;
    }

    public void Map(ref AmqpMap map) => _writer.WriteValue(map.Value);

    public void Binary(ref ReadOnlySequence<byte> bytes)
    {
        _writer.WriteSize(Constructor.Binary8, (int)bytes.Length);
        foreach (ReadOnlyMemory<byte> segment in bytes)
        {
            _writer.WriteBytes(segment.Span);
        }
    }

    public void List(ref AmqpList list) => _writer.WriteValue(list.Value);

    public void Value(ref AmqpValue value) => _writer.WriteValue(value);
}

/// <summary>Reads the value that a section is.</summary>
internal ref struct ReadContents(AmqpReader reader) : IContents
{
    private AmqpReader _reader = reader;

    public void Fields<TFields>(ref TFields fields)
        where TFields : struct, IFieldList<TFields>
    {
        var read = new ReadFields(Container.OpenList(ref _reader, out int count), count);
        TFields.Fields(ref fields, ref read);
        read.Finish();
    }

    public void Map(ref AmqpMap map) => map = _reader.ReadMap();

    public void Binary(ref ReadOnlySequence<byte> bytes) => bytes = _reader.ReadBinarySequence();

    public void List(ref AmqpList list) => list = _reader.ReadList();

    public void Value(ref AmqpValue value) => value = _reader.ReadValue();
}
