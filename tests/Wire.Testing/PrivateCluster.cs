using System.Globalization;

namespace Wire.Testing;

/// <summary>
/// Three nodes of one's own that are a cluster, each of which can be killed and started again. Not thread-safe but for
/// <see cref="Running"/>.
/// </summary>
public sealed class PrivateCluster : IAsyncDisposable
{
    private readonly string _folder = NodeScript.NewFolder();
    private volatile bool[] _isRunning = [true, true, true];

    private PrivateCluster()
    {
    }

    /// <summary>Its nodes, whether they run or not.</summary>
    public IReadOnlyList<BrokerNode> Nodes { get; private set; } = [];

    /// <summary>One that runs. From any thread.</summary>
    public BrokerNode Running => Nodes[_isRunning.IndexOf(true)];

    /// <summary>Starts three nodes.</summary>
    public static async Task<PrivateCluster> StartNewAsync()
    {
        var cluster = new PrivateCluster();
        try
        {
            int count = cluster._isRunning.Length;
            await NodeScript.RunAsync("cluster", $"{count}", cluster._folder);
            cluster.Nodes =
                await Task.WhenAll(Enumerable.Range(0, count).Select(i => NodeScript.DescribedAsync("env", cluster.FolderOf(i))));
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Kills a node's process. What it has written stays.</summary>
    public Task KillAsync(int node)
    {
        Set(node, isRunning: false);
        return NodeScript.RunAsync("kill", FolderOf(node));
    }

    /// <summary>Starts a node that was killed, and waits until it answers and is one of the cluster again.</summary>
    public async Task StartAsync(int node)
    {
        await NodeScript.RunAsync("start", FolderOf(node));
        Set(node, isRunning: true);
        await ControlAsync("await_online_nodes", $"{_isRunning.Count(isRunning => isRunning)}");
    }

    /// <summary>Which node leads a quorum queue or a stream.</summary>
    public async Task<int> LeaderAsync(string queue)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        while (true)
        {
            string? line = (await ControlAsync("--quiet", "list_queues", "--no-table-headers", "name", "leader"))
                .Split('\n').SingleOrDefault(line => line.StartsWith(queue + "\t", StringComparison.Ordinal));
            if (line is not null && int.TryParse(line.AsSpan(line.LastIndexOf('.') + 1), CultureInfo.InvariantCulture, out int number))
            {
                return number - 1;
            }

            // It is just being elected.
            await Task.Delay(100, patience.Token);
        }
    }

    /// <summary>Stops the nodes and deletes them.</summary>
    public async ValueTask DisposeAsync() => await NodeScript.RunAsync("clean", _folder);

    private string FolderOf(int node) => Path.Combine(_folder, $"{node + 1}");

    private void Set(int node, bool isRunning)
    {
        bool[] changed = [.. _isRunning];
        changed[node] = isRunning;
        _isRunning = changed;
    }

    private Task<string> ControlAsync(params string[] arguments) =>
        NodeScript.RunAsync(["ctl", FolderOf(_isRunning.IndexOf(true)), .. arguments]);
}
