using Wire.Amqp;

namespace Wire.RabbitMQ.Publishing;

/// <summary>The properties that objects which are gathered in one message have in common.</summary>
/// <param name="Options">How they are gathered.</param>
/// <param name="Exchange">The exchange.</param>
/// <param name="RoutingKey">The routing key.</param>
/// <param name="IsMandatory">Whether the message is returned when it cannot be routed.</param>
/// <param name="DeliveryMode">Whether it survives a restart of the broker.</param>
/// <param name="Priority">The priority.</param>
/// <param name="Expiration">The time for which it may wait in a queue.</param>
/// <param name="UserId">The user.</param>
/// <param name="OrderingKey">The key of their order.</param>
internal readonly record struct GatheringKey(
    GatheringOptions Options, string Exchange, string RoutingKey, bool IsMandatory, byte DeliveryMode, byte? Priority, string? Expiration,
    string? UserId, string? OrderingKey);

/// <summary>A message that objects are gathered in. Used again; the gatherer's gate protects it.</summary>
internal sealed class Gathering : IDisposable
{
    private readonly Timer _timer;

    /// <summary>Makes an empty one.</summary>
    /// <param name="timeOut">Called when objects have waited as long as they may, or have not waited at all.</param>
    public Gathering(Action<Gathering> timeOut)
    {
        bool flows = !ExecutionContext.IsFlowSuppressed();
        AsyncFlowControl flow = flows ? ExecutionContext.SuppressFlow() : default;
        _timer = new Timer(_ => timeOut(this), null, Timeout.Infinite, Timeout.Infinite);
        if (flows)
        {
            flow.Undo();
        }
    }

    /// <summary>Gets what its objects have in common.</summary>
    public GatheringKey Key { get; private set; }

    /// <summary>Gets its body.</summary>
    public GatheredBodyWriter Writer { get; } = new();

    /// <summary>Gets the end of all of its objects.</summary>
    public TaskCompletionSource Confirmed { get; private set; } = null!;

    /// <summary>Gets whether no other object is to be added.</summary>
    public bool IsFull => Writer.Count >= Key.Options.MaxCount || Writer.Length >= Key.Options.MaxBytes;

    /// <summary>Begins.</summary>
    public void Open(in GatheringKey key)
    {
        Key = key;
        Confirmed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _timer.Change(key.Options.MaxDelay, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Forgets its objects.</summary>
    public void Clear()
    {
        Writer.Clear();
        Key = default;
        Confirmed = null!;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _timer.Dispose();
        Writer.Dispose();
    }
}
