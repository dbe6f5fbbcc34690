namespace Wire.RabbitMQ.Streams;

/// <summary>
/// The way in which the offset of a named consumer is stored in the broker. What is stored is the offset of the last message that has been
/// handled.
/// </summary>
public sealed record StreamTracking
{
    private StreamTracking(bool isManual, int messages, TimeSpan interval)
    {
        IsManual = isManual;
        Messages = messages;
        Interval = interval;
    }

    /// <summary>The consumer, every 10,000 messages and every 5 s where there were any, and when it is closed.</summary>
    public static StreamTracking Automatic { get; } = Every(10_000, TimeSpan.FromSeconds(5));

    /// <summary>The program, with <see cref="StreamConsumer.StoreOffset(ulong)"/>.</summary>
    public static StreamTracking Manual { get; } = new(isManual: true, 0, default);

    /// <summary>No one: nothing is stored, and what is stored under the name is not looked at.</summary>
    public static StreamTracking None { get; } = new(isManual: false, 0, default);

    /// <summary>Gets whether the program stores.</summary>
    public bool IsManual { get; }

    /// <summary>After how many messages the consumer stores, at the end of a chunk; 0 where it does not store.</summary>
    public int Messages { get; }

    /// <summary>Gets the time that it waits at most before it stores what has been handled; zero where it does not store.</summary>
    public TimeSpan Interval { get; }

    /// <summary>Gets whether the consumer stores.</summary>
    internal bool IsAutomatic => Messages > 0;

    /// <summary>
    /// The consumer: after a number of messages, at the end of their chunk; when some time is over and something has been handled; and when
    /// it is closed.
    /// </summary>
    /// <param name="messages">
    /// How many messages, 1 or more. The broker writes each offset into the stream: with few of them that is much.
    /// </param>
    /// <param name="interval">How long it waits at most: 10 ms to 1 day.</param>
    /// <exception cref="ArgumentOutOfRangeException">One of them is out of range.</exception>
    public static StreamTracking Every(int messages, TimeSpan interval)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(messages, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(interval, TimeSpan.FromMilliseconds(10));
        ArgumentOutOfRangeException.ThrowIfGreaterThan(interval, TimeSpan.FromDays(1));
        return new StreamTracking(isManual: false, messages, interval);
    }
}
