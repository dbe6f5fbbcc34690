using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams.Links;

/// <summary>The link of a client for locating and managing streams: after a loss, the next request uses another one. Thread-safe.</summary>
internal sealed class Locator(LinkConnecting connecting)
{
    private readonly Lock _gate = new();
    private SharedLink? _link;
    private bool _isClosed;

    /// <summary>Returns the current link, or a new one.</summary>
    /// <exception cref="StreamConnectionException">No endpoint can be connected to.</exception>
    /// <exception cref="ObjectDisposedException">The client has been disposed of.</exception>
    public Task<StreamLink> LinkAsync(CancellationToken cancellationToken)
    {
        SharedLink link;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_isClosed, typeof(StreamClient));
            if (_link is not { HasEnded: false })
            {
                _link = new SharedLink(use: null, node: null, connecting.ToAnyAsync);
            }

            link = _link;
        }

        return link.WaitAsync(cancellationToken);
    }

    /// <summary>Sends an idempotent request, and repeats it once on another link if the first one is lost meanwhile.</summary>
    /// <param name="ask">Sends the request.</param>
    /// <param name="what">The request in words, as in "The broker was asked ...".</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async Task<T> AskAsync<T>(Func<StreamLink, Task<T>> ask, string what, CancellationToken cancellationToken)
    {
        StreamLink link = await LinkAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await ask(link).ConfigureAwait(false);
        }
        catch (StreamConnectionException) when (link.HasEnded)
        {
            // It may have been lost long ago, unnoticed.
        }

        return await AskAsync(ask, what, " twice", "", cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Makes a change. It is not requested twice, because the second answer would be about the effect of the first.</summary>
    /// <returns>The broker's answer.</returns>
    public Task<StreamResponseCode> ChangeAsync<TRequest>(TRequest request, string what, CancellationToken cancellationToken)
        where TRequest : struct, IRequest<TRequest, Nothing> => AskAsync(
            async link => (await link.AskAsync<TRequest, Nothing>(request, cancellationToken).ConfigureAwait(false)).Code,
            what,
            "",
            " It may or may not have been carried out: check first.",
            cancellationToken);

    /// <summary>Returns the nodes of streams; each stream is in the answer.</summary>
    /// <exception cref="StreamException">The broker refuses to say.</exception>
    public async Task<IReadOnlyDictionary<string, StreamMetadata>> FindAsync(
        IReadOnlyCollection<string> streams, CancellationToken cancellationToken)
    {
        string names = string.Join("', '", streams);
        string what = streams.Count == 1 ? $"to say where the stream '{names}' is" : $"to say where the streams '{names}' are";
        var query = new MetadataQuery { Streams = Groups.Items(streams) };
        ClusterMetadata answer = await AskAsync(
            link => link.DemandAsync<MetadataQuery, ClusterMetadata>(query, what, cancellationToken),
            what,
            cancellationToken).ConfigureAwait(false);
        Dictionary<string, StreamMetadata> found = Read(answer);
        return streams.All(found.ContainsKey)
            ? found
            : throw new StreamConnectionException($"The broker was asked {what}, and answered of '{string.Join("', '", found.Keys)}'.");
    }

    /// <summary>Closes the link; there will be no other.</summary>
    public Task CloseAsync(CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            _isClosed = true;
            return _link?.CloseAsync(cancellationToken) ?? Task.CompletedTask;
        }
    }

    private async Task<T> AskAsync<T>(
        Func<StreamLink, Task<T>> ask, string what, string often, string hint, CancellationToken cancellationToken)
    {
        StreamLink link = await LinkAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return await ask(link).ConfigureAwait(false);
        }
        catch (StreamConnectionException e)
        {
            throw new StreamConnectionException(
                $"The broker was asked {what}, and the connection ended{often} before it answered.{hint} {e.Message}", e);
        }
        catch (TimeoutException e)
        {
            throw new TimeoutException($"The broker was asked {what}, and has not answered.{hint} {e.Message}", e);
        }
    }

    // The answer names nodes by numbers.
    private static Dictionary<string, StreamMetadata> Read(ClusterMetadata answer)
    {
        var nodes = new Dictionary<ushort, MetadataNode>();
        foreach (MetadataNode node in answer.Nodes ?? [])
        {
            nodes[node.Reference] = node;
        }

        var streams = new Dictionary<string, StreamMetadata>(StringComparer.Ordinal);
        foreach (StreamMembers members in answer.Streams ?? [])
        {
            // A leader that is not among the nodes is one that is being elected.
            BrokerEndpoint? leader = nodes.TryGetValue(members.Leader, out MetadataNode found) ? Address(found, members.Stream) : null;
            IEnumerable<BrokerEndpoint> replicas = (members.Replicas ?? [])
                .Where(replica => replica.Value != members.Leader && nodes.ContainsKey(replica.Value))
                .Select(replica => Address(nodes[replica.Value], members.Stream));
            string stream = members.Stream ?? "";
            streams[stream] = new StreamMetadata(stream, (StreamResponseCode)members.Code, leader, [.. replicas]);
        }

        return streams;
    }

    private static BrokerEndpoint Address(MetadataNode node, string? stream) =>
        node is { Host.Length: > 0, Port: > 0 and <= ushort.MaxValue }
        ? new BrokerEndpoint(node.Host, (int)node.Port)
        : throw new StreamConnectionException(
            $"The broker says that the stream '{stream}' is at '{node.Host}', port {node.Port}, which is not an address: check " +
            "advertised_host and advertised_port of that node.");
}
