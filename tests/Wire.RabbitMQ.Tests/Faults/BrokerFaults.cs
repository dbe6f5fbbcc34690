using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>The broker itself goes away and comes back, in order or not: a confirmed message is on its disk.</summary>
internal static class BrokerFaults
{
    /// <summary>The broker is told to stop.</summary>
    public static Fault Stop(PrivateNode node) => Of("the broker stopped and started", node, node.StopAsync);

    /// <summary>The broker's process is killed. The queue is on its disk by then: that for errors has been declared behind it.</summary>
    public static Fault Kill(PrivateNode node) => Of("the broker killed and started", node, node.KillAsync);

    /// <summary>The same, and then the consumer's connection is cut while messages come back from their delays.</summary>
    public static Fault KillAndCut(PrivateNode node)
    {
        Fault kill = Kill(node);
        Fault cut = Faults.Named("the consumer's connection reset");
        return new("the broker killed and started, and the consumer cut", async (run, random) =>
        {
            // Queues that were declared in the last two seconds may not be on its disk.
            await Task.Delay(TimeSpan.FromSeconds(2));
            await kill.Strike(run, random);
            await cut.Strike(run, random);
        })
        {
            IsSlow = true,
        };
    }

    private static Fault Of(string name, PrivateNode node, Func<Task> stop) => new(name, async (run, _) =>
    {
        Task published = run.Publishing.NextRecovery();
        Task consumed = run.Consuming.NextRecovery();
        await stop();
        await node.StartAsync();
        await Task.WhenAll(published, consumed).InTime();
    })
    {
        IsSlow = true,
    };
}
