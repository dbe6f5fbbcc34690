using Wire.Transport.Threads;

namespace Wire.Transport.Pending;

/// <summary>
/// Ends tasks outside of every lock. What awaits one continues on the pool, and none waits for what the code of another does; the last one
/// continues on a thread that is there for it, since to wake the pool costs more than many messages do.
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

    private static T? FinishButLast<T>(ref OperationQueue<T> answered)
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
