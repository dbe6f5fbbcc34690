using System.Numerics;
using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091;

/// <summary>
/// A method of AMQP 0-9-1, with its arguments as fields. Each is described once, by <see cref="Arguments"/>; its size, its bytes and its
/// reading follow from that.
/// </summary>
/// <typeparam name="TSelf">The method itself.</typeparam>
public interface IMethod<TSelf>
    where TSelf : struct, IMethod<TSelf>
{
    /// <summary>Which method it is.</summary>
    static abstract MethodId Id { get; }

    /// <summary>Visits the arguments in the order in which they are written. A method without arguments omits it.</summary>
    /// <param name="method">The method, whose arguments are handed over by reference.</param>
    /// <param name="arguments">What is done with them.</param>
    static virtual void Arguments<TArguments>(ref TSelf method, ref TArguments arguments)
        where TArguments : struct, IArguments, allows ref struct
    {
    }
}

/// <summary>
/// An operation on the arguments of a method in order: measuring, writing, reading or listing. The members are the elementary domains of
/// AMQP 0-9-1 section 4.2.
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
