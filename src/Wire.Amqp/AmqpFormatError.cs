
namespace Wire.Amqp;

/// <summary>The kind of fault in bytes that are not valid AMQP, for programs.</summary>
public enum AmqpFormatError
{
    /// <summary>The input ends inside a value: more bytes may complete it.</summary>
    Truncated,

    /// <summary>A length exceeds the room around the value, or is less than the value needs.</summary>
    Length,

    /// <summary>A type code, constructor byte, method or frame type that the protocol does not define.</summary>
    UnknownCode,

    /// <summary>A value of another type than the one asked for.</summary>
    UnexpectedType,

    /// <summary>A value outside its type, such as a boolean of 2 or a character that is not a Unicode scalar value.</summary>
    Value,

    /// <summary>Values nested deeper than the reader allows.</summary>
    Depth,

    /// <summary>A frame that breaks the rules of framing: too large, without its end octet, out of order.</summary>
    Frame,

    /// <summary>A message body that does not match its properties.</summary>
    Body,

    /// <summary>Bytes that do not match their checksum: they are damaged.</summary>
    Checksum,

    /// <summary>A message body that is larger than its receiver accepts, and was skipped.</summary>
    TooLarge,
}
