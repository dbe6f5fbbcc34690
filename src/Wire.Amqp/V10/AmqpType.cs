namespace Wire.Amqp.V10;

/// <summary>
/// The types of AMQP 1.0, under the names of its specification (part 1 section 1.6). Beware: <see cref="Byte"/> is signed there.
/// </summary>
public enum AmqpType : byte
{
    /// <summary>null: no value.</summary>
    Null,

    /// <summary>boolean.</summary>
    Boolean,

    /// <summary>ubyte: unsigned, 8 bits (<see cref="byte"/>).</summary>
    UByte,

    /// <summary>ushort: unsigned, 16 bits.</summary>
    UShort,

    /// <summary>uint: unsigned, 32 bits.</summary>
    UInt,

    /// <summary>ulong: unsigned, 64 bits.</summary>
    ULong,

    /// <summary>byte: signed, 8 bits (<see cref="sbyte"/>).</summary>
    Byte,

    /// <summary>short: signed, 16 bits.</summary>
    Short,

    /// <summary>int: signed, 32 bits.</summary>
    Int,

    /// <summary>long: signed, 64 bits.</summary>
    Long,

    /// <summary>float: IEEE 754 binary32.</summary>
    Float,

    /// <summary>double: IEEE 754 binary64.</summary>
    Double,

    /// <summary>decimal32: IEEE 754 decimal32, 7 digits.</summary>
    Decimal32,

    /// <summary>decimal64: IEEE 754 decimal64, 16 digits.</summary>
    Decimal64,

    /// <summary>decimal128: IEEE 754 decimal128, 34 digits.</summary>
    Decimal128,

    /// <summary>char: one Unicode scalar value (<see cref="System.Text.Rune"/>).</summary>
    Char,

    /// <summary>timestamp: milliseconds since 1970.</summary>
    Timestamp,

    /// <summary>uuid (<see cref="Guid"/>).</summary>
    Uuid,

    /// <summary>binary: any bytes.</summary>
    Binary,

    /// <summary>string: Unicode text.</summary>
    String,

    /// <summary>symbol: ASCII text from a constrained domain.</summary>
    Symbol,

    /// <summary>list: values one after the other.</summary>
    List,

    /// <summary>map: keys and values.</summary>
    Map,

    /// <summary>array: values of one type.</summary>
    Array,

    /// <summary>A value of any type with a descriptor of its meaning.</summary>
    Described,
}
