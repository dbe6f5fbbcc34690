using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Amqp.Errors;
using Wire.Amqp.V10.Sections;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>Enumerates the sections of a message. Each is decoded on demand; unknown ones are skipped like the others.</summary>
public ref struct MessageReader
{
    private AmqpReader _reader;
    private SectionKind _last;

    /// <summary>Begins to read a message.</summary>
    /// <param name="message">Its bytes, all of them.</param>
    /// <param name="offset">Where they begin in a larger input, for the offsets in errors.</param>
    public MessageReader(ReadOnlyMemory<byte> message, long offset = 0) => _reader = new AmqpReader(message, offset);

    /// <summary>Begins to read a message.</summary>
    /// <param name="message">Its bytes, all of them.</param>
    /// <param name="offset">Where they begin in a larger input, for the offsets in errors.</param>
    public MessageReader(in ReadOnlySequence<byte> message, long offset = 0) => _reader = new AmqpReader(message, offset);

    /// <summary>Goes to the next section, if there is one.</summary>
    /// <exception cref="AmqpFormatException">
    /// The bytes are not a section, are incomplete, or are a section in the wrong order
    /// (<see cref="AmqpFormatError.UnexpectedType"/>): sections come in the order of <see cref="SectionKind"/>, each at most once apart
    /// from data and sequences, and a body is either data, sequences or one value. Unknown ones may stand anywhere.
    /// </exception>
    public bool TryRead(out Section section)
    {
        if (_reader.IsAtEnd)
        {
            section = default;
            return false;
        }

        long offset = _reader.Offset;
        SectionKind kind = ReadDescriptor(out AmqpValue descriptor);
        if (kind != SectionKind.Unknown)
        {
            CheckOrder(kind, offset);
            _last = kind;
        }

        section = new Section(kind, descriptor, _reader);
        _reader.SkipValue();
        return true;
    }

    private static bool IsBody(SectionKind kind) => kind is >= SectionKind.Data and <= SectionKind.Value;

    private SectionKind ReadDescriptor(out AmqpValue descriptor)
    {
        descriptor = default;
        byte code = _reader.Read<byte>();
        if (code != Constructor.Described)
        {
            ThrowHelper.Format(
                AmqpFormatError.UnexpectedType,
                _reader.Offset - 1,
                $"Expected a section, which is a described value, found {Constructor.Name(code)}");
        }

        if (_reader.Peek<byte>() == Constructor.SmallULong)
        {
            int both = _reader.Peek<ushort>();
            if (both is >= (Constructor.SmallULong << 8 | (int)SectionKind.Header)
                and <= (Constructor.SmallULong << 8 | (int)SectionKind.Footer))
            {
                _reader.Skip(sizeof(ushort));
                return (SectionKind)(both & 0xff);
            }
        }

        return ReadOtherDescriptor(out descriptor);
    }

    // Out of line: few descriptors have another form than the shortest.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private SectionKind ReadOtherDescriptor(out AmqpValue descriptor)
    {
        descriptor = _reader.ReadValue();
        SectionKind kind = SectionKind.Unknown;
        if (descriptor.TryGet(out ulong number) && number is >= (ulong)SectionKind.Header and <= (ulong)SectionKind.Footer)
        {
            kind = (SectionKind)number;
        }
        else if (descriptor.TryGet(out AmqpSymbol symbol))
        {
            kind = SectionNames.Find(symbol.Text);
        }

        descriptor = kind == SectionKind.Unknown ? descriptor : default;
        return kind;
    }

    private readonly void CheckOrder(SectionKind kind, long offset)
    {
        bool inOrder = kind > _last
            ? !(IsBody(kind) && IsBody(_last))
            : kind == _last && (kind is SectionKind.Data or SectionKind.Sequence);
        if (!inOrder)
        {
            ThrowHelper.Format(AmqpFormatError.UnexpectedType, offset, $"Expected a section that may follow {_last}, found {kind}");
        }
    }
}
