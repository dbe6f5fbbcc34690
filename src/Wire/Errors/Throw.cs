using System.Diagnostics.CodeAnalysis;

namespace Wire;

/// <summary>Throws out of line, so that the code that checks stays small.</summary>
internal static class Throw
{
    [DoesNotReturn]
    public static void Format(WireFormatError error, string reason) => throw new WireFormatException(error, reason);

    [DoesNotReturn]
    public static T Format<T>(WireFormatError error, string reason) => throw new WireFormatException(error, reason);

    [DoesNotReturn]
    public static void InvalidValue(string type, string reason) =>
        throw new WireFormatException(WireFormatError.InvalidValue, $"Not a valid {type}: {reason}.");

    /// <summary>
    /// Whether what is thrown while a value is made of what a payload puts together is to be reported as an error of the bytes:
    /// it may be more than a collection can hold, or than the hash code of an object that is not complete yet can bear.
    /// </summary>
    public static bool IsOfBytes(Exception e) => e is not (WireFormatException or OutOfMemoryException);

    /// <summary>The error of bytes of which no value can be made.</summary>
    public static WireFormatException Invalid(string type, Exception e) =>
        new(WireFormatError.InvalidValue, $"Not a valid {type}: {e.Message}", e);

    [DoesNotReturn]
    public static void Truncated(long missing) =>
        throw new WireFormatException(WireFormatError.Truncated, $"The input ends inside a value; at least {missing} more byte(s) are needed.");

    [DoesNotReturn]
    public static void Length(long length, long left) =>
        throw new WireFormatException(WireFormatError.Length, $"A length of {length} cannot be right: only {left} byte(s) of input are left.");

    [DoesNotReturn]
    public static void Limit(string option, long limit, string what) =>
        throw new WireFormatException(WireFormatError.Limit, $"{what} exceeds Limits.{option} = {limit}. Raise the limit only for input that you trust.");

    [DoesNotReturn]
    public static void Unsupported(Type type, string reason) => throw new UnsupportedTypeException(type, reason);

    [DoesNotReturn]
    public static void SessionInUse() => throw new InvalidOperationException(
        "The session is in use, by another thread or by a value serializer or surrogate further up the stack. Use a session for one call at a time.");
}
