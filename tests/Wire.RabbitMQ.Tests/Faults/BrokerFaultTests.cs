using Wire.RabbitMQ.Tests.Testing;
using Xunit.Abstractions;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>The broker itself goes away and comes back, in order or not: a confirmed message is on its disk.</summary>
[Collection(nameof(PrivateNode))]
public sealed class BrokerFaultTests(PrivateNode node, ITestOutputHelper output)
{
    [Fact]
    public Task Nothing_confirmed_is_lost_when_the_broker_is_stopped_and_started() => CheckAsync("the broker stopped and started", node.StopAsync);

    [Fact]
    public Task Nothing_confirmed_is_lost_when_the_broker_is_killed_and_started() => CheckAsync("the broker killed and started", node.KillAsync);

    private async Task CheckAsync(string name, Func<Task> stop) => output.WriteLine(await FaultCheck.RunAsync(
        new Fault(name, async (run, _) =>
        {
            Task published = run.Publishing.NextRecovery();
            Task consumed = run.Consuming.NextRecovery();
            await stop();
            await node.StartAsync();
            await Task.WhenAll(published, consumed).InTime();
        }),
        new FaultSettings { Factory = node.Node.Factory, Times = 1 }));
}
