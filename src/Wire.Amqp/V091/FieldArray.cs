using System.Collections;
using System.Runtime.CompilerServices;
using Wire.Amqp.V091.Fields;

namespace Wire.Amqp.V091;

/// <summary>
/// Values without names, as in a frame. An array is stored as its bytes: writing it is a copy, and values are decoded on demand. The
/// default is the empty array. A <see cref="FieldArrayBuilder"/> makes them.
/// </summary>
/// <remarks>What <see cref="FieldTable"/> says of views, damaged bytes, threads and equality holds here, too.</remarks>
public readonly struct FieldArray : IEquatable<FieldArray>
{
    private readonly byte[]? _bytes;
    private readonly int _start;
    private readonly int _length;
    private readonly long _offset;

    /// <summary>Makes an array from its encoding, which is not copied: do not change the bytes.</summary>
    /// <param name="encoded">The values, without the length that stands before them in a frame.</param>
    public FieldArray(ReadOnlyMemory<byte> encoded)
    {
        (object? bytes, _start, _length) = new AmqpString(encoded);
        _bytes = (byte[]?)bytes;
    }

    internal FieldArray(byte[]? bytes, int start, int length, long offset)
    {
        _bytes = bytes;
        _start = start;
        _length = length;
        _offset = offset;
    }

    /// <summary>The values, without the length that stands before them in a frame.</summary>
    public ReadOnlyMemory<byte> Encoded => _bytes.AsMemory(_start, _length);

    /// <summary>Gets whether there are no values.</summary>
    public bool IsEmpty => _length == 0;

    /// <summary>Gets the number of values. They are counted on each call.</summary>
    /// <exception cref="AmqpFormatException">The bytes are damaged.</exception>
    public int Count
    {
        get
        {
            int count = 0;
            for (FieldCursor cursor = Cursor; !cursor.IsAtEnd; count++)
            {
                cursor.SkipValue();
            }

            return count;
        }
    }

    internal AmqpString Content => new(_bytes ?? [], _start, _length);

    private FieldCursor Cursor => new(_bytes, _start, _length, _offset);

    /// <summary>Returns whether the bytes of both are equal.</summary>
    public static bool operator ==(FieldArray left, FieldArray right) => left.Equals(right);

    /// <summary>Returns whether the bytes of both differ.</summary>
    public static bool operator !=(FieldArray left, FieldArray right) => !left.Equals(right);

    /// <summary>
    /// Makes an array of objects: of each type that converts to <see cref="FieldValue"/>, dictionaries and other collections.
    /// </summary>
    /// <exception cref="ArgumentException">A value is of a type that no field has.</exception>
    /// <exception cref="InvalidOperationException">Collections are nested deeper than 64, or contain themselves.</exception>
    public static FieldArray Create(IEnumerable values)
    {
        ArgumentNullException.ThrowIfNull(values);
        var builder = new FieldArrayBuilder();
        FieldObjects.AddAll(builder, values, "");
        return builder.Array;
    }

    /// <summary>Returns all values as objects of their own: see <see cref="FieldValue.ToObject()"/>.</summary>
    /// <exception cref="AmqpFormatException">
    /// The bytes are damaged, arrays are nested deeper than 64, or a decimal has more than 28 places.
    /// </exception>
    public List<object?> ToList() => ToList(0);

    internal List<object?> ToList(int depth)
    {
        FieldCursor cursor = Cursor;
        cursor.CheckDepth(++depth);
        var values = new List<object?>(Count);
        while (!cursor.IsAtEnd)
        {
            values.Add(cursor.ReadValue().ToObject(depth));
        }

        return values;
    }

    /// <summary>Enumerates the values in the order of the bytes, without allocation.</summary>
    public Enumerator GetEnumerator() => new(Cursor);

    /// <inheritdoc/>
    public bool Equals(FieldArray other) => Encoded.Span.SequenceEqual(other.Encoded.Span);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is FieldArray other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => IsEmpty ? 0 : Content.GetHashCode();

    /// <summary>The size for people to read.</summary>
    public override string ToString() => $"array of {_length} bytes";

    /// <summary>A place among the values of an array.</summary>
    public struct Enumerator
    {
        private FieldCursor _cursor;
        private FieldValue _value;

        internal Enumerator(FieldCursor cursor) => _cursor = cursor;

        /// <summary>The value.</summary>
        public readonly FieldValue Current => _value;

        /// <summary>Moves to the next value; false when there is none.</summary>
        /// <exception cref="AmqpFormatException">The bytes are damaged.</exception>
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public bool MoveNext()
        {
            if (_cursor.IsAtEnd)
            {
                return false;
            }

            _value = _cursor.ReadValue();
            return true;
        }
    }
}
