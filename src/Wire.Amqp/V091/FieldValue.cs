using System.Globalization;
using System.Runtime.CompilerServices;
using Wire.Amqp.V091.Fields;

namespace Wire.Amqp.V091;

/// <summary>
/// The value of a field in a table or an array: one of the types of <see cref="FieldType"/>, without boxing. Values of .NET types convert
/// to it; <c>As…</c> converts back. The default is <see cref="FieldType.Void"/>.
/// </summary>
/// <remarks>
/// A text, bytes, a table or an array that was read is a view of the input and is valid as long as that is. Thread-safe while the bytes are
/// not modified. Two are equal when they would be written as the same bytes: numbers of different types are not, nor are
/// <c>1.0</c> and <c>1.00</c>; NaN is equal to itself.
/// </remarks>
public readonly partial struct FieldValue : IEquatable<FieldValue>
{
    private const int OctetBits = 8;

    // Stored as the difference from this, so that the default, all zeros, means no value.
    private const byte DefaultType = (byte)FieldType.Void;

    // The string of a text, or the array with the bytes of a value with a length.
    private readonly object? _source;

    // The encoded bits, in the lowest bytes; or the offset and length of the bytes in the array.
    private readonly ulong _bits;

    // The octet of the type, and above it the position in the input plus one; 0 for a value without input.
    private readonly long _tag;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal FieldValue(FieldType type, ulong bits, long offset = -1)
    {
        _bits = bits;
        _tag = Tag(type, offset);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal FieldValue(FieldType type, object? source, int start, int length, long offset = -1)
    {
        _source = source;
        _bits = ((ulong)(uint)start << 32) | (uint)length;
        _tag = Tag(type, offset);
    }

    /// <summary>The type, as it stands or will stand before the value.</summary>
    public FieldType Type => (FieldType)((byte)_tag ^ DefaultType);

    /// <summary>Gets whether there is no value.</summary>
    public bool IsVoid => Type == FieldType.Void;

    /// <summary>The bits of a value of fixed size, in the lowest bytes.</summary>
    internal ulong Bits => _bits;

    /// <summary>Gets the content of a type with a length prefix: a text, or bytes.</summary>
    internal AmqpString Content => new(_source, (int)(_bits >> 32), (int)_bits);

    private long Offset => (_tag >> OctetBits) - 1;

    /// <summary>Returns whether both would be written as the same bytes.</summary>
    public static bool operator ==(FieldValue left, FieldValue right) => left.Equals(right);

    /// <summary>Returns whether both would be written as different bytes.</summary>
    public static bool operator !=(FieldValue left, FieldValue right) => !left.Equals(right);

    /// <inheritdoc/>
    public bool Equals(FieldValue other) =>
        Type == other.Type && (FieldTypes.SizeOf(Type) < FieldTypes.Variable ? _bits == other._bits : Content == other.Content);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => obj is FieldValue other && Equals(other);

    /// <inheritdoc/>
    public override int GetHashCode() =>
        FieldTypes.SizeOf(Type) < FieldTypes.Variable ? HashCode.Combine(Type, _bits) : HashCode.Combine(Type, Content);

    /// <summary>The value as readable text; for bytes, tables and arrays only their size. Never throws for bad bytes.</summary>
    public override string ToString() => Type switch
    {
        FieldType.Void => "void",
        FieldType.String => $"\"{Content}\"",
        FieldType.Bytes or FieldType.Table or FieldType.Array => $"{FieldTypes.Name(Type)} of {(uint)_bits} bytes",
        FieldType.Decimal when (_bits >> 32) > MaxScale => $"{(int)_bits}e-{_bits >> 32}",
        _ => Convert.ToString(ToObject(), CultureInfo.InvariantCulture)!,
    };

    private static long Tag(FieldType type, long offset) => ((offset + 1) << OctetBits) | (byte)((byte)type ^ DefaultType);
}
