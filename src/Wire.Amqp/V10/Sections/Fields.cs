using System.Runtime.CompilerServices;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10.Sections;

/// <summary>Adds up how many bytes the fields take up to the last one that is set.</summary>
internal struct SizeFields : IFields
{
    private int _fields;
    private int _size;

    /// <summary>Gets the number of fields that are written: unset ones at the end are not.</summary>
    public int Count { get; private set; }

    /// <summary>The bytes of the fields that are written.</summary>
    public int Size { get; private set; }

    /// <summary>Gets whether size and count have room in a byte each.</summary>
    public readonly bool FitsNarrow => Elements.FitsNarrow(Size, (uint)Count);

    public void Boolean(ref bool? value) => Add(value.HasValue, 1);

    public void UByte(ref byte? value) => Add(value.HasValue, 2);

    public void UInt(ref uint? value) => Add(value.HasValue, Sizes.MeasureUInt(value.GetValueOrDefault()));

    public void Timestamp(ref Timestamp? value) => Add(value.HasValue, 9);

    public void Binary(ref ReadOnlyMemory<byte>? value) => Add(value.HasValue, Sizes.MeasureSized(value.GetValueOrDefault().Length));

    public void String(ref AmqpString value) => Text(value);

    public void Symbol(ref AmqpSymbol value) => Text(value.Text);

    public void MessageId(ref AmqpValue value)
    {
        if (!IsMessageId(value.Type))
        {
            throw new ArgumentException(
                $"The identity of a message is a ulong, uuid, binary or string, and not {Constructor.Name(value.Type)}.");
        }

        Add(!value.IsNull, value.IsNull ? 0 : Sizes.Measure(value));
    }

    internal static bool IsMessageId(AmqpType type) =>
        type is AmqpType.Null or AmqpType.ULong or AmqpType.Uuid or AmqpType.Binary or AmqpType.String;

    private void Text(AmqpString value)
    {
        bool isSet = !value.IsNull;
        Add(isSet, isSet ? Sizes.MeasureText(value) : 0);
    }

    private void Add(bool isSet, int size)
    {
        _fields++;
        if (!isSet)
        {
            _size = checked(_size + 1);
            return;
        }

        _size = checked(_size + size);
        Size = _size;
        Count = _fields;
    }
}

/// <summary>Writes as many fields as are to be written.</summary>
internal ref struct WriteFields(AmqpWriter writer, int count) : IFields
{
    private AmqpWriter _writer = writer;
    private int _left = count;

    /// <summary>The writer, after the written bytes.</summary>
    public readonly AmqpWriter Writer => _writer;

    public void Boolean(ref bool? value)
    {
        if (Next(value.HasValue))
        {
            _writer.WriteBoolean(value.GetValueOrDefault());
        }
    }

    public void UByte(ref byte? value)
    {
        if (Next(value.HasValue))
        {
            _writer.WriteByte(value.GetValueOrDefault());
        }
    }

    public void UInt(ref uint? value)
    {
        if (Next(value.HasValue))
        {
            _writer.WriteUInt32(value.GetValueOrDefault());
        }
    }

    public void Timestamp(ref Timestamp? value)
    {
        if (Next(value.HasValue))
        {
            _writer.WriteTimestamp(value.GetValueOrDefault());
        }
    }

    public void Binary(ref ReadOnlyMemory<byte>? value)
    {
        if (Next(value.HasValue))
        {
            _writer.WriteBinary(value.GetValueOrDefault().Span);
        }
    }

    public void String(ref AmqpString value)
    {
        if (Next(!value.IsNull))
        {
            _writer.WriteString(value);
        }
    }

    public void Symbol(ref AmqpSymbol value)
    {
        if (Next(!value.IsNull))
        {
            _writer.WriteSymbol(value);
        }
    }

    public void MessageId(ref AmqpValue value)
    {
        if (Next(!value.IsNull))
        {
            _writer.WriteValue(value);
        }
    }

    // A field that is not set is null, unless no set one follows.
    private bool Next(bool isSet)
    {
        if (--_left >= 0 && !isSet)
        {
            _writer.WriteNull();
        }

        return isSet;
    }
}

/// <summary>Reads fields: as many as there are.</summary>
internal struct ReadFields(ArrayReader reader, int count) : IFields
{
    private ArrayReader _reader = reader;
    private int _left = count;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Boolean(ref bool? value)
    {
        if (Next())
        {
            value = TypedReader.ReadBoolean(ref _reader);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void UByte(ref byte? value)
    {
        if (Next())
        {
            value = TypedReader.ReadFixed<byte, ArrayReader>(ref _reader, Constructor.UByte, AmqpType.UByte);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void UInt(ref uint? value)
    {
        if (Next())
        {
            value = TypedReader.ReadUInt(ref _reader);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Timestamp(ref Timestamp? value)
    {
        if (Next())
        {
            value = new Timestamp(TypedReader.ReadFixed<long, ArrayReader>(ref _reader, Constructor.Timestamp, AmqpType.Timestamp));
        }
    }

    public void Binary(ref ReadOnlyMemory<byte>? value)
    {
        if (Next())
        {
            // RabbitMQ 3.10 writes the user's name as a string, where the specification has binary.
            value = _reader.Peek<byte>() is Constructor.String8 or Constructor.String32
                ? TypedReader.ReadBytes(ref _reader, Constructor.String8, AmqpType.String).Utf8
                : TypedReader.ReadBytes(ref _reader, Constructor.Binary8, AmqpType.Binary).Utf8;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void String(ref AmqpString value)
    {
        if (Next())
        {
            value = TypedReader.ReadBytes(ref _reader, Constructor.String8, AmqpType.String);
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Symbol(ref AmqpSymbol value)
    {
        if (Next())
        {
            value = TypedReader.ReadSymbol(ref _reader);
        }
    }

    public void MessageId(ref AmqpValue value)
    {
        if (!Next())
        {
            return;
        }

        long offset = _reader.Offset;
        value = _reader.ReadValue();
        if (!SizeFields.IsMessageId(value.Type))
        {
            ThrowHelper.Format(
                AmqpFormatError.UnexpectedType, offset, $"Expected a ulong, uuid, binary or string, found {Constructor.Name(value.Type)}");
        }
    }

    /// <summary>Skips fields of a later version of the protocol, and makes sure that nothing follows them.</summary>
    public void Finish()
    {
        for (; _left > 0; _left--)
        {
            _reader.SkipValue();
        }

        Container.CheckEnd(_reader);
    }

    // Returns whether the next field is present and not null: otherwise it keeps its default.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool Next() => --_left >= 0 && !TypedReader.TryReadNull(ref _reader);
}
