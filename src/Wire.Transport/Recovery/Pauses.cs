using System.Diagnostics;

namespace Wire.Transport.Recovery;

/// <summary>The pauses between attempts: each is about twice as long as the one before, up to the longest.</summary>
internal sealed class Pauses(RecoveryOptions recovery)
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

    /// <summary>Waits for the next one, or for the end of what the attempt is to be made on: then there is none.</summary>
    public async Task WaitAsync(Task ended, CancellationToken cancellationToken)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        await Task.WhenAny(WaitAsync(over.Token), ended).ConfigureAwait(false);
        await over.CancelAsync().ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
    }

    /// <summary>Waits for the next one after an attempt that seemed to succeed, unless what came of it has lasted longer: then it begins anew.</summary>
    /// <param name="since">When it succeeded, as <see cref="Stopwatch.GetTimestamp"/> says it.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public Task WaitAfterAsync(long since, CancellationToken cancellationToken)
    {
        if (Stopwatch.GetElapsedTime(since) < _next)
        {
            return WaitAsync(cancellationToken);
        }

        _next = recovery.FirstPause;
        return Task.CompletedTask;
    }
}
