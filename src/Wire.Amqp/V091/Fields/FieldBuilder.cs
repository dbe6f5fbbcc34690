using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

/// <summary>
/// Builds the bytes of a table or an array: fields are written when they are added, and the lengths of nested tables and arrays are filled
/// in when these end.
/// </summary>
/// <remarks>
/// Reuse one, with <see cref="Clear"/>: its buffer grows to what is needed and stays, so that building allocates nothing. What throws
/// leaves the builder as it was. For one thread at a time.
/// </remarks>
public abstract class FieldBuilder
{
    // A key, the octet of a type, and a value of fixed size or the length of another.
    private const int MaxHead = sizeof(byte) + Domains.MaxShortString + sizeof(FieldType) + sizeof(ulong);

    private readonly GrowingBuffer _buffer = new();
    private readonly bool _isArray;

    // The tables and arrays that have begun and not ended: where their lengths are.
    private readonly (int Position, bool IsArray)[] _open = new (int, bool)[FieldTypes.MaxDepth - 1];
    private int _depth;

    private protected FieldBuilder(bool isArray) => _isArray = isArray;

    private protected ReadOnlyMemory<byte> Built
    {
        get
        {
            if (_depth != 0)
            {
                throw new InvalidOperationException($"{_depth} nested tables or arrays have begun and not ended: call End for each.");
            }

            return _buffer.Filled;
        }
    }

    private bool IsInArray => _depth == 0 ? _isArray : _open[_depth - 1].IsArray;

    /// <summary>Adds a field to the table that is open.</summary>
    /// <param name="key">
    /// The name, up to 255 bytes of UTF-8. The specification has up to 128 letters, digits, '$', '#' and '_', beginning with no digit;
    /// RabbitMQ does not ask for it and its own names ("x-death") are not like that, so neither is it asked for here.
    /// </param>
    /// <param name="value">The value.</param>
    /// <exception cref="ArgumentException">The key is null or too long, or the key or a text has an unpaired surrogate.</exception>
    /// <exception cref="InvalidOperationException">An array is open.</exception>
    public void Add(AmqpString key, FieldValue value)
    {
        CheckKey(key);
        AddField(key, value);
    }

    /// <summary>Adds a value to the array that is open.</summary>
    /// <exception cref="ArgumentException">A text has an unpaired surrogate.</exception>
    /// <exception cref="InvalidOperationException">A table is open.</exception>
    public void Add(FieldValue value) => AddField(default, value);

    /// <summary>Begins a table as a field of the table that is open: what is added from now on is in it, until <see cref="End"/>.</summary>
    /// <exception cref="ArgumentException">The key is null or too long, or has an unpaired surrogate.</exception>
    /// <exception cref="InvalidOperationException">An array is open, or 64 are nested already.</exception>
    public void BeginTable(AmqpString key)
    {
        CheckKey(key);
        Begin(key, FieldType.Table);
    }

    /// <summary>Begins a table as a value of the array that is open: what is added from now on is in it, until <see cref="End"/>.</summary>
    /// <exception cref="InvalidOperationException">A table is open, or 64 are nested already.</exception>
    public void BeginTable() => Begin(default, FieldType.Table);

    /// <summary>Begins an array as a field of the table that is open: what is added from now on is in it, until <see cref="End"/>.</summary>
    /// <exception cref="ArgumentException">The key is null or too long, or has an unpaired surrogate.</exception>
    /// <exception cref="InvalidOperationException">An array is open, or 64 are nested already.</exception>
    public void BeginArray(AmqpString key)
    {
        CheckKey(key);
        Begin(key, FieldType.Array);
    }

    /// <summary>Begins an array as a value of the array that is open: what is added from now on is in it, until <see cref="End"/>.</summary>
    /// <exception cref="InvalidOperationException">A table is open, or 64 are nested already.</exception>
    public void BeginArray() => Begin(default, FieldType.Array);

    /// <summary>Ends the nested table or array that began last.</summary>
    /// <exception cref="InvalidOperationException">None has begun.</exception>
    public void End()
    {
        if (_depth == 0)
        {
            throw new InvalidOperationException("No nested table or array has begun.");
        }

        int position = _open[--_depth].Position;
        NetworkOrder.Write(_buffer.Whole[position..], (uint)(_buffer.Length - position - sizeof(uint)));
    }

    /// <summary>Removes everything, for the next table or array. The memory is kept.</summary>
    public void Clear()
    {
        _buffer.Length = 0;
        _depth = 0;
    }

    /// <summary>Adds a field, or a value where there is no key.</summary>
    internal void AddField(AmqpString key, in FieldValue value)
    {
        Span<byte> room = Reserve(MaxHead);
        int at = WriteKey(room, key);
        room[at++] = (byte)value.Type;
        int size = FieldTypes.SizeOf(value.Type);
        if (size >= FieldTypes.Variable)
        {
            size = WriteContent(at, value.Content);
        }
        else
        {
            // One store of eight bytes for every size: what is too many is written over by the next field.
            NetworkOrder.Write(room[at..], value.Bits << (8 * (sizeof(ulong) - size)));
        }

        // Nothing counts before all of it is there: what fails leaves the builder as it was.
        _buffer.Length += at + size;
    }

    /// <summary>Begins a nested table or array, with a key or without.</summary>
    internal void Begin(AmqpString key, FieldType type)
    {
        if (_depth == _open.Length)
        {
            throw new InvalidOperationException($"Tables and arrays can be nested {FieldTypes.MaxDepth} deep, and no deeper: does one contain itself?");
        }

        Span<byte> room = Reserve(MaxHead);
        int at = WriteKey(room, key);
        room[at++] = (byte)type;
        _open[_depth++] = (_buffer.Length + at, type == FieldType.Array);
        _buffer.Length += at + sizeof(uint);
    }

    private static void CheckKey(AmqpString key)
    {
        if (key.IsNull)
        {
            throw new ArgumentException("The key of a field is null.", nameof(key));
        }
    }

    // A key takes no bytes where there is none.
    private int WriteKey(Span<byte> room, AmqpString key)
    {
        if (IsInArray != key.IsNull)
        {
            ThrowWrongContainer();
        }

        if (key.IsNull)
        {
            return 0;
        }

        if (!key.TryCopyTo(room.Slice(sizeof(byte), Domains.MaxShortString), out int length))
        {
            Throw.TooLongForShortString(key.ByteCount);
        }

        room[0] = (byte)length;
        return sizeof(byte) + length;
    }

    // Counted only where there may be too little room: mostly a text is walked once.
    private int WriteContent(int at, AmqpString content)
    {
        at += sizeof(uint);
        Span<byte> room = Reserve(at);
        if (!content.TryCopyTo(room[at..], out int length))
        {
            length = content.ByteCount;
            room = Reserve(checked(at + length));
            content.CopyTo(room[at..]);
        }

        NetworkOrder.Write(room[(at - sizeof(uint))..], (uint)length);
        return sizeof(uint) + length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private Span<byte> Reserve(int size)
    {
        if (_buffer.Whole.Length - _buffer.Length < size)
        {
            _buffer.Grow(size);
        }

        return _buffer.Whole[_buffer.Length..];
    }

    private void ThrowWrongContainer() => throw new InvalidOperationException(IsInArray
        ? "An array is open, whose values have no keys: add without a key, or End the array first."
        : "A table is open, whose fields have keys: add with a key, or End the table first.");
}
