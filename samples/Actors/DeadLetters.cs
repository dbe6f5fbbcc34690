namespace Actors;

/// <summary>The messages that nobody gets: refused or damaged ones, and those to actors that are not there.</summary>
internal sealed class DeadLetters
{
    private readonly Lock _lock = new();
    private int _count;
    private string? _last;

    public DeadLetters() => _ = DrainAsync(Mailbox);

    /// <summary>Gets the mailbox of the references to actors that are not there.</summary>
    internal Mailbox<Envelope> Mailbox { get; } = new(room: 64);

    /// <summary>Gets how many there are, and the reason of the last one.</summary>
    public (int Count, string? Last) Seen
    {
        get
        {
            lock (_lock)
            {
                return (_count, _last);
            }
        }
    }

    /// <summary>Adds one. A program of yours would keep the bytes too: what is refused today may be allowed by the next release.</summary>
    public void Add(string reason)
    {
        lock (_lock)
        {
            (_count, _last) = (_count + 1, reason);
        }
    }

    /// <summary>Adds a message whose target is not there.</summary>
    internal void AddUndelivered(Envelope envelope) => Add($"{envelope.Target} is not there, and does not get {envelope.Body}");

    /// <summary>Adds all that comes to a mailbox from now on.</summary>
    internal async Task DrainAsync(Mailbox<Envelope> mailbox)
    {
        while (true)
        {
            foreach (Envelope envelope in await mailbox.TakeAllAsync())
            {
                AddUndelivered(envelope);
            }
        }
    }
}
