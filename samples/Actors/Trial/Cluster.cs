using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace Actors.Trial;

/// <summary>Two nodes: one in this process, and one in a process that it starts, kills and starts again.</summary>
internal sealed class Cluster : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, port: 0);
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("actors-");
    private readonly CancellationTokenSource _stopping = new();
    private readonly string _codec;
    private readonly Task _accepting;
    private Process _other;
    private int _lives;

    /// <param name="codec">The name of the codec.</param>
    public Cluster(string codec)
    {
        _codec = codec;
        System = new ActorSystem(Numbers.Here);
        Peer = new Peer(System, Node.CodecOf(codec, System), System.Connect(Numbers.There));
        Producer = System.Start(Numbers.Producer, new Clerk(), out _);
        _listener.Start();
        _accepting = AcceptAsync();
        _other = StartOther();
    }

    /// <summary>Gets the system of this node.</summary>
    public ActorSystem System { get; }

    /// <summary>Gets the other node, as this one sees it.</summary>
    public Peer Peer { get; }

    /// <summary>Gets the actor that trades are sent in the name of.</summary>
    public ActorRef Producer { get; }

    /// <summary>Gets the other node's actor that counts them.</summary>
    public ActorRef Counter => System.Resolve(new ActorAddress(Numbers.There, Numbers.Counter));

    /// <summary>Gets the other node's actor that answers.</summary>
    public ActorRef Clerk => System.Resolve(new ActorAddress(Numbers.There, Numbers.Clerk));

    /// <summary>Gets the number of trades that have been sent.</summary>
    public long Sent { get; private set; }

    /// <summary>Gets what the other process has received in this life of it.</summary>
    public Tally Tally
    {
        get
        {
            using var box = new BlackBox(BlackBoxPath);
            return box.Tally;
        }
    }

    private string BlackBoxPath => Path.Combine(_folder.FullName, $"{_lives}.box");

    /// <summary>Sends trades, as fast as the other node takes them.</summary>
    public async Task SendTradesAsync(long count)
    {
        ActorRef counter = Counter;
        for (long end = Sent + count; Sent < end; Sent++)
        {
            await counter.TellAsync(Trades.Create(Sent), Producer);
        }
    }

    /// <summary>Waits until all trades have been received, and asks what that took.</summary>
    public Task<Report> CountAsync() => System.AskAsync<Report>(Counter, Actors.Count.Instance, TimeSpan.FromMinutes(1));

    /// <summary>Kills the other process.</summary>
    /// <returns>What it had received.</returns>
    public async Task<Tally> KillOtherAsync()
    {
        _other.Kill();
        await _other.WaitForExitAsync();
        _other.Dispose();
        return Tally;
    }

    /// <summary>Starts the other process once more. It knows nothing of its former life.</summary>
    public void RestartOther() => _other = StartOther();

    public async ValueTask DisposeAsync()
    {
        System.Resolve(new ActorAddress(Numbers.There, Numbers.Keeper)).Tell(Stop.Instance);
        using var late = new CancellationTokenSource(TimeSpan.FromSeconds(10));
        await _other.WaitForExitAsync(late.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _other.Kill(); // which does nothing to a process that has ended
        _other.Dispose();
        await _stopping.CancelAsync();
        await _accepting;
        _stopping.Dispose();
        _listener.Dispose();
        _folder.Delete(recursive: true);
    }

    private Process StartOther()
    {
        _lives++;
        string program = Environment.ProcessPath!;
        string[] own = Path.GetFileNameWithoutExtension(program) == "dotnet" ? [Environment.GetCommandLineArgs()[0]] : [];
        string port = ((IPEndPoint)_listener.LocalEndpoint).Port.ToString(CultureInfo.InvariantCulture);
        return Process.Start(program, [.. own, "--node", _codec, port, BlackBoxPath]);
    }

    // One connection at a time: there is one other node, and messages to it keep their order because the next connection begins with what
    // the last one has left. A listener for many nodes would ask each who it is, and run a peer for each.
    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                using TcpClient connection = await _listener.AcceptTcpClientAsync(_stopping.Token);
                await Peer.RunAsync(connection);
            }
        }
        catch (OperationCanceledException)
        {
            // The cluster ends.
        }
    }
}
