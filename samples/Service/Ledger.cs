namespace Bookshop;

/// <summary>What has happened, by the kind of it. Thread-safe.</summary>
internal sealed class Ledger
{
    private readonly int[] _counts = new int[Enum.GetValues<Entry>().Length];

    /// <summary>Gets or sets whether all has happened that was to happen.</summary>
    public bool IsComplete { get; set; }

    /// <summary>Adds one, and returns how many there are.</summary>
    public int Add(Entry entry) => Interlocked.Increment(ref _counts[(int)entry]);

    /// <summary>Waits until there are so many.</summary>
    public async Task WaitForAsync(Entry entry, int count, CancellationToken cancellationToken)
    {
        while (Volatile.Read(ref _counts[(int)entry]) < count)
        {
            await Task.Delay(20, cancellationToken);
        }
    }
}

/// <summary>A kind of entry.</summary>
internal enum Entry
{
    /// <summary>An event was written down.</summary>
    Event,

    /// <summary>An invoice was sent.</summary>
    Invoice,

    /// <summary>The bank was away.</summary>
    Refusal,
}
