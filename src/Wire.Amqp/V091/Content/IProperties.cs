using System.Numerics;
using System.Runtime.CompilerServices;

namespace Wire.Amqp.V091.Content;

/// <summary>
/// An operation on all properties of a message in order, including unset ones: measuring, writing, reading or listing.
/// </summary>
internal interface IProperties
{
    /// <summary>An unsigned integer, or null when it is not set.</summary>
    void Number<T>(ref T? value, [CallerArgumentExpression(nameof(value))] string name = "")
        where T : unmanaged, IBinaryInteger<T>;

    /// <summary>A text of up to 255 bytes, or no text when it is not set.</summary>
    void ShortString(ref AmqpString value, [CallerArgumentExpression(nameof(value))] string name = "");

    /// <summary>Fields with names.</summary>
    void Table(ref FieldTable value, [CallerArgumentExpression(nameof(value))] string name = "");

    /// <summary>A moment, or null when it is not set.</summary>
    void Timestamp(ref Timestamp? value, [CallerArgumentExpression(nameof(value))] string name = "");
}
