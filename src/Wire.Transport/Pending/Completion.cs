using Wire.Transport.Threads;

namespace Wire.Transport.Pending;

/// <summary>
/// Completes tasks outside of all locks. Continuations run on the pool, so that none waits for another's code; the last one runs on a
/// thread of the client, because waking the pool costs more than many messages.
/// </summary>
internal static class Completion
{
    /// <summary>Ends the tasks; the last that is awaited on the thread, where that is idle.</summary>
    public static void Finish<T>(ref OperationQueue<T> answered, WorkerThread thread)
        where T : PendingOperation
    {
        if (FinishButLast(ref answered) is { } last)
        {
            thread.Run(last);
        }
    }

    /// <summary>Ends the tasks; the last that is awaited on this thread, which has nothing else to do.</summary>
    public static void FinishHere<T>(ref OperationQueue<T> answered)
        where T : PendingOperation => FinishButLast(ref answered)?.Finish(inline: true);

    /// <summary>Ends the tasks, but for the last that is awaited.</summary>
    /// <returns>It, whose execution ends it and runs what awaits it; null where none is awaited.</returns>
    public static T? FinishButLast<T>(ref OperationQueue<T> answered)
        where T : PendingOperation
    {
        T? awaited = null;
        while (answered.TryTake() is { } operation)
        {
            if (!operation.IsAwaited)
            {
                operation.Finish(inline: false);
                continue;
            }

            awaited?.Finish(inline: false);
            awaited = operation;
        }

        return awaited;
    }
}
