using System.Diagnostics;
using System.Globalization;
using Wire.Tests.Testing;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>A node of the broker that belongs to one test, which may stop it. Its folder goes with it.</summary>
internal sealed class OwnNode : IAsyncDisposable
{
    // Below the node that the other tests use, where there is one: who cleans that up, cleans this up too, whatever becomes of the test.
    private readonly string _folder = Path.Combine(
        Environment.GetEnvironmentVariable("WIRE_RABBITMQ_FOLDER") is { Length: > 0 } shared ? shared : Path.GetTempPath(), Broker.NewName("node"));

    private OwnNode()
    {
    }

    /// <summary>How to connect to it, the same each time that it runs.</summary>
    public StreamClientOptions Options { get; private set; } = Broker.Options;

    public static async Task<OwnNode> StartAsync()
    {
        var node = new OwnNode();
        try
        {
            await node.StartAgainAsync();
            return node;
        }
        catch
        {
            await node.DisposeAsync();
            throw;
        }
    }

    /// <summary>Starts it when it was stopped, and waits until it answers.</summary>
    public async Task StartAgainAsync()
    {
        const string Port = "export WIRE_RABBITMQ_STREAM_PORT=";
        string port = (await RunAsync("start")).Split('\n').Single(line => line.StartsWith(Port, StringComparison.Ordinal))[Port.Length..];
        Options = Broker.Options with { Endpoints = [new BrokerEndpoint("127.0.0.1", int.Parse(port, CultureInfo.InvariantCulture))] };
    }

    /// <summary>Stops it, and waits until it has ended.</summary>
    public Task StopAsync() => RunAsync("stop");

    public async ValueTask DisposeAsync() => await RunAsync("clean");

    private async Task<string> RunAsync(string what)
    {
        using var script = new Process
        {
            StartInfo = new ProcessStartInfo(Path.Combine(Repository.Root, "eng", "rabbitmq.sh"), [what, _folder]) { RedirectStandardOutput = true, RedirectStandardError = true },
        };
        script.Start();
        Task<string> errors = script.StandardError.ReadToEndAsync();
        string output = await script.StandardOutput.ReadToEndAsync();
        await script.WaitForExitAsync();
        return script.ExitCode == 0 ? output : throw new InvalidOperationException($"The node could not be told to {what}: {await errors}");
    }
}
