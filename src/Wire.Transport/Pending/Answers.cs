namespace Wire.Transport.Pending;

/// <summary>Waits for answers of the other side.</summary>
internal static class Answers
{
    // The time between two checks whether waiting still makes sense.
    private static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    /// <summary>Waits for an answer for a time, or only for a moment where none will come. Does not throw.</summary>
    /// <param name="answer">The answer.</param>
    /// <param name="timeout">For how long.</param>
    /// <param name="isInVain">True if the other side does not read requests.</param>
    /// <param name="time">The time that passes.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Whether it has come, or has failed to.</returns>
    public static async Task<bool> CameAsync(
        this Task answer, TimeSpan timeout, Func<bool> isInVain, TimeProvider time, CancellationToken cancellationToken)
    {
        for (TimeSpan left = timeout; left > TimeSpan.Zero && !cancellationToken.IsCancellationRequested; left -= Look)
        {
            await answer.WaitAsync(left < Look ? left : Look, time, cancellationToken)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (answer.IsCompleted || isInVain())
            {
                break;
            }
        }

        return answer.IsCompleted;
    }
}
