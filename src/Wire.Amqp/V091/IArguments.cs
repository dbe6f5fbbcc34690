using System.Numerics;
using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

/// <summary>
/// What is done with the arguments of a method, one after the other: they are measured, written, read or listed. The members are
/// the elementary domains of AMQP 0-9-1 section 4.2.
/// </summary>
public interface IArguments
{
    /// <summary>An unsigned integer of 8 (octet), 16 (short), 32 (long) or 64 bits (longlong).</summary>
    void Number<T>(ref T value, [CallerArgumentExpression(nameof(value))] string name = "")
        where T : unmanaged, IBinaryInteger<T>;

    /// <summary>One bit. Bits that follow each other share octets, the first one lowest.</summary>
    void Bit(ref bool value, [CallerArgumentExpression(nameof(value))] string name = "");

    /// <summary>A text of up to 255 bytes.</summary>
    void ShortString(ref AmqpString value, [CallerArgumentExpression(nameof(value))] string name = "");

    /// <summary>A text, or any bytes, of up to 4 GiB.</summary>
    void LongString(ref AmqpString value, [CallerArgumentExpression(nameof(value))] string name = "");

    /// <summary>Fields with names.</summary>
    void Table(ref FieldTable value, [CallerArgumentExpression(nameof(value))] string name = "");
}
