using Wire.Amqp.Client;

namespace Parcels;

/// <summary>Exchanges, queues and bindings.</summary>
internal static class Topology
{
    public static async Task DeclareAsync(AmqpChannel channel, string exchange, string queue)
    {
        #region declare
        await channel.Topology.DeclareExchangeAsync(exchange, "topic");
        await channel.Topology.DeclareQueueAsync(queue, new AmqpQueueOptions
        {
            Arguments = new Dictionary<string, object?> { ["x-max-length"] = 100_000 },
        });
        await channel.Topology.BindQueueAsync(queue, exchange, "parcel.#");
        #endregion

        #region find
        AmqpQueueInfo? found = await channel.Topology.FindQueueAsync(queue); // null where there is none; the channel goes on either way
        #endregion

        Console.WriteLine($"  {found!.MessageCount} messages and {found.ConsumerCount} consumers");
    }
}
