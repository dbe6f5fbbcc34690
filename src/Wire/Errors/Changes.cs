namespace Wire.Errors;

/// <summary>
/// Objects that change while they are written or copied, as by another thread: what has been taken of them would be neither what they were
/// nor what they are, so that it is an error.
/// </summary>
internal static class Changes
{
    /// <summary>Checks that a collection has as many elements as were taken of it.</summary>
    /// <exception cref="InvalidOperationException">It has changed.</exception>
    public static void Check<TCollection>(int from, int to)
    {
        if (from != to)
        {
            throw Seen(typeof(TCollection), from, to);
        }
    }

    /// <summary>Takes what is written of an object that does not notice by itself that it changes meanwhile.</summary>
    /// <exception cref="InvalidOperationException">It has changed.</exception>
    public static TResult Taken<T, TResult>(T value, Func<T, TResult> take)
        where T : class
    {
        try
        {
            return take(value);
        }
        catch (Exception e) when (e is ArgumentException or IndexOutOfRangeException or NullReferenceException)
        {
            throw Seen(typeof(T), e);
        }
    }

    /// <summary>Returns the error for an object of which something could not be taken because it has changed.</summary>
    public static InvalidOperationException Seen(Type type, Exception reason) =>
        new($"A {type} changed while it was written.", reason);

    /// <summary>Returns the error for a collection whose number of elements is not what it was.</summary>
    public static InvalidOperationException Seen(Type type, int from, int to) =>
        new($"A {type} changed from {from} to {to} elements while it was written.");
}
