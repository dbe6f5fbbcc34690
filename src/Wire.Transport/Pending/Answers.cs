namespace Wire.Transport.Pending;

/// <summary>Waits for what the other side answers.</summary>
internal static class Answers
{
    // Between two looks at whether it is still worth the while.
    private static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    /// <summary>Waits for an answer for a time, and no longer than a moment where there will be none. Does not throw.</summary>
    /// <param name="answer">The answer.</param>
    /// <param name="timeout">For how long.</param>
    /// <param name="isInVain">Whether the other side does not hear what it is asked.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>Whether it has come, or has failed to.</returns>
    public static async Task<bool> CameAsync(
        this Task answer, TimeSpan timeout, Func<bool> isInVain, CancellationToken cancellationToken)
    {
        for (TimeSpan left = timeout; left > TimeSpan.Zero && !cancellationToken.IsCancellationRequested; left -= Look)
        {
            await answer.WaitAsync(left < Look ? left : Look, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (answer.IsCompleted || isInVain())
            {
                break;
            }
        }

        return answer.IsCompleted;
    }
}
