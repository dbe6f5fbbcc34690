using Wire.Amqp.Transport;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>What a link is for.</summary>
internal enum LinkUse
{
    /// <summary>Publishing: to the node with the stream's leader.</summary>
    Publish,

    /// <summary>Consuming: from a node with a replica, where there is one.</summary>
    Consume,
}

/// <summary>
/// The links of a client: one to ask where streams are and to manage them, and those that producers and consumers share, by node. Thread-safe.
/// </summary>
internal sealed class LinkPool(StreamClientOptions options) : IAsyncDisposable
{
    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly List<Shared> _shared = [];
    private StreamLink? _locator;
    private bool _isDisposed;

    /// <summary>The link to ask where streams are: the one that is there, or a new one.</summary>
    /// <exception cref="StreamConnectionException">No endpoint can be connected to.</exception>
    /// <exception cref="ObjectDisposedException">The client has been disposed of.</exception>
    public async Task<StreamLink> LocatorAsync(CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await OpenLocatorAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>A link to a node that has a stream, with room for one more. The caller gives it back with <see cref="ReturnAsync"/>.</summary>
    /// <exception cref="StreamException">The stream does not exist, or is not available.</exception>
    /// <exception cref="StreamConnectionException">The node cannot be connected to.</exception>
    /// <exception cref="ObjectDisposedException">The client has been disposed of.</exception>
    public async Task<StreamLink> RentAsync(string stream, LinkUse use, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            AmqpEndpoint endpoint = await FindAsync(stream, use, cancellationToken).ConfigureAwait(false);
            int capacity = use == LinkUse.Publish ? options.ProducersPerConnection : options.ConsumersPerConnection;
            _shared.RemoveAll(shared => shared.Link.HasEnded);
            Shared? found = _shared.Find(shared => shared.Use == use && shared.Endpoint == endpoint && shared.Users < capacity);
            if (found is null)
            {
                found = new Shared(await StreamLink.ConnectAsync(options, endpoint, cancellationToken).ConfigureAwait(false), use, endpoint);
                _shared.Add(found);
            }

            found.Users++;
            return found.Link;
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Gives a link back. The last one closes it.</summary>
    public async Task ReturnAsync(StreamLink link)
    {
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            Shared? shared = _shared.Find(shared => shared.Link == link);
            if (shared is null || --shared.Users > 0)
            {
                return;
            }

            _shared.Remove(shared);
        }
        finally
        {
            _turn.Release();
        }

        await link.CloseAsync().ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        List<StreamLink> links;
        await _turn.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
            links = [.. _shared.Select(shared => shared.Link)];
            _shared.Clear();
            if (_locator is not null)
            {
                links.Add(_locator);
            }
        }
        finally
        {
            _turn.Release();
        }

        await Task.WhenAll(links.Select(link => link.CloseAsync())).ConfigureAwait(false);
    }

    private async Task<AmqpEndpoint> FindAsync(string stream, LinkUse use, CancellationToken cancellationToken)
    {
        StreamLink locator = await OpenLocatorAsync(cancellationToken).ConfigureAwait(false);
        (StreamResponseCode code, ClusterMetadata metadata) =
            await locator.AskAsync<MetadataQuery, ClusterMetadata>(new MetadataQuery { Streams = Groups.Items([stream]) }, cancellationToken).ConfigureAwait(false);
        Refusal.ThrowUnlessOk(code, "a question for metadata");
        StreamMembers members = metadata.Streams is [var only] ? only : throw new StreamConnectionException($"{locator.Endpoint} was asked where the stream '{stream}' is, and answered of {metadata.Streams?.Count ?? 0} streams.");
        Refusal.ThrowUnlessOk((StreamResponseCode)members.Code, $"to say where the stream '{stream}' is");
        if (options.UseEndpointsOnly)
        {
            return locator.Endpoint;
        }

        Node[] nodes = [.. (metadata.Nodes ?? []).Where(node => (members.Replicas ?? []).Any(replica => replica.Number == node.Reference))];
        if (use == LinkUse.Publish || nodes.Length == 0)
        {
            nodes = [.. (metadata.Nodes ?? []).Where(node => node.Reference == members.Leader)];
        }

        // A leader that is not among the nodes is one that is being elected.
        return nodes.Length == 0
            ? throw Refusal.Of(StreamResponseCode.StreamNotAvailable, $"to say where the stream '{stream}' is")
            : nodes[Random.Shared.Next(nodes.Length)] is var chosen && chosen.Host is { Length: > 0 } host && chosen.Port is > 0 and <= ushort.MaxValue
                ? new AmqpEndpoint(host, (int)chosen.Port)
                : throw new StreamConnectionException($"{locator.Endpoint} says that the stream '{stream}' is at '{chosen.Host}', port {chosen.Port}, which is no address: look at its advertised_host and advertised_port, or set {nameof(StreamClientOptions.UseEndpointsOnly)}.");
    }

    private async Task<StreamLink> OpenLocatorAsync(CancellationToken cancellationToken)
    {
        ObjectDisposedException.ThrowIf(_isDisposed, typeof(StreamClient));
        if (_locator is { HasEnded: false } locator)
        {
            return locator;
        }

        StreamConnectionException? last = null;
        foreach (AmqpEndpoint endpoint in options.Endpoints)
        {
            try
            {
                return _locator = await StreamLink.ConnectAsync(options, endpoint, cancellationToken).ConfigureAwait(false);
            }
            catch (StreamConnectionException e)
            {
                last = e;
            }
        }

        throw last!;
    }

    private sealed class Shared(StreamLink link, LinkUse use, AmqpEndpoint endpoint)
    {
        public StreamLink Link => link;

        public LinkUse Use => use;

        public AmqpEndpoint Endpoint => endpoint;

        public int Users { get; set; }
    }
}
