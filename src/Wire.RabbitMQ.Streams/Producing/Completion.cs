using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>
/// Ends tasks outside of every lock. What awaits one goes on on the pool, and none waits for what the code of another does; the last one goes on on a thread
/// that is there for it, since to wake the pool costs more than many messages do.
/// </summary>
internal static class Completion
{
    /// <summary>Ends the tasks; the last that is awaited on the thread of the producer, where that is idle.</summary>
    public static void Finish(ref SendChain answered, OwnThread thread)
    {
        if (FinishButLast(ref answered) is { } last)
        {
            thread.Run(last);
        }
    }

    /// <summary>Ends the tasks; the last that is awaited on this thread, which has nothing else to do.</summary>
    public static void FinishHere(ref SendChain answered) => FinishButLast(ref answered)?.Finish(inline: true);

    private static PendingSend? FinishButLast(ref SendChain answered)
    {
        PendingSend? awaited = null;
        while (answered.TryTake(out PendingSend? send))
        {
            if (!send.IsAwaited)
            {
                send.Finish(inline: false);
                continue;
            }

            awaited?.Finish(inline: false);
            awaited = send;
        }

        return awaited;
    }
}
