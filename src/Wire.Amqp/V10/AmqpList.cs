using Wire.Amqp.Primitives;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>
/// Consecutive values, as in a message, decoded on demand. Make one with <see cref="AmqpBuilder"/> or <see cref="AmqpValue.List"/>. The
/// default is empty.
/// </summary>
/// <remarks>
/// One that was read is a view of the input and is valid as long as that is. Enumerating it allocates nothing. Thread-safe while the
/// bytes are not modified. A complete enumeration checks that its elements fill it exactly.
/// </remarks>
public readonly struct AmqpList : IEquatable<AmqpList>
{
    private readonly AmqpValue _value;

    internal AmqpList(in AmqpValue value)
    {
        _value = value;
        Count = Container.Count(value);
    }

    /// <summary>Gets the number of elements.</summary>
    public int Count { get; }

    internal AmqpValue Value => _value.IsNull ? Container.EmptyList : _value;

    /// <summary>Gets an element. Earlier ones are skipped: to enumerate all, use foreach.</summary>
    /// <exception cref="ArgumentOutOfRangeException">There is no such element.</exception>
    /// <exception cref="AmqpFormatException">The bytes of the element, or of earlier ones, are not valid values.</exception>
    public AmqpValue this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfNegative(index);
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(index, Count);
            ArrayReader reader = Container.Open(Value, out _);
            for (; index > 0; index--)
            {
                reader.SkipValue();
            }

            return reader.ReadValue();
        }
    }

    /// <summary>Returns whether both have equal elements.</summary>
    public static bool operator ==(AmqpList left, AmqpList right) => left.Equals(right);

    /// <summary>Returns whether they differ.</summary>
    public static bool operator !=(AmqpList left, AmqpList right) => !left.Equals(right);

    /// <summary>Enumerates the elements.</summary>
    public Enumerator GetEnumerator() => new(Value, Count);

    /// <inheritdoc/>
    public bool Equals(AmqpList other) => Value.Equals(other.Value, 0);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is AmqpList other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Count;

    /// <summary>Enumerates the elements of a list.</summary>
    public struct Enumerator
    {
        private ArrayReader _reader;
        private int _left;
        private AmqpValue _current;

        internal Enumerator(scoped in AmqpValue value, int count)
        {
            _reader = Container.Open(value, out _);
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

            _current = _reader.ReadValue();
            return true;
        }
    }
}
