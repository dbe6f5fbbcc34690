using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Amqp.Errors;
using Wire.Amqp.Primitives;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

// An operation on a present value.
public readonly partial struct AmqpValue
{
    /// <summary>Gets the descriptor of a described value; null otherwise. Usually a ulong or a symbol.</summary>
    /// <exception cref="AmqpFormatException">The bytes of the descriptor are none.</exception>
    public AmqpValue Descriptor
    {
        get
        {
            if (_type != AmqpType.Described)
            {
                return default;
            }

            ArrayReader reader = OpenConstructor();
            return reader.ReadValue();
        }
    }

    /// <summary>The value without its (outermost) descriptor; of one that is not described, itself.</summary>
    /// <exception cref="AmqpFormatException">The bytes of the value are none.</exception>
    public AmqpValue Undescribed
    {
        get
        {
            if (_type != AmqpType.Described)
            {
                return this;
            }

            ArrayReader constructor = OpenConstructor();
            constructor.SkipValue();
            int inner = (int)(constructor.Offset - (long)_high);
            if (constructor.Peek<byte>() == Constructor.Described)
            {
                return new AmqpValue(_type, _source, Start, Length, Constructor.Described, (long)_high + inner, _constructor + inner);
            }

            byte code = constructor.Read<byte>();
            ArrayReader reader = Open((long)_high + Start - _constructor);
            return reader.ReadData(code);
        }
    }

    /// <summary>Returns whether both are equal.</summary>
    public static bool operator ==(in AmqpValue left, in AmqpValue right) => left.Equals(right, 0);

    /// <summary>Returns whether they differ.</summary>
    public static bool operator !=(in AmqpValue left, in AmqpValue right) => !left.Equals(right, 0);

    /// <summary>Makes a described value.</summary>
    /// <param name="descriptor">What it means.</param>
    /// <param name="value">The value.</param>
    public static AmqpValue Describe(in AmqpValue descriptor, in AmqpValue value) =>
        new AmqpBuilder().Describe(descriptor).Add(value).Build();

    /// <summary>Makes a list of values.</summary>
    public static AmqpList List(params ReadOnlySpan<AmqpValue> values)
    {
        AmqpBuilder builder = new AmqpBuilder().BeginList();
        foreach (ref readonly AmqpValue value in values)
        {
            builder.Add(value);
        }

        return builder.End().Build().As<AmqpList>();
    }

    /// <summary>Makes a map of keys and values in this order.</summary>
    public static AmqpMap Map(params ReadOnlySpan<(AmqpValue Key, AmqpValue Value)> entries)
    {
        AmqpBuilder builder = new AmqpBuilder().BeginMap();
        foreach (ref readonly (AmqpValue Key, AmqpValue Value) entry in entries)
        {
            builder.Add(entry.Key, entry.Value);
        }

        return builder.End().Build().As<AmqpMap>();
    }

    /// <summary>Makes an array of values of one type.</summary>
    /// <exception cref="ArgumentException">One of them has another type.</exception>
    public static AmqpArray Array(AmqpType type, params ReadOnlySpan<AmqpValue> values)
    {
        AmqpBuilder builder = new AmqpBuilder().BeginArray(type);
        foreach (ref readonly AmqpValue value in values)
        {
            builder.Add(value);
        }

        return builder.End().Build().As<AmqpArray>();
    }

    /// <summary>
    /// Makes a value of an object: of each type that converts to <see cref="AmqpValue"/>; a map of a dictionary or of key-value pairs; a
    /// list of any other collection; a described value of a <see cref="DescribedObject"/>. What <see cref="ToObject"/> makes of a value is
    /// restored as such, except arrays, which become lists.
    /// </summary>
    /// <exception cref="ArgumentException">
    /// An object is of a type that AMQP 1.0 does not have: the message names the type, and the key that it is at.
    /// </exception>
    /// <exception cref="InvalidOperationException">Collections are inside each other more than 64 times, or contain themselves.</exception>
    public static AmqpValue From(object? value) => ValueObjects.ToValue(value);

    /// <summary>The contents, when they have the type that <typeparamref name="T"/> stands for; no conversion takes place.</summary>
    /// <typeparam name="T">
    /// The .NET number, <see cref="bool"/>, <see cref="Decimal32"/> and its relatives, <see cref="System.Text.Rune"/>,
    /// <see cref="Timestamp"/>,
    /// <see cref="Guid"/>; <see cref="string"/> or <see cref="AmqpString"/>; <see cref="AmqpSymbol"/>; <c>byte[]</c> (a copy) or
    /// <see cref="ReadOnlyMemory{T}"/> of bytes; <see cref="AmqpList"/>, <see cref="AmqpMap"/>, <see cref="AmqpArray"/>.
    /// </typeparam>
    /// <exception cref="ArgumentException"><typeparamref name="T"/> is none of these.</exception>
    /// <exception cref="AmqpFormatException">The type is right, and the count of a list, map or array is not.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGet<T>([MaybeNullWhen(false)] out T value) => TryRead(out _, out value);

    /// <summary>The contents, which have to be of the type that <typeparamref name="T"/> stands for, as for <see cref="TryGet"/>.</summary>
    /// <exception cref="ArgumentException"><typeparamref name="T"/> stands for no type of AMQP.</exception>
    /// <exception cref="AmqpFormatException">The value is of another type, or the count of a list, map or array is wrong.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T As<T>()
    {
        if (!TryRead<T>(out AmqpType expected, out T? value))
        {
            ThrowUnexpected(expected);
        }

        return value;
    }

    /// <summary>
    /// The value as an object: null, a boxed number, <see cref="string"/>, <see cref="AmqpSymbol"/>, <c>byte[]</c>; <c>object?[]</c> for
    /// lists and arrays; <c>KeyValuePair&lt;object?, object?&gt;[]</c> for maps, whose order is significant and whose keys may be anything;
    /// and <see cref="DescribedObject"/>. Nothing in it refers to the input.
    /// </summary>
    /// <exception cref="AmqpFormatException">Bytes inside are not valid, or values are nested deeper than 64.</exception>
    public object? ToObject() => Materializer.ToObject(this, 0);

    /// <summary>Copies the value, to be kept longer than the input.</summary>
    public AmqpValue Copy() => _source is byte[]? new AmqpBuilder().Add(this).Build() : this;

    /// <inheritdoc/>
    /// <exception cref="AmqpFormatException">
    /// Bytes within lists, maps and so on are not valid values, or are nested deeper than 64.
    /// </exception>
    public bool Equals(AmqpValue other) => Equals(other, 0);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is AmqpValue other && Equals(other, 0);

    /// <inheritdoc/>
    public override int GetHashCode() => _type switch
    {
        // Without the contents: to find them may take long and may fail.
        >= AmqpType.List => (int)_type,
        AmqpType.String or AmqpType.Symbol => HashCode.Combine(_type, Text),
        AmqpType.Binary => HashCode.Combine(_type, new AmqpString(Memory)),
        _ => HashCode.Combine(_type, _low, _high),
    };

    /// <summary>The value for messages; long or nested values are shown as their type.</summary>
    public override string ToString() => _type switch
    {
        AmqpType.Null => "null",
        AmqpType.Binary => $"binary of {Length} bytes",
        >= AmqpType.List => Constructor.Name(_type),
        _ => string.Create(System.Globalization.CultureInfo.InvariantCulture, $"{ToObject()}"),
    };

    internal bool Equals(in AmqpValue other, int depth)
    {
        if (_type != other._type)
        {
            return false;
        }

        return _type switch
        {
            >= AmqpType.List => Materializer.AreEqual(this, other, depth),
            AmqpType.String or AmqpType.Symbol => Text.Equals(other.Text),
            AmqpType.Binary => Span.SequenceEqual(other.Span),
            _ => _low == other._low && _high == other._high,
        };
    }

    /// <summary>The bytes of a described value: its constructor, and the data.</summary>
    internal void GetParts(out ReadOnlySpan<byte> constructor, out ReadOnlySpan<byte> data)
    {
        ArrayReader reader = OpenConstructor(0);
        reader.SkipConstructor();
        constructor = ((byte[]?)_source).AsSpan(_constructor, (int)(reader.Offset - (long)_high));
        data = Span;
    }

    private ArrayReader OpenConstructor(int from = 1) =>
        new((byte[]?)_source ?? [], _constructor + from, Start + Length - _constructor - from, (long)_high + from);

    [DoesNotReturn]
    private void ThrowUnexpected(AmqpType expected) =>
        ThrowHelper.Format(
            AmqpFormatError.UnexpectedType, Offset, $"Expected {Constructor.Name(expected)}, found {Constructor.Name(_type)}");
}
