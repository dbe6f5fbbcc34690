using System.Collections;

namespace Wire.Errors;

/// <summary>Adds the location in the graph to an exception of user code. The exception is otherwise unchanged.</summary>
internal static class ErrorLocation
{
    /// <summary>Records the location; the outermost call's location stays, because the caller knows its graph.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="memberPath">The members on the way to the current value.</param>
    /// <param name="offset">The number of bytes read; null on write.</param>
    public static void Add(Exception exception, Func<string> memberPath, long? offset)
    {
        try
        {
            if (exception.Data is { IsReadOnly: false } data)
            {
                Set(data, memberPath(), offset);
            }
        }
        catch (Exception)
        {
            // A user's exception class may have a read-only Data: then the exception has no location.
        }
    }

    private static void Set(IDictionary data, string memberPath, long? offset)
    {
        data[Serializer.MemberPathKey] = memberPath;
        if (offset is { } read)
        {
            data[Serializer.OffsetKey] = read;
        }
        else
        {
            // The same exception may have passed through a read before.
            data.Remove(Serializer.OffsetKey);
        }
    }
}
