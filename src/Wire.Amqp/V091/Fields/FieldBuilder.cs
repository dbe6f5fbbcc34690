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
    private readonly GrowingBuffer _buffer = new();
    private readonly bool _isArray;

    // The tables and arrays that have begun and not ended: where their lengths are.
    private readonly (int Position, bool IsArray)[] _open = new (int, bool)[FieldTypes.MaxDepth - 1];
    private int _depth;

    // What counts: the buffer's own length is ahead of it while a field is being written, and stays so when that fails.
    private int _written;

    private protected FieldBuilder(bool isArray) => _isArray = isArray;

    private protected ReadOnlyMemory<byte> Built
    {
        get
        {
            if (_depth != 0)
            {
                throw new InvalidOperationException($"{_depth} nested tables or arrays have begun and not ended: call End for each.");
            }

            _buffer.Length = _written;
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
        NetworkOrder.Write(_buffer.Whole[position..], (uint)(_written - position - sizeof(uint)));
    }

    /// <summary>Removes everything, for the next table or array. The memory is kept.</summary>
    public void Clear()
    {
        _written = 0;
        _depth = 0;
    }

    /// <summary>Adds a field, or a value where there is no key.</summary>
    internal void AddField(AmqpString key, FieldValue value)
    {
        AmqpWriter writer = BeginField(key);
        int size = FieldTypes.SizeOf(value.Type);
        if (size >= FieldTypes.Variable)
        {
            WriteContent(ref writer, value);
        }
        else
        {
            // One store of eight bytes for every size: what is too many is written over by the next field.
            Span<byte> room = writer.Reserve(sizeof(FieldType) + sizeof(ulong));
            room[0] = (byte)value.Type;
            NetworkOrder.Write(room[1..], value.Bits << (8 * (sizeof(ulong) - size)));
            writer.Advance(sizeof(FieldType) + size);
        }

        EndField(writer);
    }

    /// <summary>Begins a nested table or array, with a key or without.</summary>
    internal void Begin(AmqpString key, FieldType type)
    {
        if (_depth == _open.Length)
        {
            throw new InvalidOperationException($"Tables and arrays can be nested {FieldTypes.MaxDepth} deep, and no deeper: does one contain itself?");
        }

        AmqpWriter writer = BeginField(key);
        writer.Write((byte)type);
        int position = writer.Written;
        writer.Write(0u);
        EndField(writer);
        _open[_depth++] = (position, type == FieldType.Array);
    }

    private static void CheckKey(AmqpString key)
    {
        if (key.IsNull)
        {
            throw new ArgumentException("The key of a field is null.", nameof(key));
        }
    }

    // What is copied from another place of the same buffer may lie in an array that Reserve replaces: it is kept by the value.
    private static void WriteContent(ref AmqpWriter writer, FieldValue value)
    {
        const int Head = sizeof(FieldType) + sizeof(uint);
        AmqpString content = value.Content;
        Span<byte> room = writer.Reserve(Head);
        if (!content.TryCopyTo(room[Head..], out int length))
        {
            length = content.ByteCount;
            room = writer.Reserve(checked(Head + length));
            content.CopyTo(room[Head..]);
        }

        room[0] = (byte)value.Type;
        NetworkOrder.Write(room[sizeof(FieldType)..], (uint)length);
        writer.Advance(Head + length);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private AmqpWriter BeginField(AmqpString key)
    {
        if (IsInArray != key.IsNull)
        {
            ThrowWrongContainer();
        }

        _buffer.Length = _written;
        var writer = new AmqpWriter(_buffer);
        if (!key.IsNull)
        {
            Span<byte> room = writer.Reserve(sizeof(byte) + Domains.MaxShortString);
            if (!key.TryCopyTo(room.Slice(sizeof(byte), Domains.MaxShortString), out int length))
            {
                Throw.TooLongForShortString(key.ByteCount);
            }

            room[0] = (byte)length;
            writer.Advance(sizeof(byte) + length);
        }

        return writer;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void EndField(AmqpWriter writer)
    {
        writer.Finish();
        _written = _buffer.Length;
    }

    private void ThrowWrongContainer() => throw new InvalidOperationException(IsInArray
        ? "An array is open, whose values have no keys: add without a key, or End the array first."
        : "A table is open, whose fields have keys: add with a key, or End the table first.");
}
