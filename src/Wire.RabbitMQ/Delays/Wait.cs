namespace Wire.RabbitMQ.Delays;

/// <summary>The time that a message waits in a delay queue.</summary>
/// <param name="Level">The queue.</param>
/// <param name="Time">Its own time, which is at most that of the queue.</param>
internal readonly record struct Wait(DelayLevel Level, TimeSpan Time)
{
    /// <summary>Returns a wait for any time, in the queue of the next level.</summary>
    public static Wait For(TimeSpan time) => new(DelayLevel.Of(time), time);

    /// <summary>Returns a wait in a queue of exactly that time, in which no message waits longer for the one before it.</summary>
    public static Wait InQueueOf(TimeSpan time) => new(new DelayLevel(DelayLevel.InMilliseconds(time)), time);
}
