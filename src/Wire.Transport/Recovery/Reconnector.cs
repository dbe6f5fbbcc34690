namespace Wire.Transport.Recovery;

/// <summary>
/// Makes attempts until one succeeds: each after a pause that is about twice as long as the one before, up to the longest. Whether a
/// connection, a channel, a subscription or a declaration comes back, this is what decides when the next attempt is made, and whether there
/// is one.
/// </summary>
/// <remarks>
/// <para>Kept for as long as what it brings back. Where that has lasted longer than the next pause, the first attempt is made at once;
/// otherwise it waits too. The pauses begin again where it has lasted as long as the longest of them, and grow otherwise, so that a broker
/// that takes everyone and drops them soon is not called endlessly.</para>
/// <para>One run at a time; not thread-safe.</para>
/// </remarks>
internal sealed class Reconnector
{
    private readonly TimeSpan _first;
    private readonly TimeSpan _longest;
    private readonly TimeSpan? _limit;
    private readonly TimeProvider _time;
    private readonly Func<Exception, bool> _isRefused = static _ => false;
    private readonly int _maxRefusals = int.MaxValue;
    private int _refusals;

    // When it last succeeded; null where nothing can have been lost yet.
    private long? _since;

    /// <summary>Waits for one of its own pauses.</summary>
    /// <param name="first">The first pause.</param>
    /// <param name="longest">The longest.</param>
    /// <param name="limit">How long a run takes at most, with the attempts in it; endlessly when left out.</param>
    /// <param name="time">Where the time of the pauses comes from.</param>
    public Reconnector(TimeSpan first, TimeSpan longest, TimeSpan? limit = null, TimeProvider? time = null)
    {
        Pause = _first = first;
        _longest = longest;
        _limit = limit == Timeout.InfiniteTimeSpan ? null : limit;
        _time = time ?? TimeProvider.System;
    }

    /// <summary>Creates one with the pauses of a connection, which never gives up.</summary>
    public Reconnector(RecoveryOptions recovery)
        : this(recovery.FirstPause, recovery.LongestPause)
    {
    }

    /// <summary>Creates one with the pauses of a connection, which gives up as that does.</summary>
    /// <param name="recovery">When.</param>
    /// <param name="isRefused">True if what an attempt has failed by is a refusal, which another one does not change.</param>
    public Reconnector(RecoveryOptions recovery, Func<Exception, bool> isRefused)
        : this(recovery.FirstPause, recovery.LongestPause, recovery.GiveUpAfter) =>
            (_isRefused, _maxRefusals) = (isRefused, recovery.MaxRefusals);

    /// <summary>The next pause, at most.</summary>
    public TimeSpan Pause { get; private set; }

    /// <summary>Begins with an existing connection, without an attempt.</summary>
    public void StartClock() => _since = _time.GetTimestamp();

    /// <summary>Makes attempts until one succeeds.</summary>
    /// <param name="attempt">
    /// Makes one; false where it is to be made again. Its token fires with the other, and when the limit is reached.
    /// </param>
    /// <param name="isPassing">True if another attempt may overcome a failure; what is not goes to the caller.</param>
    /// <param name="tell">
    /// Called with the outcome of each attempt and its number, from 1: null where it succeeded, otherwise the reason.
    /// </param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="TimeoutException">The limit is reached; with the last failure inside, where there was one.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public async Task RunAsync(
        Func<CancellationToken, Task<bool>> attempt, Func<Exception, bool> isPassing, Action<int, Exception?>? tell,
        CancellationToken cancellationToken)
    {
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        if (_limit is { } most)
        {
            limited.CancelAfter(most);
        }

        _refusals = 0;
        long begin = _time.GetTimestamp();
        Exception? last = null;
        await WaitForTheFirstAsync(cancellationToken).ConfigureAwait(false);
        for (int number = 1; ; number++)
        {
            try
            {
                if (await attempt(limited.Token).ConfigureAwait(false))
                {
                    StartClock();
                    tell?.Invoke(number, null);
                    return;
                }
            }
            catch (Exception e) when (cancellationToken.IsCancellationRequested && e is not OperationCanceledException && isPassing(e))
            {
                // Whatever it failed by meanwhile, there would have been another one.
                throw new OperationCanceledException("The attempts to connect were stopped.", e, cancellationToken);
            }
            catch (Exception e) when (!cancellationToken.IsCancellationRequested
                && ((isPassing(e) && !IsTooMany(e)) || (limited.IsCancellationRequested && e is OperationCanceledException)))
            {
                // Of the limit it is said below; what the attempts before failed by says more.
                last = last is null || e is not OperationCanceledException ? e : last;
                tell?.Invoke(number, e);
            }

            if (_time.GetElapsedTime(begin) + Pause > _limit || limited.IsCancellationRequested)
            {
                cancellationToken.ThrowIfCancellationRequested();
                throw new TimeoutException($"{number} attempts have failed within {_limit!.Value.TotalSeconds:0.###} s.", last);
            }

            await PauseAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>The same, for attempts that give something: null where they are to be made again.</summary>
    /// <inheritdoc
    /// cref="RunAsync(Func{CancellationToken, Task{bool}}, Func{Exception, bool}, Action{int, Exception?}?, CancellationToken)"/>
    public async Task<T> RunAsync<T>(
        Func<CancellationToken, Task<T?>> attempt, Func<Exception, bool> isPassing, Action<int, Exception?>? tell,
        CancellationToken cancellationToken)
        where T : class
    {
        T? made = null;
        await RunAsync(async token => (made = await attempt(token).ConfigureAwait(false)) is not null, isPassing, tell, cancellationToken)
            .ConfigureAwait(false);
        return made!;
    }

    /// <summary>Waits as before another attempt.</summary>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    public Task PauseAsync(CancellationToken cancellationToken)
    {
        TimeSpan pause = Pause;
        Grow();

        // Clients that have lost the same broker do not reconnect at the same moment.
        return Task.Delay(pause * (0.5 + (Random.Shared.NextDouble() / 2)), _time, cancellationToken);
    }

    // In a queue: what fails otherwise in between is a broker that is being changed.
    private bool IsTooMany(Exception failure)
    {
        _refusals = _isRefused(failure) ? _refusals + 1 : 0;
        return _refusals >= _maxRefusals;
    }

    private Task WaitForTheFirstAsync(CancellationToken cancellationToken)
    {
        if (_since is not { } since)
        {
            return Task.CompletedTask;
        }

        TimeSpan session = _time.GetElapsedTime(since);
        if (session >= _longest)
        {
            Pause = _first;
        }
        else if (session < Pause)
        {
            return PauseAsync(cancellationToken);
        }
        else
        {
            Grow();
        }

        return Task.CompletedTask;
    }

    private void Grow() => Pause = Pause * 2 < _longest ? Pause * 2 : _longest;
}
