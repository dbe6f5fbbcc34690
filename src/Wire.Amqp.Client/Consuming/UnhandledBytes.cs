namespace Wire.Amqp.Client.Consuming;

/// <summary>
/// The bytes that wait for handlers, on a connection whose broker does not limit deliveries: without acknowledgements, or without a
/// prefetch count. Beyond a limit the receive loop reads slowly, so that the broker keeps the rest. It does not stop: a handler may be
/// waiting for an answer that the broker sends after the messages.
/// </summary>
/// <param name="limit">The number of bytes from which it reads slowly.</param>
internal sealed class UnhandledBytes(long limit)
{
    // The longest wait, and the number of checks in it: until then there is enough to handle.
    private const int Looks = 10;
    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(10);

    // Added by the receive loop alone.
    private long _added;
    private long _ended;

    /// <summary>Gets whether the loop should wait.</summary>
    public bool IsFull => _added - Volatile.Read(ref _ended) > limit;

    /// <summary>Adds bytes that wait for a handler. On the receive loop.</summary>
    public void Add(long bytes) => _added += bytes;

    /// <summary>Removes bytes that no longer wait. On any thread.</summary>
    public void Remove(long bytes) => Interlocked.Add(ref _ended, bytes);

    /// <summary>Waits for room, for a limited time. On the receive loop.</summary>
    public void Wait()
    {
        for (int i = 0; i < Looks && IsFull; i++)
        {
            Thread.Sleep(Look);
        }
    }

    /// <inheritdoc cref="Wait"/>
    public async ValueTask WaitAsync()
    {
        for (int i = 0; i < Looks && IsFull; i++)
        {
            await Task.Delay(Look).ConfigureAwait(false);
        }
    }
}
