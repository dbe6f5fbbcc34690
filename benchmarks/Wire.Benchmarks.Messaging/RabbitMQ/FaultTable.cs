using RabbitMQ.Client;
using Wire.Benchmarks.Reports;
using Wire.RabbitMQ;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Faults;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.Benchmarks.Messaging.RabbitMQ;

/// <summary>
/// What becomes of messages while faults happen to the connections that they go over, as the tests of Wire.RabbitMQ have them.
/// </summary>
internal static class FaultTable
{
    // As ConnectWireAsync does: the runs make connections themselves, to harm them.
    private static ConnectionFactory Watched(Uri uri)
    {
        var factory = new ConnectionFactory { Uri = uri };
        WatchedTcpClient.WatchConnectionsOf(factory);
        return factory;
    }

    /// <summary>Runs the faults, prints the table, and writes it into docs/performance/rabbitmq.md.</summary>
    public static async Task RunAsync(Options options)
    {
        MeasuredBroker.Require(options.Mode);
        Uri uri = MeasuredBroker.Current.Uri;
        Func<ConnectionFactory> factory = () => Watched(uri);
        var node = new PrivateNode();
        Fault[] ofBroker = [BrokerFaults.Stop(node), BrokerFaults.Kill(node)];
        IReadOnlySet<string> selected = options.Select(Faults.All.Concat(ofBroker).Select(fault => fault.Name));
        string text = $"`{options.Command}`, {DateTime.UtcNow:yyyy-MM-dd}\n\n{Machine.Describe()}\n";
        Console.Write(text);
        foreach (WireTransport transport in Enum.GetValues<WireTransport>())
        {
            text += await RunAsync(transport, selected, ofBroker, node, factory);
        }

        if (options.IsAll)
        {
            Page.RabbitMQ.Write("faults", text);
        }
    }

    // The table of one transport.
    private static async Task<string> RunAsync(
        WireTransport transport, IReadOnlySet<string> selected, Fault[] ofBroker, PrivateNode node, Func<ConnectionFactory> factory)
    {
        var results = new List<FaultResult>();
        string text = $"\n{(transport == WireTransport.Client ? "Over RabbitMQ.Client" : "Over the direct lane")}:\n\n{FaultResult.Head}\n";
        Console.Write(text);
        foreach (Fault fault in Faults.All.Where(fault => selected.Contains(fault.Name)))
        {
            text += Print(await FaultRun.RunAsync(fault, Settings(transport, fault, factory)), results);
        }

        ofBroker = [.. ofBroker.Where(fault => selected.Contains(fault.Name))];
        if (ofBroker.Length > 0)
        {
            // The given broker may be others' as well.
            await node.StartAsync();
            try
            {
                foreach (Fault fault in ofBroker)
                {
                    text += Print(await FaultRun.RunAsync(fault, Settings(transport, fault, node.Node.Factory)), results);
                }
            }
            finally
            {
                await node.DisposeAsync();
            }
        }

        if (results.Count > 1)
        {
            text += Print(FaultResult.Total([.. results]), results);
        }

        return text;
    }

    // One that takes seconds happens seldom, with few messages around it.
    private static FaultSettings Settings(WireTransport transport, Fault fault, Func<ConnectionFactory> factory) => new()
    {
        Transport = transport,
        Factory = factory,
        Messages = fault.IsSlow ? 2_000 : 20_000,
        Times = fault.IsSlow ? 4 : 25,
    };

    private static string Print(FaultResult result, List<FaultResult> results)
    {
        results.Add(result);
        Console.WriteLine(result);
        return result + "\n";
    }
}
