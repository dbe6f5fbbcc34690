using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Xunit.Abstractions;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>
/// Whatever happens to its connections: every confirmed message is delivered at least once, and those that are not fail visibly.
/// </summary>
public abstract class FaultTests(WireTransport transport, ITestOutputHelper output)
{
    public static TheoryData<string> Names { get; } = [.. Faults.All.Select(fault => fault.Name)];

    // The whole of it: 100,000 messages, and a hundred lost connections at random times, half of them the publisher's.
    [Fact]
    public async Task Nothing_confirmed_is_lost_of_many()
    {
        FaultSettings settings = Sweep.IsWhole
            ? new FaultSettings { Transport = transport, Factory = Broker.Node.Factory, Messages = 100_000, Times = 50, Seed = 2 }
            : new FaultSettings { Transport = transport, Factory = Broker.Node.Factory, Messages = 5000, Times = 10, Seed = 2 };
        output.WriteLine(await FaultCheck.RunAsync(Faults.Named("both cut at random times, and refused for a while"), settings));
    }

    [Theory]
    [InlineData("the consumer stopped and started, and cut")]
    [InlineData("both cut at random times, and refused for a while")]
    public async Task Nothing_that_waits_for_a_retry_is_lost_or_tried_too_often(string name) =>
        output.WriteLine(await FaultCheck.RunAsync(Faults.Named(name), new FaultSettings
        {
            Transport = transport,
            Factory = Broker.Node.Factory,
            Messages = Sweep.IsWhole ? 2000 : 400,
            Times = Sweep.IsWhole ? 8 : 3,
            Retries = Sweep.IsWhole ? 4 : 2,
        }));

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Nothing_confirmed_is_lost(string name)
    {
        Fault fault = Faults.Named(name);
        int times = fault.IsSlow ? (Sweep.IsWhole ? 2 : 1) : Sweep.IsWhole ? 8 : 3;
        output.WriteLine(await FaultCheck.RunAsync(
            fault, new FaultSettings { Transport = transport, Factory = Broker.Node.Factory, Times = times }));
    }
}

/// <inheritdoc/>
public sealed class FaultTestsOnClient(ITestOutputHelper output) : FaultTests(WireTransport.Client, output);

/// <inheritdoc/>
public sealed class FaultTestsOnLane(ITestOutputHelper output) : FaultTests(WireTransport.DirectLane, output);
