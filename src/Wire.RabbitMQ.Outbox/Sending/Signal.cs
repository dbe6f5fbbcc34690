namespace Wire.RabbitMQ.Outbox.Sending;

/// <summary>Wakes the one who waits: once, however often it is set meanwhile. Any thread may set it.</summary>
internal sealed class Signal
{
    private TaskCompletionSource _set = New();

    /// <summary>Sets it.</summary>
    public void Set() => Volatile.Read(ref _set).TrySetResult();

    /// <summary>Waits until it is set, for a time at most, and resets it.</summary>
    public async Task WaitAsync(TimeSpan time, CancellationToken cancellationToken)
    {
        Task set = _set.Task;
        await set.WaitAsync(time, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellationToken.ThrowIfCancellationRequested();
        if (set.IsCompleted)
        {
            // What is set at this moment is lost, and is seen by what follows the wait.
            Volatile.Write(ref _set, New());
        }
    }

    private static TaskCompletionSource New() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
