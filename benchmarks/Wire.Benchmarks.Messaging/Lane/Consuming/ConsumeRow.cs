using Bench;
using Wire.Benchmarks.Messaging.Lane.Server;
using Wire.Benchmarks.Messaging.Tables;

namespace Wire.Benchmarks.Messaging.Lane.Consuming;

/// <summary>Where messages to be consumed come from.</summary>
internal interface IConsumeSource : IAsyncDisposable
{
    Uri Uri { get; }

    /// <summary>The queue that is consumed from.</summary>
    string Queue { get; }

    Task OpenAsync();

    /// <summary>Has so many messages in the queue.</summary>
    Task FillAsync(int messages);
}

/// <summary>A queue of a broker, filled before each measurement.</summary>
internal sealed class BrokerSource(Uri broker, Load load) : IConsumeSource
{
    private readonly BrokerQueue _queue = new(broker);

    public Uri Uri => broker;

    public string Queue => _queue.Name;

    public Task OpenAsync() => _queue.DeclareAsync();

    public async Task FillAsync(int messages)
    {
        await _queue.EmptyAsync();
        _queue.Fill(load, messages);
    }

    public ValueTask DisposeAsync() => _queue.DisposeAsync();
}

/// <summary>A sink that delivers as fast as it is acknowledged.</summary>
internal sealed class SinkSource(SinkProcess sink, Load load) : IConsumeSource
{
    public Uri Uri => sink.Uri;

    public string Queue { get; private set; } = "";

    public Task OpenAsync() => Task.CompletedTask;

    public Task FillAsync(int messages)
    {
        Queue = Source.Named(load.Parcel.Content.Length, messages);
        return Task.CompletedTask;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}

/// <summary>Consumes what is in a queue, on a connection that is open and a channel of its own each time, with so many messages under way.</summary>
/// <param name="name">What the row is called.</param>
/// <param name="messages">How many messages one measurement takes.</param>
/// <param name="source">Where they come from.</param>
/// <param name="load">What they hold.</param>
internal abstract class ConsumeRow(string name, int messages, IConsumeSource source, Load load) : MessageRow(name, messages)
{
    /// <summary>How many messages may be under way.</summary>
    public const ushort Prefetch = 1_000;

    /// <summary>How many are acknowledged together by those that count.</summary>
    public const int Together = 100;

    private TaskCompletionSource _all = new();
    private int _received;

    protected IConsumeSource Source => source;

    public override Task OpenAsync() => source.OpenAsync();

    public override async Task PrepareAsync()
    {
        await source.FillAsync(Messages);
        _received = 0;
        _all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    public override ValueTask CloseAsync() => source.DisposeAsync();

    /// <summary>When all have been received.</summary>
    protected Task All => _all.Task;

    /// <summary>What a handler does with an object.</summary>
    /// <returns>How many have been received.</returns>
    protected int Take(Parcel? parcel) => Check(parcel?.Content.Length == load.Parcel.Content.Length);

    /// <summary>What a handler does with bytes.</summary>
    /// <returns>How many have been received.</returns>
    protected int Take(long length) => Check(length == load.Body.Length);

    // Deliveries come one after the other.
    private int Check(bool isExpected)
    {
        if (!isExpected)
        {
            _all.TrySetException(new InvalidOperationException("What came is not what was sent."));
        }

        if (++_received == Messages)
        {
            _all.TrySetResult();
        }

        return _received;
    }
}
