using Wire.RabbitMQ.Tests.Testing;
using Wire.Tests.Testing;
using Xunit.Abstractions;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>Whatever happens to its connections: every confirmed message is delivered at least once, and those that are not fail visibly.</summary>
public sealed class FaultTests(ITestOutputHelper output)
{
    private static readonly bool IsLong = Repository.IsAskedFor("WIRE_TEST_LONG");

    public static TheoryData<string> Names { get; } = [.. Faults.All.Select(fault => fault.Name)];

    [Theory]
    [MemberData(nameof(Names))]
    public async Task Nothing_confirmed_is_lost(string name)
    {
        Fault fault = Faults.Named(name);
        output.WriteLine(await FaultCheck.RunAsync(fault, new FaultSettings { Factory = Broker.Node.Factory, Times = fault.IsSlow ? 2 : 8 }));
    }
}
