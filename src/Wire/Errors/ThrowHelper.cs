using System.Diagnostics.CodeAnalysis;
using System.Runtime.ExceptionServices;

namespace Wire.Errors;

/// <summary>Throws out of line, so that the code that checks stays small.</summary>
internal static class ThrowHelper
{
    [DoesNotReturn]
    public static void Format(WireFormatError error, string reason) => throw new WireFormatException(error, reason);

    [DoesNotReturn]
    public static T Format<T>(WireFormatError error, string reason) => throw new WireFormatException(error, reason);

    [DoesNotReturn]
    public static void InvalidValue(string type, string reason) => throw NotValid(type, reason);

    /// <summary>
    /// The error for bytes that are not a valid value of a type. A reason that must be formatted belongs in a separate throwing method:
    /// otherwise its code becomes part of every method that reads such a value.
    /// </summary>
    public static WireFormatException NotValid(string type, string reason) =>
        new(WireFormatError.InvalidValue, $"Not a valid {type}: {reason}.");

    /// <summary>
    /// Returns whether an exception of .NET during the construction of a value is reported as an error of the bytes: they may exceed a
    /// collection's capacity, or use an incomplete object. Exceptions of user code, such as a comparer or the hash code of a key, are not:
    /// they reach the caller unchanged.
    /// </summary>
    public static bool IsOfBytes(Exception e) => MayBeOfBytes(e) && !UserCode.Threw(e);

    /// <summary>
    /// Returns whether an exception can result from the bytes at all: not when the process is out of memory or the thread is interrupted.
    /// </summary>
    public static bool MayBeOfBytes(Exception e) =>
        e is not (WireFormatException
            or UnsupportedTypeException
            or OutOfMemoryException
            or ThreadInterruptedException
            or OperationCanceledException);

    /// <summary>Makes the error for bytes from which no value can be made.</summary>
    public static WireFormatException Invalid(string type, Exception e)
    {
        if (e is InvalidOperationException { InnerException: { } inner } && UserCode.Threw(inner))
        {
            // .NET's searches wrap what a comparer throws.
            ExceptionDispatchInfo.Throw(inner);
        }

        return new(WireFormatError.InvalidValue, $"Not a valid {type}: {e.Message}", e);
    }

    [DoesNotReturn]
    public static void NoSuchCase(uint number, int count) =>
        InvalidValue("union", $"its case is {number}, and its schema has {count} case(s)");

    [DoesNotReturn]
    public static void Truncated(long missing) =>
        throw new WireFormatException(
            WireFormatError.Truncated, $"The input ends inside a value; at least {missing} more byte(s) are needed: it was cut, or "
            + "not read to its end. Pass all of its bytes: Stream.ReadExactly, unlike Read, returns no less than was asked for.");

    [DoesNotReturn]
    public static void Length(long length, long left) =>
        throw new WireFormatException(
            WireFormatError.Length, $"A length of {length} cannot be right: only {left} byte(s) of input are left.");

    [DoesNotReturn]
    public static void Limit(string option, long limit, string what, string further = "") =>
        throw new WireFormatException(
            WireFormatError.Limit, $"{what} exceeds Limits.{option} = {limit}. Raise the limit only for input that you trust.{further}");

    [DoesNotReturn]
    public static void Unsupported(Type type, string reason) => throw new UnsupportedTypeException(type, reason);

    [DoesNotReturn]
    public static void SessionEnded(object session) => throw new ObjectDisposedException(
        session.GetType().FullName, "The session has ended by Dispose. Begin a new one, on both sides.");

    /// <summary>Reports a user's value serializer that caught what a part of its value had thrown.</summary>
    [DoesNotReturn]
    public static void WentOn(object serializer) => throw new InvalidOperationException(
        $"{serializer.GetType()} went on after a part of its value had failed and left incomplete bytes. Let the exception propagate.");

    [DoesNotReturn]
    public static void TrailingBytes(long count) => Format(
        WireFormatError.TrailingBytes,
        $"{count} byte(s) follow the end of the value. Pass the bytes of the payload alone, or read several values of " +
        "one buffer by the overload that says how many it has read.");

    [DoesNotReturn]
    public static void SessionBroken() => throw new InvalidOperationException(
        "A message of this session failed after a part of it may have reached the output: no reader can follow what comes next. Begin a " +
        "new session on a new connection or file.");

    [DoesNotReturn]
    public static void SessionContradicted() => throw new InvalidOperationException(
        "A message of this session contradicts the type definitions of an earlier one: one of them is damaged, or comes from another " +
        "SerializerSession. Begin a new session on both sides, on a new connection or file.");

    [DoesNotReturn]
    public static void SessionInUse() => throw new InvalidOperationException(
        "The session is in use, by another thread or by a value serializer or surrogate further up the stack. Use a session for one call " +
        "at a time.");
}
