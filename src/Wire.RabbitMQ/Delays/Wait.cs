namespace Wire.RabbitMQ.Delays;

/// <summary>The time that a message waits in a delay queue.</summary>
/// <param name="Level">The queue.</param>
/// <param name="Time">Its own time, which is at most that of the queue.</param>
internal readonly record struct Wait(DelayLevel Level, TimeSpan Time)
{
    /// <summary>Returns a wait for any time, in the queue of the next level.</summary>
    public static Wait For(TimeSpan time) => new(DelayLevel.Of(time), time);

    /// <summary>
    /// Returns a wait that ends no later than a time, in a queue in which no message waits longer for the one before it; what is left is
    /// for another. Only the last, of up to 100 ms, may end as much later.
    /// </summary>
    public static Wait AtMost(TimeSpan time) => DelayLevel.AtMost(time) is { } level
        ? new Wait(level, TimeSpan.FromMilliseconds(level.Milliseconds))
        : For(time);

    /// <summary>Returns a wait in a queue of exactly that time, in which no message waits longer for the one before it.</summary>
    public static Wait InQueueOf(TimeSpan time) => new(new DelayLevel(DelayLevel.InMilliseconds(time)), time);
}
