namespace Wire.Amqp.Transport;

/// <summary>The pauses between attempts: each is about twice as long as the one before, up to the longest.</summary>
internal struct Pauses(AmqpRecovery recovery)
{
    private TimeSpan _next = recovery.FirstPause;

    /// <summary>Waits for the next one.</summary>
    public Task WaitAsync(CancellationToken cancellationToken)
    {
        TimeSpan pause = _next;
        _next = pause * 2 < recovery.LongestPause ? pause * 2 : recovery.LongestPause;

        // Clients that have lost the same broker do not come back at the same moment.
        return Task.Delay(pause * (0.5 + (Random.Shared.NextDouble() / 2)), cancellationToken);
    }
}
