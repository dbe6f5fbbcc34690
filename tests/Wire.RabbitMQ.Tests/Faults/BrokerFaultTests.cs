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
