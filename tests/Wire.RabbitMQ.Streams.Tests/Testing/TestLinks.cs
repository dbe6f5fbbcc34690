using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Failures;
using Wire.RabbitMQ.Streams.Links;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>The links of one consumer, which a test can cut and withhold.</summary>
internal sealed class TestLinks(StreamClient client, string stream) : IConsumerLinks
{
    private readonly PooledLinks _pooled = new(client.Links, stream);
    private volatile StreamLink? _last;
    private volatile Task _mayRent = Task.CompletedTask;
    private int _rented;

    /// <summary>The link that was rented last.</summary>
    public StreamLink Last => _last!;

    /// <summary>How many have been rented.</summary>
    public int Rented => Volatile.Read(ref _rented);

    /// <summary>Ends the link that was rented last.</summary>
    public void Cut() => _last!.Abort("the test cuts it");

    /// <summary>Cuts, and lets no other be rented before a task has ended.</summary>
    public async Task CutUntilAsync(Func<Task> what)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _mayRent = done.Task;
        Cut();
        await Last.Ended;
        await what();
        done.SetResult();
    }

    public bool IsClosed => _pooled.IsClosed;

    public async Task<StreamLink> RentAsync(CancellationToken cancellationToken)
    {
        await _mayRent.WaitAsync(cancellationToken);
        StreamLink link = await _pooled.RentAsync(cancellationToken);
        _last = link;
        Interlocked.Increment(ref _rented);
        return link;
    }

    public Task ReturnAsync(StreamLink link) => _pooled.ReturnAsync(link);

    /// <summary>Starts a consumer over these links.</summary>
    public async Task<StreamConsumer> ConsumeAsync(ConsumerDispatch dispatch, StreamConsumerOptions? options = null)
    {
        options = (options ?? new StreamConsumerOptions { Offset = StreamOffset.First }).Validate();
        var consumer = new StreamConsumer(
            this, client.Options, stream, dispatch, options, new ErrorStream(client, stream, options));
        await consumer.StartAsync(CancellationToken.None);
        return consumer;
    }
}
