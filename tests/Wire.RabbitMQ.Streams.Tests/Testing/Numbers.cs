using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>The numbers that a handler has got, in their order, to be waited for. Thread-safe.</summary>
internal sealed class Numbers
{
    private readonly Lock _gate = new();
    private readonly List<int> _numbers = [];
    private readonly List<(int Count, TaskCompletionSource Source)> _waiting = [];

    public int[] All
    {
        get
        {
            lock (_gate)
            {
                return [.. _numbers];
            }
        }
    }

    public int Count
    {
        get
        {
            lock (_gate)
            {
                return _numbers.Count;
            }
        }
    }

    public void Add(int number)
    {
        lock (_gate)
        {
            _numbers.Add(number);
            _waiting.RemoveAll(each => each.Count <= _numbers.Count && each.Source.TrySetResult());
        }
    }

    public ValueTask Add(StreamMessage message)
    {
        Add(TestStream.NumberOf(message));
        return default;
    }

    /// <summary>Waits until there are so many.</summary>
    public async Task ReachAsync(int count)
    {
        var source = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_numbers.Count >= count)
            {
                return;
            }

            _waiting.Add((count, source));
        }

        try
        {
            await source.Task.WaitAsync(Patience.Limit);
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"Expected {count} messages, and {Count} have come.", e);
        }
    }
}
