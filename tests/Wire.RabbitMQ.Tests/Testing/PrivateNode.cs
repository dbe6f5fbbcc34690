using System.Diagnostics;
using System.Globalization;
using Wire.Tests.Testing;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>A node of one's own, beside the one that the environment names, which can be stopped and killed.</summary>
public sealed partial class PrivateNode
{
    private static readonly string Script = Path.Combine(Repository.Root, "eng", "rabbitmq.sh");

    // Within the folder of the shared node, which takes this one along when the tests could not end as they should.
    private readonly string _folder = Path.Combine(
        Environment.GetEnvironmentVariable("WIRE_RABBITMQ_FOLDER") ?? Path.GetTempPath(), $"wire-rabbitmq-{Environment.ProcessId}");

    private Dictionary<string, string> _variables = [];

    internal BrokerNode Node => new(_variables.GetValueOrDefault);

    /// <summary>Stops the node and deletes it.</summary>
    public Task DisposeAsync() => RunAsync("clean");

    /// <summary>Stops the node, as a machine that is shut down does, and waits until it has ended. What is durable stays.</summary>
    public Task StopAsync() => RunAsync("stop");

    /// <summary>Kills the node, as a machine that loses its power does. What is on its disk stays.</summary>
    public async Task KillAsync()
    {
        using Process process = Process.GetProcessById(int.Parse(await File.ReadAllTextAsync(Path.Combine(_folder, "pid")), CultureInfo.InvariantCulture));
        process.Kill();
        await process.WaitForExitAsync();
    }

    /// <summary>Starts the node, on the ports that it had, and waits until it answers.</summary>
    public async Task StartAsync() => _variables = (await RunAsync("start"))
        .Split('\n', StringSplitOptions.RemoveEmptyEntries)
        .Select(line => line["export ".Length..].Split('=', 2))
        .ToDictionary(parts => parts[0], parts => parts[1]);

    private async Task<string> RunAsync(string command)
    {
        using Process process = Process.Start(new ProcessStartInfo("bash", [Script, command, _folder])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        string errors = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0
            ? await output
            : throw new InvalidOperationException($"eng/rabbitmq.sh {command} exited with {process.ExitCode}: {errors.Trim()}");
    }
}
