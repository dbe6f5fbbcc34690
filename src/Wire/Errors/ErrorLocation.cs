using System.Collections;

namespace Wire.Errors;

/// <summary>Says in an exception of user code where in the graph it was thrown. The exception itself stays as it is.</summary>
internal static class ErrorLocation
{
    /// <summary>Takes note of the location; that of the outermost call stays, whose graph the caller knows.</summary>
    /// <param name="exception">The exception.</param>
    /// <param name="memberPath">The members that lead to the current value.</param>
    /// <param name="offset">How many bytes have been read; null on write.</param>
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
            // A class of the user's may have data of its own that take nothing: then the exception goes without a location.
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
            // The same exception may have come through a read before.
            data.Remove(Serializer.OffsetKey);
        }
    }
}
