using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>
/// Values of one type under one constructor, as they lie in a message: they are decoded when they are asked for. Make one with <see
/// cref="AmqpBuilder"/> or <see cref="AmqpValue.Array"/>. The default is empty.
/// </summary>
/// <remarks>
/// One that was read is a view of the input and is valid as long as that is. Enumerating it allocates nothing. Thread-safe while the
/// bytes are not modified. Elements that take no bytes, such as null, may be at most <see cref="MaxElementsWithoutBytes"/>: otherwise a few
/// bytes could ask for four billion of them, and many short arrays in one still for thousands of times their size.
/// </remarks>
public readonly struct AmqpArray : IEquatable<AmqpArray>
{
    /// <summary>The number of elements that an array may have that take no bytes: those of the constructors 0x40 to 0x45.</summary>
    public const int MaxElementsWithoutBytes = 64;

    private readonly AmqpValue _value;
    private readonly byte _code;

    internal AmqpArray(in AmqpValue value)
    {
        _value = value;
        ArrayReader reader = Open(value, out uint count, out bool described, out _code);
        ElementType = described ? AmqpType.Described : Constructor.TypeOf(_code);
        int width = Constructor.FixedWidth(_code);
        if (Constructor.TypeOf(_code) == Constructor.Unknown)
        {
            ValueReader.ThrowUnknown(reader.Offset - 1, _code);
        }

        if (width == 0
            ? count > MaxElementsWithoutBytes || !reader.IsAtEnd
            : width > 0 ? count * (long)width != reader.Remaining : count * (long)Constructor.SizeWidth(_code) > reader.Remaining)
        {
            ThrowHelper.Format(
                AmqpFormatError.Length,
                reader.Offset,
                $"Expected the {count} elements that an array states, each {Constructor.Name(_code)}, found {reader.Remaining} bytes");
        }

        Count = (int)count;
    }

    /// <summary>Gets the number of elements.</summary>
    public int Count { get; }

    /// <summary>
    /// The type of all elements. For <see cref="AmqpType.Described"/> each element says its descriptor, which is the same for all.
    /// </summary>
    public AmqpType ElementType { get; }

    internal AmqpValue Value => _value.IsNull ? Container.EmptyArray : _value;

    /// <summary>Gets whether all elements are the same, as those are that take no bytes.</summary>
    internal bool IsUniform => Constructor.FixedWidth(_code) == 0;

    /// <summary>Goes through the elements without the descriptors that they share.</summary>
    internal Enumerator Undescribed => new(Value, Count, undescribed: true);

    /// <summary>Gets an element. Earlier ones are skipped if they vary in width: to enumerate all, use foreach.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    /// <exception cref="AmqpFormatException">The bytes of the element, or of earlier ones, are not valid values.</exception>
    public AmqpValue this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfNegative(index);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Count);
            Enumerator elements = GetEnumerator();
            return elements.At(index);
        }
    }

    /// <summary>Returns whether both have the same type and equal elements.</summary>
    public static bool operator ==(AmqpArray left, AmqpArray right) => left.Equals(right);

    /// <summary>Returns whether they differ.</summary>
    public static bool operator !=(AmqpArray left, AmqpArray right) => !left.Equals(right);

    /// <summary>Enumerates the elements.</summary>
    public Enumerator GetEnumerator() => new(Value, Count);

    /// <inheritdoc/>
    public bool Equals(AmqpArray other) => Value.Equals(other.Value, 0);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is AmqpArray other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Count;

    /// <summary>Begins to read the elements.</summary>
    internal static ArrayReader Open(scoped in AmqpValue value, out uint count, out bool described, out byte code)
    {
        ArrayReader reader = Container.Open(value, out count);
        described = reader.Peek<byte>() == Constructor.Described;
        code = reader.SkipConstructor();
        return reader;
    }

    /// <summary>Goes through the elements of an array.</summary>
    public struct Enumerator
    {
        private readonly ArraySegment<byte> _array;
        private readonly long _offset;
        private readonly int _constructor;
        private readonly bool _described;
        private readonly byte _code;
        private ArrayReader _reader;
        private int _left;
        private AmqpValue _current;

        internal Enumerator(scoped in AmqpValue value, int count, bool undescribed = false)
        {
            _array = value.Segment;
            _offset = value.Offset;
            _constructor = Constructor.SizeWidth(value.Code);
            _reader = Open(value, out _, out bool described, out _code);
            _described = described && !undescribed;
            _left = count;
        }

        /// <summary>The element.</summary>
        public readonly AmqpValue Current => _current;

        /// <summary>Moves to the next element, if there is one.</summary>
        /// <exception cref="AmqpFormatException">Its bytes are not valid values, or more follows the last element.</exception>
        public bool MoveNext()
        {
            if (--_left < 0)
            {
                Container.CheckEnd(_reader);
                return false;
            }

            _current = Read();
            return true;
        }

        internal AmqpValue At(int index)
        {
            int width = Constructor.FixedWidth(_code);
            if (width >= 0)
            {
                _reader.Skip((long)index * width);
                return Read();
            }

            for (; index > 0; index--)
            {
                _reader.SkipData(_code);
            }

            return Read();
        }

        private AmqpValue Read()
        {
            if (!_described)
            {
                return _reader.ReadData(_code);
            }

            // The constructor lies before the first element, and the data here.
            long start = _reader.Offset - _offset - _constructor;
            _reader.SkipData(_code);
            long end = _reader.Offset - _offset - _constructor;
            return AmqpValue.FromDescribed(
                _array.Array!, _array.Offset + _constructor, (int)start, (int)(end - start), _offset + _constructor);
        }
    }
}
