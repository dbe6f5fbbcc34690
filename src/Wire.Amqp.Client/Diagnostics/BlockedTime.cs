using System.Diagnostics.Metrics;
using Wire.Transport;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>
/// The time for which brokers have taken no messages, with that of blocks that last: it grows as that passes, and is asked for when someone
/// reads it. Thread-safe.
/// </summary>
internal sealed class BlockedTime
{
    private readonly Lock _gate = new();
    private readonly Dictionary<BrokerEndpoint, TimeSpan> _over = [];
    private readonly HashSet<Block> _blocks = [];

    /// <summary>Creates it, and its instrument.</summary>
    public BlockedTime(Meter meter) => meter.CreateObservableCounter(
        "wire.amqp.client.connections.blocked_time",
        Observe,
        "s",
        "Time for which the broker has blocked connections, that of blocks that last included.");

    /// <summary>Shows a broker before it blocks a connection for the first time.</summary>
    public void Show(BrokerEndpoint server)
    {
        lock (_gate)
        {
            _over.TryAdd(server, TimeSpan.Zero);
        }
    }

    /// <summary>Begins the block of a connection.</summary>
    public Block Begin(BrokerEndpoint server, TimeProvider time)
    {
        var block = new Block(this, server, time);
        lock (_gate)
        {
            _blocks.Add(block);
        }

        return block;
    }

    private void End(Block block)
    {
        lock (_gate)
        {
            _blocks.Remove(block);
            _over[block.Server] += block.Elapsed;
        }
    }

    private Measurement<double>[] Observe()
    {
        lock (_gate)
        {
            ILookup<BrokerEndpoint, TimeSpan> lasting = _blocks.ToLookup(block => block.Server, block => block.Elapsed);
            return
            [
                .. _over.Select(each => new Measurement<double>(
                    each.Value.TotalSeconds + lasting[each.Key].Sum(time => time.TotalSeconds), ClientTelemetry.TagsOf(each.Key))),
            ];
        }
    }

    /// <summary>A block that lasts.</summary>
    internal sealed class Block(BlockedTime owner, BrokerEndpoint server, TimeProvider time)
    {
        private readonly long _since = time.GetTimestamp();

        public BrokerEndpoint Server => server;

        public TimeSpan Elapsed => time.GetElapsedTime(_since);

        /// <summary>Ends it. To be called once.</summary>
        public void End() => owner.End(this);
    }
}
