using Wire.Amqp.Client;

namespace Wire.Tool.ErrorQueues;

/// <summary>Messages of an error queue that are to be sent back: the broker has them until they are acknowledged.</summary>
internal sealed class TakenMessages : IDisposable
{
    // The memory of a message beside its body.
    private const int Cost = 1024;

    private readonly List<(long Number, AmqpDelivery Delivery, OriginalMessage Message)> _all = [];

    /// <summary>Gets the messages, with their numbers.</summary>
    public IReadOnlyList<(long Number, AmqpDelivery Delivery, OriginalMessage Message)> All => _all;

    /// <summary>Gets the number of messages.</summary>
    public int Count => _all.Count;

    /// <summary>Gets the memory that they take, about, in bytes.</summary>
    public long Bytes { get; private set; }

    /// <summary>Adds a message.</summary>
    public void Add(long number, AmqpDelivery delivery, OriginalMessage message)
    {
        _all.Add((number, delivery, message));
        Bytes += delivery.Body.Length + Cost;
    }

    /// <inheritdoc/>
    public void Dispose() => _all.ForEach(message => message.Delivery.Dispose());
}
