using Wire.Transport.Threads;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// Ends the tasks of publications. What one awaits goes on on a thread of this link, where that is idle. All others go on on the pool, so none waits for what the
/// code of another does.
/// </summary>
internal sealed class Completer(string name)
{
    private readonly OwnThread _thread = new(name);

    /// <summary>Ends the tasks as their publications say.</summary>
    public void Complete(PublicationQueue answered)
    {
        Publication? awaited = null;
        while (answered.TryTake() is { } publication)
        {
            if (!publication.IsAwaited)
            {
                publication.FinishAnswered(inline: false);
                continue;
            }

            awaited?.FinishAnswered(inline: false);
            awaited = publication;
        }

        if (awaited is not null && !_thread.TryRun(awaited))
        {
            awaited.FinishAnswered(inline: false);
        }
    }

    /// <summary>Lets the thread end when it is idle. Later ones go to the pool.</summary>
    public void Close() => _thread.Close();
}
