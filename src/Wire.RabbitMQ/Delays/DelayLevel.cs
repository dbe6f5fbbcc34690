using System.Globalization;

namespace Wire.RabbitMQ.Delays;

/// <summary>
/// The time that a delay queue is for. Those for any time are for some times only, so that they stay few: ten for each power of ten, of
/// which the next is at most a third longer than the one before. Each message has its own time in addition, and waits at most until the one
/// before it has gone: no longer than the queue's.
/// </summary>
internal readonly record struct DelayLevel(long Milliseconds)
{
    /// <summary>The longest delay: what a timer of .NET and the broker's 32 bits both hold.</summary>
    public static readonly TimeSpan Longest = TimeSpan.FromDays(24);

    // Of those for any time.
    private const long Shortest = 100;

    // In hundredths.
    private static readonly int[] Steps = [100, 125, 150, 200, 250, 300, 400, 500, 600, 800];

    // Those for any time, from the shortest on; the last holds the longest delay.
    private static readonly DelayLevel[] All = [.. Levels()];

    /// <summary>Returns the shortest level that holds a delay.</summary>
    public static DelayLevel Of(TimeSpan delay)
    {
        long sought = InMilliseconds(delay);
        return Array.Find(All, level => level.Milliseconds >= sought);
    }

    /// <summary>Returns the longest level that is no longer than a time; null where the shortest is.</summary>
    public static DelayLevel? AtMost(TimeSpan time)
    {
        long limit = Math.Min(InMilliseconds(time), (long)Longest.TotalMilliseconds);
        int longest = Array.FindLastIndex(All, level => level.Milliseconds <= limit);
        return longest < 0 ? null : All[longest];
    }

    /// <summary>Returns the whole milliseconds of a delay, rounded up.</summary>
    public static long InMilliseconds(TimeSpan delay) => (delay.Ticks + TimeSpan.TicksPerMillisecond - 1) / TimeSpan.TicksPerMillisecond;

    /// <summary>Checks a delay.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is out of range.</exception>
    public static void Check(TimeSpan delay, string name)
    {
        if (delay <= TimeSpan.Zero || delay > Longest)
        {
            throw new ArgumentOutOfRangeException(name, delay, $"A delay is more than zero and at most {Longest.TotalDays:0} days.");
        }
    }

    /// <summary>Returns the name of the queue of this level that belongs to another queue.</summary>
    public string QueueFor(string queue)
    {
        (long number, string unit) = Milliseconds % 1000 == 0 ? (Milliseconds / 1000, "s") : (Milliseconds, "ms");
        return string.Create(CultureInfo.InvariantCulture, $"{queue}.delay.{number}{unit}");
    }

    private static IEnumerable<DelayLevel> Levels()
    {
        for (long power = Shortest; ; power *= 10)
        {
            foreach (int step in Steps)
            {
                long level = power / 100 * step;
                yield return new DelayLevel(level);
                if (level >= (long)Longest.TotalMilliseconds)
                {
                    yield break;
                }
            }
        }
    }
}
