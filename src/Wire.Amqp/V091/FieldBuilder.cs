using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;
using Wire.Amqp.V091.Fields;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.V091;

/// <summary>
/// Builds the bytes of a table or an array: fields are written when they are added, and the lengths of nested tables and arrays are filled
/// in when these end.
/// </summary>
/// <remarks>
/// Reuse a builder with <see cref="Clear"/>: its buffer is kept, so building allocates nothing. A call that throws leaves the builder
/// unchanged. Not thread-safe.
/// </remarks>
public abstract class FieldBuilder
{
    // A key, the octet of a type, and a value of fixed size or the length of another.
    private const int MaxHead = sizeof(byte) + Domains.MaxShortString + sizeof(FieldType) + sizeof(ulong);

    // Up to this length ASCII text is encoded inline, and longer text by the wider vectors of a transcoder.
    private const int MaxShort = 128;

    private readonly GrowingBuffer _buffer = new();
    private readonly bool _isArray;

    // The open tables and arrays: the positions of their lengths, and their parents. Allocated on first use.
    private (int Position, bool WasInArray)[] _open = [];
    private int _depth;
    private bool _isInArray;

    private protected FieldBuilder(bool isArray) => _isArray = _isInArray = isArray;

    private protected (byte[] Bytes, int Length) Built
    {
        get
        {
            if (_depth != 0)
            {
                ThrowNotEnded();
            }

            return (_buffer.Bytes, _buffer.Length);
        }
    }

    /// <summary>Adds a field to the table that is open.</summary>
    /// <param name="key">
    /// The name, up to 255 bytes of UTF-8. The specification has up to 128 letters, digits, '$', '#' and '_', beginning with no digit;
    /// RabbitMQ does not require that, and its own names ("x-death") do not follow it, so it is not required here.
    /// </param>
    /// <param name="value">The value.</param>
    /// <exception cref="ArgumentException">The key is null or too long, or the key or a text has an unpaired surrogate.</exception>
    /// <exception cref="InvalidOperationException">An array is open.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(AmqpString key, in FieldValue value)
    {
        CheckKey(key);
        AddField(key, value);
    }

    /// <summary>Adds a value to the array that is open.</summary>
    /// <exception cref="ArgumentException">A text has an unpaired surrogate.</exception>
    /// <exception cref="InvalidOperationException">A table is open.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(in FieldValue value) => AddField(default, value);

    /// <summary>Begins a table as a field of the open table: later additions go into it, until <see cref="End"/>.</summary>
    /// <exception cref="ArgumentException">The key is null or too long, or has an unpaired surrogate.</exception>
    /// <exception cref="InvalidOperationException">An array is open, or 64 are nested already.</exception>
    public void BeginTable(AmqpString key)
    {
        CheckKey(key);
        BeginContainer(key, FieldType.Table);
    }

    /// <summary>Begins a table as a value of the open array: later additions go into it, until <see cref="End"/>.</summary>
    /// <exception cref="InvalidOperationException">A table is open, or 64 are nested already.</exception>
    public void BeginTable() => BeginContainer(default, FieldType.Table);

    /// <summary>
    /// Begins an array as a field of the open table: later additions go into it, until <see cref="End"/>.
    /// </summary>
    /// <exception cref="ArgumentException">The key is null or too long, or has an unpaired surrogate.</exception>
    /// <exception cref="InvalidOperationException">An array is open, or 64 are nested already.</exception>
    public void BeginArray(AmqpString key)
    {
        CheckKey(key);
        BeginContainer(key, FieldType.Array);
    }

    /// <summary>
    /// Begins an array as a value of the open array: later additions go into it, until <see cref="End"/>.
    /// </summary>
    /// <exception cref="InvalidOperationException">A table is open, or 64 are nested already.</exception>
    public void BeginArray() => BeginContainer(default, FieldType.Array);

    /// <summary>Ends the nested table or array that began last.</summary>
    /// <exception cref="InvalidOperationException">None has begun.</exception>
    public void End()
    {
        if (_depth == 0)
        {
            throw new InvalidOperationException("No nested table or array has begun.");
        }

        (int position, _isInArray) = _open[--_depth];
        NetworkOrder.Write(_buffer.Whole[position..], (uint)(_buffer.Length - position - sizeof(uint)));
    }

