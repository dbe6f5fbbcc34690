using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>
/// Numbered messages, and the order in which they have arrived in a queue that outlives connections. Its own connection is not harmed.
/// </summary>
internal sealed class Arrivals : IAsyncDisposable
{
    private readonly TestChannel _tested;
    private readonly Lock _gate = new();
    private readonly List<int> _numbers = [];
    private readonly HashSet<int> _distinct = [];
    private readonly List<(int Distinct, TaskCompletionSource Reached)> _waiting = [];

    private Arrivals(TestChannel tested, string queue) => (_tested, Queue) = (tested, queue);

    public string Queue { get; }

    public TestChannel Tested => _tested;

    /// <summary>All that have come so far, with those that came more than once.</summary>
    public int[] Numbers
    {
        get
        {
            lock (_gate)
            {
                return [.. _numbers];
            }
        }
    }

    /// <summary>Declares a queue and consumes it.</summary>
    public static async Task<Arrivals> ListenAsync()
    {
        TestChannel tested = await TestChannel.OpenAsync();
        var arrivals = new Arrivals(tested, Broker.UniqueName());
        await tested.Channel.Topology.DeclareQueueAsync(arrivals.Queue).InTime();
        await tested.Channel.ConsumeAsync(arrivals.Queue, delivery =>
        {
            arrivals.Add(BitConverter.ToInt32(delivery.Body.FirstSpan));
            return default;
        }).InTime();
        return arrivals;
    }

    /// <summary>Publishes a number.</summary>
    public Task PublishAsync(
        AmqpChannel channel, int number, FrameWriting? writing = null, int padding = 0, CancellationToken cancellationToken = default) =>
        channel.PublishBytesAsync(new BasicPublish { Exchange = "", RoutingKey = Queue }, default,
            (byte[])[.. BitConverter.GetBytes(number), .. new byte[padding]], writing, cancellationToken: cancellationToken).AsTask();

    /// <summary>Waits until so many different ones have come.</summary>
    public Task ReachedAsync(int distinct)
    {
        lock (_gate)
        {
            if (_distinct.Count >= distinct)
            {
                return Task.CompletedTask;
            }

            var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            _waiting.Add((distinct, reached));
            return reached.Task.InTime();
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _tested.Channel.Topology.DeleteQueueAsync(Queue).InTime();
        await _tested.DisposeAsync();
    }

    private void Add(int number)
    {
        lock (_gate)
        {
            _numbers.Add(number);
            if (_distinct.Add(number))
            {
                _waiting.RemoveAll(waiting => waiting.Distinct <= _distinct.Count && waiting.Reached.TrySetResult());
            }
        }
    }
}
