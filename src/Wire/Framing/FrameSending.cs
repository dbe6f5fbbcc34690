using System.Buffers;
using System.IO.Pipelines;

namespace Wire.Framing;

/// <summary>Sends the values of a sequence as frames, as many at a time as there are.</summary>
/// <param name="target">Where they go.</param>
/// <param name="write">Writes one frame, and returns its length. When it fails, nothing of the frame has been written.</param>
/// <param name="breakSession">Ends the session, because frames that were written may not arrive.</param>
internal sealed class FrameSending<T>(FrameTarget target, Func<T, IBufferWriter<byte>, int> write, Action? breakSession)
{
    private static readonly TimeSpan LastSend = TimeSpan.FromSeconds(2);

    // How many bytes are sent at once: a network takes no longer for them than for a single frame.
    private const int FullBytes = 1 << 15;

    private long _waiting;
    private FlushResult _result;

    /// <summary>Sends all values.</summary>
    /// <returns>The result of the last flush: of one that wants no more, or has been cancelled, or of the end.</returns>
    public async ValueTask<FlushResult> SendAllAsync(IAsyncEnumerable<T> values, CancellationToken cancellationToken)
    {
        using (target)
        using (var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken))
        {
            IAsyncEnumerator<T> source = values.GetAsyncEnumerator(stop.Token);
            await using (source.ConfigureAwait(false))
            {
                try
                {
                    await SendAllAsync(source, stop, cancellationToken).ConfigureAwait(false);
                }
                catch (Exception) when (_waiting > 0)
                {
                    await TrySendRestAsync(cancellationToken).ConfigureAwait(false);
                    throw;
                }
            }

            return _result;
        }
    }

    private async ValueTask SendAllAsync(IAsyncEnumerator<T> source, CancellationTokenSource stop, CancellationToken cancellationToken)
    {
        while (true)
        {
            // Before a value is taken: one that has been taken is written, and sent unless a flush fails.
            cancellationToken.ThrowIfCancellationRequested();
            ValueTask<bool> next = source.MoveNextAsync();
            bool isFound;
            if (_waiting > 0 && !next.IsCompleted)
            {
                Task<bool> later = next.AsTask();
                if (!await FlushOrStopAsync(later, stop, cancellationToken).ConfigureAwait(false))
                {
                    KeepLast(source, later);
                    return;
                }

                isFound = await later.ConfigureAwait(false);
            }
            else
            {
                isFound = await next.ConfigureAwait(false);
            }

            if (!isFound)
            {
                break;
            }

            _waiting += write(source.Current, target.Output);
            if (_waiting >= FullBytes && !await FlushAsync(cancellationToken).ConfigureAwait(false))
            {
                return;
            }
        }

        if (_waiting > 0)
        {
            await FlushAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    // The source may have had a value before it was told to stop. In a pipe whose flush was cancelled it waits with those before it; a
    // reader that has gone takes none.
    private void KeepLast(IAsyncEnumerator<T> source, Task<bool> next)
    {
        if (_result is { IsCanceled: true, IsCompleted: false } && next is { IsCompletedSuccessfully: true, Result: true })
        {
            write(source.Current, target.Output);
        }
    }

    // Flushes while the source waits. An enumerator cannot be disposed of before its wait ends, so that it is asked to end it.
    private async ValueTask<bool> FlushOrStopAsync(Task next, CancellationTokenSource stop, CancellationToken cancellationToken)
    {
        bool goesOn = false;
        try
        {
            return goesOn = await FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            if (!goesOn)
            {
                await stop.CancelAsync().ConfigureAwait(false);
                await next.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }

    /// <summary>Sends what waits; false when no more is wanted.</summary>
    private async ValueTask<bool> FlushAsync(CancellationToken cancellationToken)
    {
        // A flush that has not begun is none that was cancelled: what waits is whole, and still goes out.
        cancellationToken.ThrowIfCancellationRequested();
        _result = await SendAsync(cancellationToken).ConfigureAwait(false);
        return _result is { IsCompleted: false, IsCanceled: false };
    }

    // Sends what came before a failure. Should that fail as well, the first failure says more, and the session has ended. When the token
    // is cancelled, it stays in a pipe for the next flush, and nobody else has it of a stream: that gets a time of its own, in which a
    // peer that reads takes it.
    private async ValueTask TrySendRestAsync(CancellationToken cancellationToken)
    {
        bool isCancelled = cancellationToken.IsCancellationRequested;
        if (isCancelled && target.KeepsWritten)
        {
            return;
        }

        using var last = isCancelled ? new CancellationTokenSource(LastSend) : null;
        try
        {
            await SendAsync(last?.Token ?? cancellationToken).ConfigureAwait(false);
        }
        catch (Exception)
        {
        }
    }

    private async ValueTask<FlushResult> SendAsync(CancellationToken cancellationToken)
    {
        _waiting = 0;
        try
        {
            return await target.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            // It is unknown how much of the frames was sent, and the session counts all of their definitions as sent.
            breakSession?.Invoke();
            throw;
        }
    }
}