    /// <summary>Removes everything, for the next table or array. The memory is kept.</summary>
    public void Clear()
    {
        _buffer.Length = 0;
        _depth = 0;
        _isInArray = _isArray;
    }

    /// <summary>Adds a field, or a value where there is no key.</summary>
    // Out of line: a program has many calls of Add, in which only the value is made. The usual types are handled here without a call, so
    // that no registers are saved for one.
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void AddField(AmqpString key, in FieldValue value)
    {
        GrowingBuffer buffer = _buffer;
        byte[] array = buffer.Bytes;
        int start = buffer.Length;
        FieldType type = value.Type;
        int size = FieldTypes.SizeOf(type);
        if (size < FieldTypes.Variable && array.Length - start >= MaxHead && !_isInArray)
        {
            ref byte room = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(array), start);
            if (TryWriteShortKey(ref room, key, out int at))
            {
                Unsafe.Add(ref room, at) = (byte)type;
                StoreBits(ref Unsafe.Add(ref room, at + sizeof(FieldType)), value.Bits, size);
                buffer.Length = start + at + sizeof(FieldType) + size;
                return;
            }
        }

        AddSlow(key, value);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void AddSlow(AmqpString key, in FieldValue value)
    {
        int start = _buffer.Length;
        ref byte room = ref Reserve(start, MaxHead);
        int at = WriteKey(ref room, key);
        Unsafe.Add(ref room, at++) = (byte)value.Type;
        int size = FieldTypes.SizeOf(value.Type);
        if (size >= FieldTypes.Variable)
        {
            size = WriteContent(start, at, value.Content);
        }
        else
        {
            StoreBits(ref Unsafe.Add(ref room, at), value.Bits, size);
        }

        // The length is advanced last: a failure leaves the builder unchanged.
        _buffer.Length = start + at + size;
    }

