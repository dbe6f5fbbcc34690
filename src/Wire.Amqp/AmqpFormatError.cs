
namespace Wire.Amqp;

/// <summary>The kind of fault in bytes that are no AMQP, for programs.</summary>
public enum AmqpFormatError
{
    /// <summary>The input ends inside a value: more bytes may complete it.</summary>
    Truncated,

    /// <summary>A length says more than what surrounds the value has room for, or less than the value needs.</summary>
    Length,

    /// <summary>A type code, constructor byte, method or frame type that the protocol does not have.</summary>
    UnknownCode,

    /// <summary>A value of another type than the one asked for.</summary>
    UnexpectedType,

    /// <summary>A value that its type does not have, such as a boolean of 2 or a character that is not a Unicode scalar value.</summary>
    Value,

    /// <summary>Values inside each other deeper than the reader follows.</summary>
    Depth,

    /// <summary>A frame that breaks the rules of framing: too large, without its end octet, out of order.</summary>
    Frame,

    /// <summary>A message body that cannot be read as what its properties say.</summary>
    Body,

    /// <summary>Bytes that are not those which their checksum was made of: they have been damaged.</summary>
    Checksum,

    /// <summary>A message body that is larger than its receiver takes, and was passed over.</summary>
    TooLarge,
}
