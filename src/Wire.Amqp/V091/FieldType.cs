namespace Wire.Amqp.V091;

// The values are types, and .NET's names are the best ones for them.
#pragma warning disable CA1720

/// <summary>The type of a field's value: the octet in front of it.</summary>
/// <remarks>
/// The octets are those that RabbitMQ uses, which differ from section 4.2.1 of the specification of AMQP 0-9-1 in two places. In the
/// specification <c>s</c> is a short string and <c>l</c> an unsigned number; RabbitMQ, and all of its clients, use signed integers of 16
/// and 64 bits there. The specification's own octets for these two, <c>U</c> and <c>L</c>, are read and never chosen: RabbitMQ reads
/// <c>L</c>, too, but does not know <c>U</c>. There is no unsigned number of 64 bits.
/// </remarks>
public enum FieldType : byte
{
    /// <summary><c>t</c>: true or false. Any octet but 0 is true.</summary>
    Boolean = (byte)'t',

    /// <summary><c>b</c>: a signed integer of 8 bits.</summary>
    SByte = (byte)'b',

    /// <summary><c>B</c>: an unsigned integer of 8 bits.</summary>
    Byte = (byte)'B',

    /// <summary><c>s</c>: a signed integer of 16 bits.</summary>
    Int16 = (byte)'s',

    /// <summary>
    /// <c>U</c>: a signed integer of 16 bits under the octet of the specification; read, and written only if it was read.
    /// </summary>
    Int16AsSpecified = (byte)'U',

    /// <summary><c>u</c>: an unsigned integer of 16 bits.</summary>
    UInt16 = (byte)'u',

    /// <summary><c>I</c>: a signed integer of 32 bits.</summary>
    Int32 = (byte)'I',

    /// <summary><c>i</c>: an unsigned integer of 32 bits.</summary>
    UInt32 = (byte)'i',

    /// <summary><c>l</c>: a signed integer of 64 bits.</summary>
    Int64 = (byte)'l',

    /// <summary>
    /// <c>L</c>: a signed integer of 64 bits under the octet of the specification; read, and written only if it was read.
    /// </summary>
    Int64AsSpecified = (byte)'L',

    /// <summary><c>f</c>: an IEEE 754 number of 32 bits.</summary>
    Single = (byte)'f',

    /// <summary><c>d</c>: an IEEE 754 number of 64 bits.</summary>
    Double = (byte)'d',

    /// <summary><c>D</c>: an octet with the number of decimal places and an integer of 32 bits with a sign.</summary>
    Decimal = (byte)'D',

    /// <summary><c>S</c>: a text, or any bytes, of up to 4 GiB.</summary>
    String = (byte)'S',

    /// <summary><c>A</c>: values without names, of any types.</summary>
    Array = (byte)'A',

    /// <summary><c>T</c>: a point in time, in seconds.</summary>
    Timestamp = (byte)'T',

    /// <summary><c>F</c>: fields with names.</summary>
    Table = (byte)'F',

    /// <summary><c>V</c>: no value.</summary>
    Void = (byte)'V',

    /// <summary><c>x</c>: bytes, of up to 4 GiB.</summary>
    Bytes = (byte)'x',
}
