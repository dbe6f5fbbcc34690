using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.Amqp.Client.Publishing;

/// <summary>
/// While much is in flight on a channel, gathers small steps: confirms until they are a good part of the messages in flight, and small
/// messages until there are enough to send. Each step wakes a thread, which costs more than many messages. What is held is released at the
/// latest after <see cref="Longest"/>, and nothing is held while little is in flight, so that a publisher that awaits each message does not
/// wait longer. Thread-safe.
/// </summary>
internal sealed class ConfirmBatcher : IDisposable
{
    /// <summary>The number of messages in flight from which steps are held.</summary>
    public const int HoldsFrom = 64;

    /// <summary>The number of bytes of small messages that are held at most.</summary>
    public const int MostBytes = 1 << 14;

    // The share of the messages in flight that is enough for a release.
    private const int Share = 8;

    private static readonly TimeSpan Longest = TimeSpan.FromMilliseconds(5);

    private readonly Lock _gate = new();
    private readonly Alarm _alarm;
    private readonly Action _flush;
    private readonly Action<IThreadPoolWorkItem, bool> _complete;
    private OperationQueue<Publication> _confirmed;
    private bool _hasEnded;

    /// <summary>Holds nothing yet.</summary>
    /// <param name="complete">
    /// Runs what awaits the last publication of several; with true where it is the only one, and nothing else is in flight.
    /// </param>
    /// <param name="flush">Sends the small messages that are held; on the thread of the alarms.</param>
    public ConfirmBatcher(Action<IThreadPoolWorkItem, bool> complete, Action flush)
    {
        _complete = complete;
        _flush = flush;
        _alarm = new Alarm(TimeIsUp);
    }

    /// <summary>Holds confirms of the broker.</summary>
    public void Add(OperationQueue<Publication> answered)
    {
        lock (_gate)
        {
            _confirmed.Append(answered);
            if (!_hasEnded)
            {
                return;
            }
        }

        Release();
    }

    /// <summary>Releases what is held, if that is enough, or if little is in flight.</summary>
    /// <param name="inFlight">The number of messages in flight.</param>
    /// <returns>True if there was anything to release.</returns>
    public bool TryRelease(int inFlight)
    {
        bool isAlone;
        lock (_gate)
        {
            if (_confirmed.IsEmpty)
            {
                return false;
            }

            if (inFlight >= HoldsFrom && _confirmed.Count * Share < inFlight)
            {
                BeginTime();
                return false;
            }

            isAlone = inFlight == 0 && _confirmed.Count == 1;
        }

        Release(isAlone);
        return true;
    }

    /// <summary>Starts the timer for what is held.</summary>
    public void BeginTime() => _alarm.RingAfter(Longest);

    /// <summary>Releases everything, and stops holding.</summary>
    public void Dispose()
    {
        lock (_gate)
        {
            _hasEnded = true;
        }

        _alarm.Dispose();
        Release();
    }

    private void TimeIsUp()
    {
        Release();
        _flush();
    }

    private void Release(bool isAlone = false)
    {
        OperationQueue<Publication> confirmed;
        lock (_gate)
        {
            confirmed = _confirmed.TakeAll();
        }

        if (Completion.FinishButLast(ref confirmed) is { } last)
        {
            _complete(last, isAlone);
        }
    }
}
