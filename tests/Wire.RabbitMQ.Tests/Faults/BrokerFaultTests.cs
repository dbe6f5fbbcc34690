using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Xunit.Abstractions;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>The broker itself goes away and comes back, in order or not: a confirmed message is on its disk.</summary>
public abstract class BrokerFaultTests(WireTransport transport, PrivateNode node, ITestOutputHelper output)
{
    [Fact]
    public Task Nothing_confirmed_is_lost_when_the_broker_is_stopped_and_started() => CheckAsync(BrokerFaults.Stop(node));

    [Fact]
    public Task Nothing_confirmed_is_lost_when_the_broker_is_killed_and_started() => CheckAsync(BrokerFaults.Kill(node));

    // The whole of it: 20,000 messages with four retries each.
    [Fact]
    public async Task Nothing_that_waits_for_a_retry_is_lost_when_the_broker_is_killed_and_the_consumer_cut() => output.WriteLine(
        await FaultCheck.RunAsync(BrokerFaults.KillAndCut(node), new FaultSettings
        {
            Transport = transport,
            Factory = node.Node.Factory,
            Queue = new() { ["x-queue-type"] = "quorum" },
            Messages = Sweep.IsWhole ? 20_000 : 300,
            Times = Sweep.IsWhole ? 6 : 1,
            Retries = Sweep.IsWhole ? 4 : 2,
            MaxConcurrency = 64,
            Prefetch = 192,
        }));

    // The whole of it: a million objects.
    [Fact]
    public async Task Nothing_gathered_is_lost_when_the_broker_is_killed_and_the_consumer_cut() => output.WriteLine(
        await FaultCheck.RunAsync(BrokerFaults.KillAndCut(node), new FaultSettings
        {
            Transport = transport,
            Factory = node.Node.Factory,
            Gathers = true,
            Messages = Sweep.IsWhole ? 1_000_000 : 3_000,
            Times = Sweep.IsWhole ? 6 : 1,
            Publishers = Sweep.IsWhole ? 4_000 : 500,
            MaxConcurrency = 64,
            Prefetch = 8,
        }));

    private async Task CheckAsync(Fault fault) =>
        output.WriteLine(
            await FaultCheck.RunAsync(fault, new FaultSettings { Transport = transport, Factory = node.Node.Factory, Times = 1 }));
}

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class BrokerFaultTestsOnClient(PrivateNode node, ITestOutputHelper output)
    : BrokerFaultTests(WireTransport.Client, node, output);

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class BrokerFaultTestsOnLane(PrivateNode node, ITestOutputHelper output)
    : BrokerFaultTests(WireTransport.DirectLane, node, output);
