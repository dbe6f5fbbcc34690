using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>
/// Keys and values in an order that is significant, as they lie in a message: they are decoded when they are asked for. Make one with <see
/// cref="AmqpBuilder"/> or <see cref="AmqpValue.Map"/>. The default is empty.
/// </summary>
/// <remarks>
/// One that was read is a view of the input and is valid as long as that is. Searching and enumerating it allocates nothing.
/// Thread-safe while the bytes are not modified. A complete enumeration checks that its entries fill it exactly.
/// </remarks>
public readonly struct AmqpMap : IEquatable<AmqpMap>
{
    private readonly AmqpValue _value;

    internal AmqpMap(in AmqpValue value)
    {
        _value = value;
        int count = Container.Count(value);
        if ((count & 1) != 0)
        {
            ThrowHelper.Format(AmqpFormatError.Value, value.Offset, $"Expected a value for each key of a map, found a count of {count}");
        }

        Count = count / 2;
    }

    /// <summary>Gets the number of entries.</summary>
    public int Count { get; }

    internal AmqpValue Value => _value.IsNull ? Container.EmptyMap : _value;

    /// <summary>The value of the first entry with a key. A string is another key than the symbol of the same text.</summary>
    /// <exception cref="KeyNotFoundException">There is none.</exception>
    /// <exception cref="AmqpFormatException">Skipped bytes are not valid values.</exception>
    public AmqpValue this[AmqpValue key] =>
        TryGetValue(key, out AmqpValue value) ? value : throw new KeyNotFoundException($"The map has no key {key}.");

    /// <summary>Returns whether both have equal entries in the same order.</summary>
    public static bool operator ==(AmqpMap left, AmqpMap right) => left.Equals(right);

    /// <summary>Returns whether they differ.</summary>
    public static bool operator !=(AmqpMap left, AmqpMap right) => !left.Equals(right);

    /// <summary>
    /// Searches the first entry with a key, from the beginning. A string is another key than the symbol of the same text.
    /// </summary>
    /// <exception cref="AmqpFormatException">Skipped bytes are not valid values.</exception>
    public bool TryGetValue(in AmqpValue key, out AmqpValue value)
    {
        ArrayReader reader = Container.Open(Value, out _);
        for (int left = Count; left > 0; left--)
        {
            if (reader.ReadValue().Equals(key, 0))
            {
                value = reader.ReadValue();
                return true;
            }

            reader.SkipValue();
        }

        Container.CheckEnd(reader);
        value = default;
        return false;
    }

    /// <summary>Goes through the entries.</summary>
    public Enumerator GetEnumerator() => new(Value, Count);

    /// <inheritdoc/>
    public bool Equals(AmqpMap other) => Value.Equals(other.Value, 0);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is AmqpMap other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() => Count;

    /// <summary>Goes through the entries of a map.</summary>
    public struct Enumerator
    {
        private AmqpList.Enumerator _values;
        private AmqpValue _key;

        internal Enumerator(scoped in AmqpValue value, int count) => _values = new AmqpList.Enumerator(value, count * 2);

        /// <summary>The entry.</summary>
        public readonly KeyValuePair<AmqpValue, AmqpValue> Current => new(_key, _values.Current);

        /// <summary>Keys and values in turns.</summary>
        internal readonly AmqpList.Enumerator Values => _values;

        /// <summary>Goes to the next entry, if there is one.</summary>
        /// <exception cref="AmqpFormatException">Its bytes are not valid values, or more follows the last entry.</exception>
        public bool MoveNext()
        {
            if (!_values.MoveNext())
            {
                return false;
            }

            _key = _values.Current;
            return _values.MoveNext();
        }
    }
}