    /// <summary>Begins a nested table or array, with a key or without.</summary>
    internal void BeginContainer(AmqpString key, FieldType type)
    {
        if (_depth == FieldTypes.MaxDepth - 1)
        {
            throw new InvalidOperationException(
                $"Tables and arrays can be nested at most {FieldTypes.MaxDepth} deep: does one contain itself?");
        }

        int start = _buffer.Length;
        ref byte room = ref Reserve(start, MaxHead);
        int at = WriteKey(ref room, key);
        Unsafe.Add(ref room, at++) = (byte)type;
        if (_open.Length == 0)
        {
            _open = new (int, bool)[FieldTypes.MaxDepth - 1];
        }

        _open[_depth++] = (start + at, _isInArray);
        _isInArray = type == FieldType.Array;
        _buffer.Length = start + at + sizeof(uint);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CheckKey(AmqpString key)
    {
        if (key.IsNull)
        {
            ThrowNullKey(nameof(key));
        }
    }

    // One store of eight bytes for every size: surplus bytes are overwritten by the next field.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void StoreBits(ref byte room, ulong bits, int size) =>
        NetworkOrder.Store(ref room, bits << (8 * (sizeof(ulong) - size)));

    // False, after any partial output, when a call is needed.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool TryWriteShortKey(ref byte room, AmqpString key, out int written)
    {
        (object? source, int start, int length) = key;
        ref byte destination = ref Unsafe.Add(ref room, sizeof(byte));
        bool isWritten;
        if (source is string text)
        {
            length = text.Length;
            isWritten = length <= Domains.MaxShortString && ShortText.TryEncode(text, ref destination);
        }
        else
        {
            isWritten =
                source is not null && ShortText.TryCopy(new ReadOnlySpan<byte>(Unsafe.As<byte[]>(source), start, length), ref destination);
        }

        room = (byte)length;
        written = sizeof(byte) + length;
        return isWritten;
    }

    // No key takes no bytes.
    private int WriteKey(ref byte room, AmqpString key)
    {
        if (_isInArray != key.IsNull)
        {
            ThrowWrongContainer();
        }

        if (key.IsNull)
        {
            return 0;
        }

        if (!TryWriteShortKey(ref room, key, out int written))
        {
            int length = EncodeKey(ref Unsafe.Add(ref room, sizeof(byte)), key);
            room = (byte)length;
            written = sizeof(byte) + length;
        }

        return written;
    }

    // Out of line: keys that are long, or not ASCII.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static int EncodeKey(ref byte destination, AmqpString key)
    {
        if (!key.TryCopyTo(MemoryMarshal.CreateSpan(ref destination, Domains.MaxShortString), out int length))
        {
            ThrowHelper.TooLongForShortString(key.ByteCount);
        }

        return length;
    }

    private int WriteContent(int start, int at, AmqpString content)
    {
        (object? source, int from, int length) = content;
        at += sizeof(uint);
        if (source is string text)
        {
            length = text.Length <= MaxShort && ShortText.TryEncode(text, ref Unsafe.Add(ref Reserve(start, MaxHead + MaxShort), at))
                ? text.Length
                : EncodeContent(start, at, content);
        }
        else
        {
            ref byte room = ref Reserve(start, checked(at + length));
            new ReadOnlySpan<byte>(Unsafe.As<byte[]?>(source), from, length).CopyTo(
                MemoryMarshal.CreateSpan(ref Unsafe.Add(ref room, at), length));
        }

        NetworkOrder.Store(ref Unsafe.Add(ref Reserve(start, at), at - sizeof(uint)), (uint)length);
        return sizeof(uint) + length;
    }

    // Out of line: texts that are long or not ASCII. Counted only where room may be short: usually the text is scanned once.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int EncodeContent(int start, int at, AmqpString content)
    {
        if (!content.TryCopyTo(_buffer.Whole[(start + at)..], out int length))
        {
            length = content.ByteCount;
            Reserve(start, checked(at + length));
            content.CopyTo(_buffer.Whole[(start + at)..]);
        }

        return length;
    }

    // Later writes are not checked again: the position is passed in rather than read each time, so that a builder misused by several
    // threads still writes inside its array.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private ref byte Reserve(int start, int size)
    {
        Span<byte> whole = _buffer.Whole;
        if (whole.Length - start < size)
        {
            whole = Grow(start, size);
        }

        return ref Unsafe.Add(ref MemoryMarshal.GetReference(whole), start);
    }

    // Out of line: a reused builder has room.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private Span<byte> Grow(int start, int size)
    {
        _buffer.Grow(size);
        Span<byte> whole = _buffer.Whole;
        return whole.Length - start >= size
            ? whole
            : throw new InvalidOperationException("The builder is used by several threads at once: give each its own.");
    }

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ThrowNotEnded() =>
        throw new InvalidOperationException($"{_depth} nested tables or arrays have begun and not ended: call End for each.");

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ThrowNullKey(string parameter) => throw new ArgumentException("The key of a field is null.", parameter);

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void ThrowWrongContainer() => throw new InvalidOperationException(_isInArray
        ? "An array is open, and its values have no keys: add without a key, or end the array first."
        : "A table is open, and its fields have keys: add with a key, or end the table first.");
}

/// <summary>Builds a <see cref="FieldTable"/>: see <see cref="FieldBuilder"/>.</summary>
/// <remarks>A key that is added twice is written twice: see <see cref="FieldTable"/>.</remarks>
public sealed class FieldTableBuilder : FieldBuilder
{
    /// <summary>Begins an empty table.</summary>
    public FieldTableBuilder()
        : base(isArray: false)
    {
    }

    /// <summary>Gets the result as a view, valid until the builder is changed.</summary>
    /// <exception cref="InvalidOperationException">A nested table or array has not ended.</exception>
    public FieldTable Table
    {
        get
        {
            (byte[] bytes, int length) = Built;
            return new FieldTable(bytes, 0, length, 0);
        }
    }

    /// <summary>Copies the result.</summary>
    /// <exception cref="InvalidOperationException">A nested table or array has not ended.</exception>
    public FieldTable ToTable() => new(Table.Encoded.ToArray());
}

/// <summary>Builds a <see cref="FieldArray"/>: see <see cref="FieldBuilder"/>.</summary>
public sealed class FieldArrayBuilder : FieldBuilder
{
    /// <summary>Begins an empty array.</summary>
    public FieldArrayBuilder()
        : base(isArray: true)
    {
    }

    /// <summary>Gets the result as a view, valid until the builder is changed.</summary>
    /// <exception cref="InvalidOperationException">A nested table or array has not ended.</exception>
    public FieldArray Array
    {
        get
        {
            (byte[] bytes, int length) = Built;
            return new FieldArray(bytes, 0, length, 0);
        }
    }

    /// <summary>Copies the result.</summary>
    /// <exception cref="InvalidOperationException">A nested table or array has not ended.</exception>
    public FieldArray ToArray() => new(Array.Encoded.ToArray());
}
