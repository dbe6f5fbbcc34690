namespace Wire.Amqp.Client;

/// <summary>What a channel is opened with.</summary>
public sealed record AmqpChannelOptions
{
    /// <summary>Whether the broker confirms each message, which its task then waits for: true by default.</summary>
    public bool Confirms { get; init; } = true;

    /// <summary>How many messages may be published and not confirmed: 2,048 by default, from 1 on. Further ones wait, in their order.</summary>
    public int MaxInFlight { get; init; } = 2048;

    /// <summary>How many deliveries the broker sends ahead to each consumer of the channel before they are acknowledged: 250 by default, 0 for no limit.</summary>
    public ushort Prefetch { get; init; } = 250;

    internal void Validate() => ArgumentOutOfRangeException.ThrowIfLessThan(MaxInFlight, 1);
}
