using RabbitMQ.Client;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>How a run is made.</summary>
internal sealed record FaultSettings
{
    /// <summary>What carries the messages.</summary>
    public WireTransport Transport { get; init; }

    /// <summary>Makes what connects to the broker; each call makes another, to a node that runs.</summary>
    public required Func<ConnectionFactory> Factory { get; init; }

    /// <summary>The arguments of the queue.</summary>
    public Dictionary<string, object?>? Queue { get; init; }

    /// <summary>How many messages there are. A message that fails is published again until it is confirmed.</summary>
    public int Messages { get; init; } = 2000;

    /// <summary>How long is waited before that.</summary>
    public TimeSpan Pause { get; init; }

    /// <summary>How often the fault happens, at random counts of messages that are about equally far apart.</summary>
    public int Times { get; init; } = 8;

    /// <summary>Where the random numbers begin.</summary>
    public int Seed { get; init; } = 1;

    /// <summary>How many messages are published side by side.</summary>
    public int Publishers { get; init; } = 64;

    /// <summary>Whether messages are gathered.</summary>
    public bool Gathers { get; init; }

    /// <summary>How many handlers may run at a time.</summary>
    public int MaxConcurrency { get; init; } = 8;

    /// <summary>How often a message fails, and waits in a delay queue, before it is handled.</summary>
    public int Retries { get; init; }

    /// <summary>How many messages the consumer is sent ahead.</summary>
    public ushort Prefetch { get; init; } = 24;
}
