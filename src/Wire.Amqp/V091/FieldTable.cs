using System.Runtime.CompilerServices;
using Wire.Amqp.V091.Fields;
using Wire.Amqp.V091.Methods;

namespace Wire.Amqp.V091;

/// <summary>
/// Fields with names, as in a frame. A table is stored as its bytes: writing it is a copy, and fields are decoded on demand. The default is
/// the empty table. A <see cref="FieldTableBuilder"/> makes them.
/// </summary>
/// <remarks>
/// One that was read is a view of the input and is valid as long as that is. Thread-safe while the bytes are not modified. The bytes are
/// checked only while they are enumerated; damaged bytes end the enumeration with an
/// <see cref="AmqpFormatException"/>. If a key is repeated, which section 4.2.5.5 forbids, the bytes keep all fields and a lookup finds the
/// first one, as in RabbitMQ; RabbitMQ.Client takes the last. Two tables are equal when their bytes are.
/// </remarks>
public readonly struct FieldTable : IEquatable<FieldTable>
{
    private readonly byte[]? _bytes;
    private readonly int _start;
    private readonly int _length;
    private readonly long _offset;

    /// <summary>Makes a table from its encoding, which is not copied: do not change the bytes.</summary>
    /// <param name="encoded">The fields, without the length that stands before them in a frame.</param>
    public FieldTable(ReadOnlyMemory<byte> encoded)
        : this(encoded, 0)
    {
    }

    internal FieldTable(ReadOnlyMemory<byte> encoded, long offset)
    {
        (object? bytes, _start, _length) = new AmqpString(encoded);
        _bytes = (byte[]?)bytes;
        _offset = offset;
    }

    internal FieldTable(byte[]? bytes, int start, int length, long offset)
    {
        _bytes = bytes;
        _start = start;
        _length = length;
        _offset = offset;
    }

    /// <summary>The fields, without the length that stands before them in a frame.</summary>
    public ReadOnlyMemory<byte> Encoded => _bytes.AsMemory(_start, _length);

    /// <summary>
    /// Gets whether there is no table, as in a property that is not set; where a table is required, an empty one is written.
    /// </summary>
    public bool IsNull => _bytes is null;

    /// <summary>Gets whether there are no fields.</summary>
    public bool IsEmpty => _length == 0;

    /// <summary>Gets the number of fields. They are counted on each call.</summary>
    /// <exception cref="AmqpFormatException">The bytes are damaged.</exception>
    public int Count
    {
        get
        {
            int count = 0;
            for (FieldCursor cursor = Cursor; !cursor.IsAtEnd; count++)
            {
                cursor.ReadKey();
                cursor.SkipValue();
            }

            return count;
        }
    }

    internal ReadOnlySpan<byte> Span => _bytes.AsSpan(_start, _length);

    internal AmqpString Content => new(_bytes ?? [], _start, _length);

    private FieldCursor Cursor => new(_bytes, _start, _length, _offset);

    /// <summary>The value of the first field with this key.</summary>
    /// <exception cref="KeyNotFoundException">There is none.</exception>
    /// <exception cref="AmqpFormatException">The bytes before it are damaged.</exception>
    public FieldValue this[AmqpString key] =>
        TryGetValue(key, out FieldValue value) ? value : throw new KeyNotFoundException($"The table has no field '{key}'.");

    /// <summary>Returns whether the bytes of both are equal.</summary>
    public static bool operator ==(FieldTable left, FieldTable right) => left.Equals(right);

    /// <summary>Returns whether the bytes of both differ.</summary>
    public static bool operator !=(FieldTable left, FieldTable right) => !left.Equals(right);

    /// <summary>
    /// Makes a table of objects: of each type that converts to <see cref="FieldValue"/>, dictionaries and other collections.
    /// </summary>
    /// <exception cref="ArgumentException">
    /// A key is longer than 255 bytes, or a value has a type without a field type: the message names the key and the type.
    /// </exception>
    /// <exception cref="InvalidOperationException">Collections are nested deeper than 64, or contain themselves.</exception>
    public static FieldTable Create(IEnumerable<KeyValuePair<string, object?>> fields) => Create(fields, null);

    /// <summary>Makes a table of objects, also of types that do not convert to <see cref="FieldValue"/>.</summary>
    /// <param name="fields">The fields.</param>
    /// <param name="convert">
    /// Called for each value of another type, also within collections: returns the value to write, or null where it has none, which is an
    /// error then.
    /// </param>
    /// <inheritdoc cref="Create(IEnumerable{KeyValuePair{string, object?}})" path="/exception"/>
    public static FieldTable Create(IEnumerable<KeyValuePair<string, object?>> fields, Func<object, FieldValue?>? convert)
    {
        ArgumentNullException.ThrowIfNull(fields);
        var builder = new FieldTableBuilder();
        FieldObjects.AddAll(builder, fields, convert);

        // The builder is not shared, so its result need not be copied.
        return builder.Table;
    }

    /// <summary>
    /// Reads a length and a table, as in a method or a content header, without checking the fields.
    /// </summary>
    /// <exception cref="AmqpFormatException">The input ends before.</exception>
    public static FieldTable Read(ref AmqpReader reader) => reader.ReadTable();

    /// <summary>Writes a length of 32 bits and the table: 4 bytes more than <see cref="Encoded"/> has.</summary>
    /// <exception cref="ArgumentException">The destination is full.</exception>
    public void Write(ref AmqpWriter writer) => writer.WriteTable(this);

    /// <summary>Finds the first field with a key; the values before it are skipped without decoding.</summary>
    /// <exception cref="ArgumentException">The key is null or has an unpaired surrogate.</exception>
    /// <exception cref="AmqpFormatException">The bytes before it are damaged.</exception>
    public bool TryGetValue(AmqpString key, out FieldValue value)
    {
        if (key.IsNull)
        {
            throw new ArgumentException("The key to look for is null.", nameof(key));
        }

        Span<byte> room = stackalloc byte[Domains.MaxShortString];
        if (key.TryCopyTo(room, out int length))
        {
            ReadOnlySpan<byte> utf8 = room[..length];
            for (FieldCursor cursor = Cursor; !cursor.IsAtEnd; cursor.SkipValue())
            {
                if (cursor.ReadKeyEquals(utf8))
                {
                    value = cursor.ReadValue();
                    return true;
                }
            }
        }

        value = default;
        return false;
    }

    /// <summary>Returns all fields as objects of their own: see <see cref="FieldValue.ToObject()"/>.</summary>
    /// <exception cref="AmqpFormatException">
    /// The bytes are damaged, tables are nested deeper than 64, or a decimal has more than 28 places.
    /// </exception>
    public Dictionary<string, object?> ToDictionary() => ToDictionary(0);

    internal Dictionary<string, object?> ToDictionary(int depth)
    {
        FieldCursor cursor = Cursor;
        cursor.CheckDepth(++depth);
        var fields = new Dictionary<string, object?>(Count);
        while (!cursor.IsAtEnd)
        {
            AmqpString key = cursor.ReadKey();
            fields.TryAdd(key.ToString(), cursor.ReadValue().ToObject(depth));
        }

        return fields;
    }

    /// <summary>Enumerates the fields in the order of the bytes, without allocation.</summary>
    public Enumerator GetEnumerator() => new(Cursor);

    /// <inheritdoc/>
    public bool Equals(FieldTable other) => Span.SequenceEqual(other.Span);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is FieldTable other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => IsEmpty ? 0 : Content.GetHashCode();

    /// <summary>The size for people to read.</summary>
    public override string ToString() => $"table of {_length} bytes";

    /// <summary>A place among the fields of a table.</summary>
    public struct Enumerator
    {
        private FieldCursor _cursor;
        private AmqpString _key;
        private FieldValue _value;

        internal Enumerator(FieldCursor cursor) => _cursor = cursor;

        /// <summary>The field: its key and its value.</summary>
        public readonly KeyValuePair<AmqpString, FieldValue> Current => new(_key, _value);

        /// <summary>Moves to the next field; false when there is none.</summary>
        /// <exception cref="AmqpFormatException">The bytes are damaged.</exception>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public bool MoveNext()
        {
            if (_cursor.IsAtEnd)
            {
                return false;
            }

            _key = _cursor.ReadKey();
            _value = _cursor.ReadValue();
            return true;
        }
    }
}
