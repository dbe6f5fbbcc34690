using System.Collections.Concurrent;
using Wire.RabbitMQ.Streams.Producing;

namespace Wire.RabbitMQ.Streams.SuperStreams;

/// <summary>The producers of the partitions that a super stream has at a time, and the routes of keys among them. Thread-safe.</summary>
internal sealed class PartitionTable(StreamProducer[] producers)
{
    // So many keys are remembered with where they lead to. Programs whose keys have no end route by hash.
    private const int MostRoutes = 100_000;

    // Each of them alone, as most keys lead to one.
    private readonly StreamProducer[][] _alone = [.. producers.Select(producer => new[] { producer })];
    private readonly ConcurrentDictionary<string, StreamProducer[]> _routes = new(StringComparer.Ordinal);

    /// <summary>Gets the producers, in the order of the partitions.</summary>
    public StreamProducer[] Producers => producers;

    /// <summary>Finds the producer of a key by its hash.</summary>
    public StreamProducer Find(string routingKey) => producers[IndexOf(routingKey)];

    /// <inheritdoc cref="Find(string)"/>
    public StreamProducer[] FindAlone(string routingKey) => _alone[IndexOf(routingKey)];

    /// <summary>Gets the producers that are remembered for a key; null for none.</summary>
    public StreamProducer[]? Recall(string routingKey) => _routes.GetValueOrDefault(routingKey);

    /// <summary>Gets whether it has a partition.</summary>
    public bool Has(string stream) => Array.Exists(producers, producer => producer.Stream == stream);

    /// <summary>Finds the producers of the streams that a key leads to, and remembers them unless there are none.</summary>
    public StreamProducer[] Remember(string routingKey, IReadOnlyList<string> streams)
    {
        StreamProducer[] found = Array.FindAll(producers, producer => streams.Contains(producer.Stream, StringComparer.Ordinal));
        if (found.Length > 0 && _routes.Count < MostRoutes)
        {
            _routes.TryAdd(routingKey, found);
        }

        return found;
    }

    private int IndexOf(string routingKey)
    {
        ArgumentNullException.ThrowIfNull(routingKey);
        return PartitionHash.Compute(routingKey, producers.Length);
    }
}
