using System.Net;
using System.Net.Sockets;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport;
using Wire.Transport.Sockets;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>
/// A server of the stream protocol on loopback, with its streams in memory. It takes any number of connections, is strict about what comes
/// (the first thing that is wrong fails the test, at the latest when this is disposed of), and misbehaves where a test tells it to.
/// Thread-safe.
/// </summary>
internal sealed class StrictStreamServer : IAsyncDisposable
{
    /// <summary>What to wait for something at most that always comes. It needs no broker, as <see cref="Broker"/> does.</summary>
    internal static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly List<ServerConnection> _connections = [];
    private readonly List<Task> _serving = [];
    private readonly Dictionary<CommandKey, Queue<Reaction>> _reactions = [];
    private readonly Dictionary<CommandKey, Reaction> _standing = [];
    private readonly Dictionary<CommandKey, int> _received = [];
    private readonly List<(Func<bool> Holds, TaskCompletionSource Source)> _waiting = [];
    private readonly Task _accepting;
    private Exception? _failure;
    private bool _isDisposed;
    private bool _holdsConfirms;

    /// <param name="version">What the broker's version is: from that follows what it knows.</param>
    public StrictStreamServer(string version = "4.1.0")
    {
        Version = version;
        _listener.Start();
        Endpoint = new BrokerEndpoint("127.0.0.1", ((IPEndPoint)_listener.LocalEndpoint).Port);
        _accepting = AcceptAsync();
    }

    public string Version { get; }

    public BrokerEndpoint Endpoint { get; }

    /// <summary>What it proposes, in bytes.</summary>
    public uint FrameMax { get; init; } = 1 << 20;

    /// <summary>What it proposes, in seconds.</summary>
    public uint Heartbeat { get; init; } = 60;

    /// <summary>The ways to authenticate that it offers.</summary>
    public IReadOnlyList<string> Mechanisms { get; init; } = ["PLAIN", "EXTERNAL"];

    /// <summary>Whether it sends nothing more, to anybody; it takes what comes.</summary>
    public volatile bool IsSilent;

    /// <summary>Where it says that a stream is, where that is not itself.</summary>
    public Func<string, (IReadOnlyList<BrokerEndpoint> Nodes, int Leader)>? Locate { get; set; }

    /// <summary>With what it refuses a message; null for not at all.</summary>
    public Func<string, ulong, StreamResponseCode?> RefuseMessage { get; set; } = (_, _) => null;

    /// <summary>How to connect a client to it.</summary>
    public StreamClientOptions Options => new()
    {
        Endpoints = [Endpoint],
        Recovery = RecoveryOptions.Default with
        {
            FirstPause = TimeSpan.FromMilliseconds(10),
            LongestPause = TimeSpan.FromMilliseconds(100),
        },
    };

    /// <summary>Guards everything in here.</summary>
    internal Lock Gate { get; } = new();

    internal Dictionary<string, ServerStream> Streams { get; } = [];

    /// <summary>Super streams: their partitions, each with its binding key.</summary>
    internal Dictionary<string, (string Stream, string Key)[]> SuperStreams { get; } = [];

    /// <summary>Single active consumers by stream and name, the active one first.</summary>
    internal Dictionary<(string Stream, string Name), List<ServerSubscription>> Singles { get; } = [];

    /// <summary>The connections that are open.</summary>
    public IReadOnlyList<ServerConnection> Connections
    {
        get
        {
            lock (Gate)
            {
                return [.. _connections];
            }
        }
    }

    /// <summary>Whether it stores messages and says nothing yet; what has gathered is said when it does no more.</summary>
    public bool HoldsConfirms
    {
        get => _holdsConfirms;
        set
        {
            lock (Gate)
            {
                _holdsConfirms = value;
                _connections.ForEach(connection => connection.SendConfirms());
            }
        }
    }

    /// <summary>Reacts to the next command of a kind, or to so many of them, in the order of the calls.</summary>
    public void When(CommandKey key, Reaction reaction, int times = 1)
    {
        lock (Gate)
        {
            if (!_reactions.TryGetValue(key, out Queue<Reaction>? reactions))
            {
                _reactions[key] = reactions = new Queue<Reaction>();
            }

            for (int i = 0; i < times; i++)
            {
                reactions.Enqueue(reaction);
            }
        }
    }

    /// <summary>Reacts to all commands of a kind; null to behave again.</summary>
    public void Always(CommandKey key, Reaction? reaction)
    {
        lock (Gate)
        {
            _standing.Remove(key);
            if (reaction is not null)
            {
                _standing[key] = reaction;
            }
        }
    }

    /// <summary>Creates a stream.</summary>
    public void Create(string stream)
    {
        lock (Gate)
        {
            Streams.Add(stream, new ServerStream { Arguments = new Dictionary<string, string>() });
        }
    }

    /// <summary>Deletes a stream, and tells who has to do with it.</summary>
    public void Delete(string stream)
    {
        lock (Gate)
        {
            Assert.True(Streams.Remove(stream));
            Forget(stream, StreamResponseCode.StreamNotAvailable);
        }
    }

    /// <summary>Tells who has to do with a stream that it has moved or gone, and forgets what they have there.</summary>
    public void Forget(string stream, StreamResponseCode code)
    {
        lock (Gate)
        {
            _connections.ForEach(connection => connection.Forget(stream, code));
        }
    }

    /// <summary>Adds a chunk with these messages.</summary>
    public void Append(string stream, params byte[][] messages) => AppendEntries(stream, [.. messages.Select(ServerChunk.Entry)]);

