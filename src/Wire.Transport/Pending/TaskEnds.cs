namespace Wire.Transport.Pending;

/// <summary>Ends tasks that no one may look at: what has failed is not reported once more when it is collected.</summary>
internal static class TaskEnds
{
    /// <summary>Ends a task: well where there is no error.</summary>
    /// <returns>Whether this has ended it.</returns>
    public static bool TryEnd(this TaskCompletionSource source, Exception? error)
    {
        if (error is null)
        {
            return source.TrySetResult();
        }

        bool hasEnded = source.TrySetException(error);
        _ = source.Task.Exception;
        return hasEnded;
    }

    /// <summary>Ends a task with an error.</summary>
    public static void TryFail<T>(this TaskCompletionSource<T> source, Exception error)
    {
        source.TrySetException(error);
        _ = source.Task.Exception;
    }
}
