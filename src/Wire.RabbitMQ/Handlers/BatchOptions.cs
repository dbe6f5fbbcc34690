namespace Wire.RabbitMQ;

/// <summary>Options of a handler of many messages at a time. Immutable.</summary>
public sealed record BatchOptions
{
    /// <summary>
    /// Gets the number of messages with which a batch is full: 1 and up; 100 unless set. The consumer has to handle as many at a time: <see
    /// cref="WireConsumerOptions.MaxConcurrency"/>.
    /// </summary>
    public int MaxCount { get; init; } = 100;

    /// <summary>
    /// Gets the time after its first message at which a batch is handled that is not full: zero to one day; 100 ms unless set.
    /// </summary>
    public TimeSpan MaxDelay { get; init; } = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Gets the number of batches that are handled at a time: 1 and up. 1 unless set, with which they are handled in their order.
    /// </summary>
    public int MaxConcurrent { get; init; } = 1;

    /// <summary>Checks the options for a consumer.</summary>
    /// <exception cref="ArgumentException">One is out of range, or the consumer does not handle as many.</exception>
    internal void Validate(WireConsumerOptions consumer)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxCount, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxConcurrent, 1);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxDelay, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(MaxDelay, TimeSpan.FromDays(1));
        if (consumer.OrderingKey is not null && MaxCount > 1)
        {
            throw new ArgumentException(
                $"The consumer of '{consumer.Queue}' has an {nameof(WireConsumerOptions.OrderingKey)}, with which one message of each " +
                $"key is handled at a time: a batch would have no others. Set {nameof(MaxCount)} to 1, or leave the key out.");
        }

        if (Math.Min(consumer.MaxConcurrency, consumer.EffectivePrefetch) is var most && most < MaxCount)
        {
            throw new ArgumentException(
                $"A batch of {MaxCount} messages would never be full, as the consumer of '{consumer.Queue}' handles {most} at a time: " +
                $"set {nameof(WireConsumerOptions.MaxConcurrency)}, and {nameof(WireConsumerOptions.PrefetchCount)} if it is set, to " +
                $"{MaxCount} or more, or {nameof(MaxCount)} to less.");
        }
    }
}
