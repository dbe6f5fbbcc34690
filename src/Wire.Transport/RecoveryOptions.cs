namespace Wire.Transport;

/// <summary>Options of recovery: what a connection does when it is lost.</summary>
public sealed record RecoveryOptions
{
    /// <summary>Connects again, first at once and then with growing pauses, until it is refused permanently.</summary>
    public static RecoveryOptions Default { get; } = new();

    /// <summary>Stays lost: everything that waits for it fails.</summary>
    public static RecoveryOptions Off { get; } = new() { IsEnabled = false };

    /// <summary>Gets whether it connects again: true by default.</summary>
    public bool IsEnabled { get; init; } = true;

    /// <summary>
    /// Gets the time that it waits after the first attempt that fails: 100 ms by default, 1 ms to 1 day. Each further pause is about twice
    /// as long.
    /// </summary>
    public TimeSpan FirstPause { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Gets the longest time that it waits: 30 s by default, up to 1 day and not less than <see cref="FirstPause"/>. Behind a connection
    /// that has lasted as long as this, pauses begin with the first one again.
    /// </summary>
    public TimeSpan LongestPause { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// After how many attempts in a row that every endpoint refuses, as where a password is not right any more, it gives up: 10 by default,
    /// which with the default pauses takes 25 to 50 s; from 1 on. Then it is closed, and the refusal is the error that everyone sees.
    /// </summary>
    public int MaxRefusals { get; init; } = 10;

    /// <summary>
    /// Gets the longest time for which it tries, whatever the failure: <see cref="Timeout.InfiniteTimeSpan"/>, as long as it takes, by
    /// default; more than zero and at most 24 days. Then it is closed, and the last failure is the error that everyone sees.
    /// </summary>
    public TimeSpan GiveUpAfter { get; init; } = Timeout.InfiniteTimeSpan;

    /// <summary>
    /// Gets whether messages that were published and not confirmed when the connection was lost are published again, in their order: then
    /// the broker may have them twice. False by default: they fail, and the caller decides. Over AMQP 0-9-1, a message over which the
    /// broker closes the connection three times fails, and is not sent again.
    /// </summary>
    public bool ResendUnconfirmed { get; init; }

    internal void Validate()
    {
        if (FirstPause < TimeSpan.FromMilliseconds(1) || FirstPause > TimeSpan.FromDays(1))
        {
            throw new ArgumentOutOfRangeException(
                nameof(FirstPause), FirstPause, "The first pause between attempts to connect is 1 ms to 1 day.");
        }

        if (LongestPause < FirstPause || LongestPause > TimeSpan.FromDays(1))
        {
            throw new ArgumentOutOfRangeException(
                nameof(LongestPause),
                LongestPause,
                $"The longest pause between attempts to connect is the first one ({FirstPause}) to 1 day.");
        }

        if (MaxRefusals < 1)
        {
            throw new ArgumentOutOfRangeException(nameof(MaxRefusals), MaxRefusals, "Give up after 1 refusal or more.");
        }

        if (GiveUpAfter != Timeout.InfiniteTimeSpan && (GiveUpAfter <= TimeSpan.Zero || GiveUpAfter.TotalMilliseconds > int.MaxValue))
        {
            throw new ArgumentOutOfRangeException(
                nameof(
                    GiveUpAfter), GiveUpAfter, "Give up after more than zero and at most 24 days, or use Timeout.InfiniteTimeSpan to go " +
                        "on for ever.");
        }
    }
}
