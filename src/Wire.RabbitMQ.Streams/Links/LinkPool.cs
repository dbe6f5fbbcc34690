using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>The purpose of a link.</summary>
internal enum LinkUse
{
    /// <summary>For publishing: to the node with the stream's leader.</summary>
    Publish,

    /// <summary>For consuming: from a node with a replica, if there is one.</summary>
    Consume,
}

/// <summary>
/// The links of a client: one for locating and managing streams, and those that producers and consumers share, by node. Thread-safe; only
/// callers that need a node wait for it.
/// </summary>
internal sealed class LinkPool : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly List<SharedLink> _shared = [];
    private readonly StreamClientOptions _options;
    private readonly LinkConnecting _connecting;
    private volatile bool _isDisposed;

    public LinkPool(StreamClientOptions options)
    {
        _options = options;
        _connecting = new LinkConnecting(options);
        Locator = new Locator(_connecting);
    }

    /// <summary>The link to ask where streams are.</summary>
    public Locator Locator { get; }

    /// <summary>
    /// Gets whether the client has been disposed of: owners of a lost link are then not notified, and get no other link.
    /// </summary>
    public bool IsClosed => _isDisposed;

    /// <summary>
    /// Returns a link to a node with a stream, with room for one more. The caller returns it with <see cref="ReturnAsync"/>.
    /// </summary>
    /// <exception cref="StreamException">The stream does not exist, or is not available.</exception>
    /// <exception cref="StreamConnectionException">The node cannot be connected to.</exception>
    /// <exception cref="ObjectDisposedException">The client has been disposed of.</exception>
    public async Task<StreamLink> RentAsync(string stream, LinkUse use, CancellationToken cancellationToken)
    {
        BrokerEndpoint[] nodes = await FindAsync(stream, use, cancellationToken).ConfigureAwait(false);
        Random.Shared.Shuffle(nodes);
        for (int i = 0; ; i++)
        {
            SharedLink shared = Join(nodes[i], use);
            try
            {
                return await shared.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                _ = LeaveAsync(shared, CancellationToken.None);
                if (e is not StreamConnectionException || i == nodes.Length - 1)
                {
                    throw;
                }

                // Another node has it as well.
            }
        }
    }

    /// <summary>Returns a link. Its last owner closes it.</summary>
    /// <param name="link">The link.</param>
    /// <param name="cancellationToken">Ends the wait for the broker's answer to that.</param>
    public Task ReturnAsync(StreamLink link, CancellationToken cancellationToken = default)
    {
        SharedLink? shared;
        lock (_gate)
        {
            shared = _shared.Find(shared => shared.Link == link);
        }

        // A link that has ended was skipped before.
        return shared is null ? Task.CompletedTask : LeaveAsync(shared, cancellationToken);
    }

    /// <summary>Closes all links; there will be no others.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker's answers.</param>
    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        SharedLink[] links;
        lock (_gate)
        {
            if (_isDisposed)
            {
                return;
            }

            _isDisposed = true;
            links = [.. _shared];
            _shared.Clear();
        }

        IEnumerable<Task> closing = links.Select(link => link.CloseAsync(cancellationToken)).Append(Locator.CloseAsync(cancellationToken));
        await Task.WhenAll(closing).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync() => await CloseAsync(CancellationToken.None).ConfigureAwait(false);

    private SharedLink Join(BrokerEndpoint node, LinkUse use)
    {
        int capacity = use == LinkUse.Publish ? _options.ProducersPerConnection : _options.ConsumersPerConnection;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isDisposed, typeof(StreamClient));
            _shared.RemoveAll(shared => shared.HasEnded);
            SharedLink? found = _shared.Find(shared => shared.Use == use && shared.Node == node && shared.Users < capacity);
            if (found is null)
            {
                found = new SharedLink(use, node, token => _connecting.ToAsync(node, token));
                _shared.Add(found);
            }

            found.Users++;
            return found;
        }
    }

    private Task LeaveAsync(SharedLink shared, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            if (--shared.Users > 0 || !_shared.Remove(shared))
            {
                return Task.CompletedTask;
            }
        }

        return shared.CloseAsync(cancellationToken);
    }

    private async Task<BrokerEndpoint[]> FindAsync(string stream, LinkUse use, CancellationToken cancellationToken)
    {
        StreamMetadata found = (await Locator.FindAsync([stream], cancellationToken).ConfigureAwait(false))[stream];
        string what = $"to say where the stream '{stream}' is";
        ResponseErrors.ThrowUnlessOk(found.Code, what);
        return use == LinkUse.Consume && found.Replicas.Count > 0 ? [.. found.Replicas]
            : found.Leader is { } leader ? [leader]
            : throw ResponseErrors.Create(StreamResponseCode.StreamNotAvailable, what);
    }
}
