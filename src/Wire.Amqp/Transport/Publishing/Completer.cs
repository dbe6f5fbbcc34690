namespace Wire.Amqp.Transport;

/// <summary>
/// Ends the tasks of publications. What one awaits goes on on a thread of this link, where that is idle: to wake one of the pool, which looks for more
/// work for a while before it sleeps again, costs more than many messages do. All others go on on the pool, so none waits for what the code of
/// another does.
/// </summary>
internal sealed class Completer(string name)
{
    private readonly object _gate = new();
    private Thread? _thread;
    private Publication? _next;
    private bool _isBusy;
    private bool _isClosed;

    /// <summary>Ends the tasks as their publications say.</summary>
    public void Complete(PublicationQueue answered)
    {
        Publication? awaited = null;
        while (answered.TryTake() is { } publication)
        {
            if (!publication.IsAwaited)
            {
                Finish(publication, inline: false);
                continue;
            }

            if (awaited is not null)
            {
                Finish(awaited, inline: false);
            }

            awaited = publication;
        }

        if (awaited is not null && !TryHandOver(awaited))
        {
            Finish(awaited, inline: false);
        }
    }

    /// <summary>Lets the thread end when it is idle. Later ones go to the pool.</summary>
    public void Close()
    {
        lock (_gate)
        {
            _isClosed = true;
            Monitor.Pulse(_gate);
        }
    }

    private static void Finish(Publication publication, bool inline) => publication.Finish(AmqpPublishException.Answered(publication), inline);

    private bool TryHandOver(Publication publication)
    {
        lock (_gate)
        {
            if (_isBusy || _isClosed)
            {
                return false;
            }

            if (_thread is null)
            {
                _thread = new Thread(Run) { IsBackground = true, Name = name };
                _thread.UnsafeStart();
            }

            _next = publication;
            _isBusy = true;
            Monitor.Pulse(_gate);
            return true;
        }
    }

    private void Run()
    {
        while (true)
        {
            Publication publication;
            lock (_gate)
            {
                _isBusy = _next is not null;
                while (_next is null)
                {
                    if (_isClosed)
                    {
                        return;
                    }

                    Monitor.Wait(_gate);
                }

                publication = _next;
                _next = null;
            }

            Finish(publication, inline: true);
        }
    }
}
