using System.Text;

namespace Wire.Testing;

/// <summary>
/// A node of one's own, beside the one that the environment names, which can be stopped and killed. A fixture of xunit has it started
/// for the first test and deleted after the last.
/// </summary>
public sealed class PrivateNode : IAsyncDisposable, IAsyncLifetime
{
    private readonly string _folder = NodeScript.NewFolder();

    public BrokerNode Node { get; private set; } = new(_ => null);

    /// <summary>Starts a node.</summary>
    public static async Task<PrivateNode> StartNewAsync()
    {
        var node = new PrivateNode();
        try
        {
            await node.StartAsync();
            return node;
        }
        catch
        {
            await node.DisposeAsync();
            throw;
        }
    }

    Task IAsyncLifetime.InitializeAsync() => StartAsync();

    Task IAsyncLifetime.DisposeAsync() => RunAsync("clean");

    /// <summary>Stops the node and deletes it.</summary>
    public async ValueTask DisposeAsync() => await RunAsync("clean");

    /// <summary>Stops the node, as a machine that is shut down does, and waits until it has ended. What is durable stays.</summary>
    public Task StopAsync() => RunAsync("stop");

    /// <summary>
    /// Kills the node's process. What it has written stays. A queue that was declared within the last two seconds may be gone, with
    /// what was in it: docs/rabbitmq.md says why.
    /// </summary>
    public Task KillAsync() => RunAsync("kill");

    /// <summary>
    /// Kills the node, with its disk as it may be when a durable queue has just been declared: the log of what was declared, in which the
    /// decision follows what is decided on, ends between the two.
    /// </summary>
    public async Task KillBeforeDecisionAsync(string queue)
    {
        await KillAsync();
        string data =
            Directory.GetDirectories(Path.Combine(_folder, "data")).Single(folder => File.Exists(Path.Combine(folder, "LATEST.LOG")));
        await using FileStream log = File.Open(Path.Combine(data, "LATEST.LOG"), FileMode.Open);
        byte[] content = new byte[log.Length];
        await log.ReadExactlyAsync(content);
        int last = content.AsSpan().LastIndexOf(Encoding.UTF8.GetBytes(queue));
        if (last < 0)
        {
            throw new InvalidOperationException($"The log of the node does not have '{queue}'.");
        }

        // The length of a record comes before its mark. Where there is none behind, the node has been killed at that moment by itself.
        int mark = content.AsSpan(last).IndexOf("bWLA"u8);
        if (mark >= 0)
        {
            log.SetLength(last + mark - sizeof(uint));
        }
    }

    /// <summary>Starts the node, on the ports that it had, and waits until it answers.</summary>
    public async Task StartAsync() => Node = await NodeScript.DescribedAsync("start", _folder);

    /// <summary>Runs rabbitmqctl for the node.</summary>
    public Task ControlAsync(params string[] arguments) => RunAsync("ctl", arguments);

    /// <summary>
    /// Raises the alarm that a node raises when it is low on memory: it reads nothing more from connections that publish.
    /// </summary>
    public Task RaiseAlarmAsync() => ControlAsync("set_vm_memory_high_watermark", "absolute", "1");

    /// <summary>Ends the alarm.</summary>
    public Task EndAlarmAsync() => ControlAsync("set_vm_memory_high_watermark", "0.9");

    private Task<string> RunAsync(string verb, params string[] arguments) => NodeScript.RunAsync([verb, _folder, .. arguments]);
}
