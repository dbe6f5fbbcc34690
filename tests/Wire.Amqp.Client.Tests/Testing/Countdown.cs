using System.Threading.Channels;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>So many things have to happen: a task that ends with the last of them.</summary>
internal sealed class Countdown(int count)
{
    private readonly Channel<bool> _steps = Channel.CreateUnbounded<bool>();
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _happened;
    private int _waited;

    public Task Task => _done.Task;

    public void Signal()
    {
        _steps.Writer.TryWrite(true);
        if (Interlocked.Increment(ref _happened) == count)
        {
            _done.TrySetResult();
        }
    }

    /// <summary>Waits until so many have happened since the beginning.</summary>
    public async Task ReachedAsync(int happened)
    {
        for (; _waited < happened; _waited++)
        {
            await _steps.Reader.ReadAsync().AsTask().InTime();
        }
    }
}
