namespace Wire.RabbitMQ.Streams;

/// <summary>How messages are gathered in entries, each of which the broker stores and confirms as one.</summary>
public sealed record StreamSubEntryOptions
{
    /// <summary>How many messages an entry has at most: 100 by default, 2 to 65,535. It has fewer where fewer are there when it is sent.</summary>
    public int MaxMessages { get; init; } = 100;

    /// <summary>Whether entries are compressed with gzip, where that makes them smaller. False by default.</summary>
    public bool GZip { get; init; }
}
