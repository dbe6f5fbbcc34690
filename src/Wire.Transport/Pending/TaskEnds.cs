namespace Wire.Transport.Pending;

/// <summary>Observes tasks that may never be awaited, so that their failures are not reported as unobserved.</summary>
internal static class TaskEnds
{
    /// <summary>Completes a task: successfully if there is no error.</summary>
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
