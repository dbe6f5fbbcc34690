using System.Diagnostics.CodeAnalysis;

namespace Wire.Amqp.Errors;

/// <summary>Throw helpers: bad bytes and bad callers never share an exception.</summary>
internal static class ThrowHelper
{
    // A symbol of AMQP 1.0 may be as long as the message, and errors are written to logs.
    private const int MaxQuoted = 255;

    /// <summary>A text of the input for a message, or how long it is.</summary>
    public static string Quote(AmqpString text) => text.ByteCount <= MaxQuoted ? $"'{text}'" : $"a text of {text.ByteCount} bytes";

    [DoesNotReturn]
    public static void Format(AmqpFormatError error, long offset, string reason) => throw new AmqpFormatException(error, offset, reason);

    [DoesNotReturn]
    public static void Truncated(long offset, string expected, long missing) =>
        throw new AmqpFormatException(
            AmqpFormatError.Truncated, offset, $"The input ends inside {expected}: at least {missing} more bytes are needed", missing);

    [DoesNotReturn]
    public static void DestinationTooSmall(int needed, int left) =>
        throw new ArgumentException($"The destination has {left} bytes left where {needed} are to be written.");

    [DoesNotReturn]
    public static void TooLongForShortString(int bytes) =>
        throw new ArgumentException($"A short string takes at most 255 bytes of UTF-8, and this one {bytes}.");

    [DoesNotReturn]
    public static void NotUnicode(Exception? inner) =>
        throw new ArgumentException("The text has an unpaired surrogate, which UTF-8 cannot represent.", inner);

    [DoesNotReturn]
    public static void OutsideOfArray() =>
        throw new InvalidOperationException(
            "The view does not fit its bytes: another thread has assigned it while it was read. Give each thread its own copy.");
}
