using System.Diagnostics;

namespace Wire.Testing;

/// <summary>Runs <c>eng/rabbitmq.sh</c>.</summary>
internal static class NodeScript
{
    private static readonly string Script = Path.Combine(Repository.Root, "eng", "rabbitmq.sh");

    /// <summary>
    /// The name of a folder that does not exist yet: within that of the shared node, which takes it along when the tests could not end as
    /// they should.
    /// </summary>
    public static string NewFolder() => Path.Combine(
        Environment.GetEnvironmentVariable("WIRE_RABBITMQ_FOLDER") is { Length: > 0 } shared ? shared : Path.GetTempPath(),
        $"wire-rabbitmq-{Guid.NewGuid():N}");

    /// <summary>Runs it, and gives what it has written.</summary>
    public static async Task<string> RunAsync(params string[] arguments)
    {
        using Process process = Process.Start(new ProcessStartInfo("bash", [Script, .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Task<string> output = process.StandardOutput.ReadToEndAsync();
        string errors = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0
            ? await output
            : throw new InvalidOperationException($"eng/rabbitmq.sh {arguments[0]} exited with {process.ExitCode}: {errors.Trim()}");
    }

    /// <summary>Runs it for a node, and gives the node as it describes it.</summary>
    public static async Task<BrokerNode> DescribedAsync(string verb, string folder)
    {
        Dictionary<string, string> variables = (await RunAsync(verb, folder))
            .Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Select(line => line["export ".Length..].Split('=', 2))
            .ToDictionary(parts => parts[0], parts => parts[1]);
        return new BrokerNode(variables.GetValueOrDefault);
    }
}