    /// <summary>Adds a chunk with these entries, as they are published.</summary>
    public void AppendEntries(string stream, IReadOnlyList<byte[]> entries)
    {
        lock (Gate)
        {
            Streams[stream].Append(entries);
            SendChunks(stream);
        }
    }

    /// <summary>What has been published, outside of batches.</summary>
    public IReadOnlyList<byte[]> Messages(string stream)
    {
        lock (Gate)
        {
            return [.. Streams[stream].Messages];
        }
    }

    /// <summary>Looks at a stream, or changes it.</summary>
    public T With<T>(string stream, Func<ServerStream, T> look)
    {
        lock (Gate)
        {
            return look(Streams[stream]);
        }
    }

    /// <summary>Makes another of the consumers of a name the active one: the one that has waited longest.</summary>
    public void Rotate(string stream, string name)
    {
        lock (Gate)
        {
            List<ServerSubscription> group = Singles[(stream, name)];
            ServerSubscription first = group[0];
            group.RemoveAt(0);
            group.Add(first);
            first.IsActive = false;
            first.Connection.Tell(first, isActive: false, then: () => group[0].Connection.Tell(group[0], isActive: true, then: null));
        }
    }

    /// <summary>How many commands of a kind have come.</summary>
    public int Received(CommandKey key)
    {
        lock (Gate)
        {
            return _received.GetValueOrDefault(key);
        }
    }

    /// <summary>Waits until so many commands of a kind have come.</summary>
    public Task ReceivedAsync(CommandKey key, int count = 1) =>
        UntilAsync(() => _received.GetValueOrDefault(key) >= count, $"{count} of {key}");

    /// <summary>Waits until something holds; it is looked at after each command, and each connection that ends.</summary>
    public async Task UntilAsync(Func<bool> holds, string what)
    {
        var source = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (Gate)
        {
            _waiting.Add((holds, source));
            Look();
        }

        try
        {
            await source.Task.WaitAsync(Patience);
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"The server has waited in vain for: {what}.", e);
        }
    }

    /// <summary>Ends all connections without a word.</summary>
    public void CutAll()
    {
        foreach (ServerConnection connection in Connections)
        {
            connection.Cut();
        }
    }

    /// <summary>Ends; what went wrong is thrown here.</summary>
    public async ValueTask DisposeAsync()
    {
        Task[] serving;
        lock (Gate)
        {
            _isDisposed = true;
            _listener.Stop();
        }

        CutAll();
        await _accepting.WaitAsync(Patience);
        lock (Gate)
        {
            serving = [.. _serving];
        }

        await Task.WhenAll(serving).WaitAsync(Patience);
        if (_failure is { } failure)
        {
            throw new InvalidOperationException($"The client is not strict: {failure.Message}", failure);
        }
    }

    /// <summary>Whether it is at least of a version.</summary>
    internal bool IsAtLeast(int major, int minor) => System.Version.Parse(Version) >= new Version(major, minor);

    /// <summary>Notes that something is wrong: the test fails.</summary>
    internal void Fail(Exception failure)
    {
        lock (Gate)
        {
            _failure ??= failure;
            _waiting.ForEach(each => each.Source.TrySetException(failure));
        }
    }

    /// <summary>Sends heartbeats as long as the connection is there.</summary>
    internal void Beat(ServerConnection connection, TimeSpan interval)
    {
        lock (Gate)
        {
            _serving.Add(BeatAsync(connection, interval));
        }
    }

    /// <summary>Counts a command, and says how to react to it, where that is not as usual.</summary>
    internal Reaction? Note(CommandKey key)
    {
        lock (Gate)
        {
            _received[key] = _received.GetValueOrDefault(key) + 1;
            return _reactions.TryGetValue(key, out Queue<Reaction>? reactions) && reactions.TryDequeue(out Reaction? reaction)
                ? reaction
                : _standing.GetValueOrDefault(key);
        }
    }

    /// <summary>Something has happened that may be waited for.</summary>
    internal void Look()
    {
        lock (Gate)
        {
            if (_failure is { } failure)
            {
                _waiting.ForEach(each => each.Source.TrySetException(failure));
            }

            _waiting.RemoveAll(each => each.Source.Task.IsCompleted || (each.Holds() && each.Source.TrySetResult()));
        }
    }

    internal void SendChunks(string stream)
    {
        foreach (ServerConnection connection in _connections)
        {
            connection.SendChunks(stream);
        }
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            Socket socket;
            try
            {
                socket = await _listener.AcceptSocketAsync();
            }
            catch (Exception e) when (e is SocketException or ObjectDisposedException && _isDisposed)
            {
                return;
            }

            var connection = new ServerConnection(this, socket);
            lock (Gate)
            {
                if (_isDisposed)
                {
                    socket.Dispose();
                    return;
                }

                _connections.Add(connection);
                _serving.Add(ServeAsync(connection));
            }
        }
    }

    private async Task BeatAsync(ServerConnection connection, TimeSpan interval)
    {
        while (!await connection.EndsWithin(interval))
        {
            connection.Send(default(Streams.Protocol.Heartbeat));
        }
    }

    private async Task ServeAsync(ServerConnection connection)
    {
        await Task.Yield();
        try
        {
            await connection.RunAsync();
        }
        catch (Exception e) when (LinkSocket.IsLoss(e))
        {
            // Either side has ended it.
        }
        catch (Exception e)
        {
            Fail(e);
        }
        finally
        {
            connection.Cut();
            lock (Gate)
            {
                _connections.Remove(connection);
                connection.ForgetAll();
            }

            Look();
        }
    }
}
