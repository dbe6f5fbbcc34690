using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// A client for RabbitMQ streams: creates and finds streams, and makes producers and consumers. Thread-safe: make one and use it everywhere. It connects
/// when something is asked of it, and again when a connection is lost.
/// </summary>
public sealed partial class StreamClient : IAsyncDisposable
{
    private readonly LinkPool _links;

    /// <summary>Makes a client; nothing is connected yet.</summary>
    /// <param name="options">Where it connects to and how it behaves; localhost when left out.</param>
    /// <exception cref="ArgumentException">An option is out of range: the message names it, and says what it may be.</exception>
    public StreamClient(StreamClientOptions? options = null)
    {
        Options = (options ?? new StreamClientOptions()).Validate();
        _links = new LinkPool(Options);
    }

    /// <summary>Where it connects to and how it behaves.</summary>
    public StreamClientOptions Options { get; }

    /// <summary>Its connections, for producers and consumers.</summary>
    internal LinkPool Links => _links;

    /// <summary>Makes a client and connects, so that what is wrong with address or user shows at once.</summary>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <exception cref="StreamConnectionException">No endpoint can be connected to.</exception>
    public static async Task<StreamClient> ConnectAsync(StreamClientOptions? options = null, CancellationToken cancellationToken = default)
    {
        var client = new StreamClient(options);
        try
        {
            await client._links.LocatorAsync(cancellationToken).ConfigureAwait(false);
            return client;
        }
        catch
        {
            await client.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Closes all connections. Close producers and consumers before: those that are left end with an exception.</summary>
    public ValueTask DisposeAsync() => _links.DisposeAsync();

    /// <summary>Asks the locator, and once more on another connection where that one was lost.</summary>
    internal async Task<TResponse> AskAsync<TRequest, TResponse>(TRequest request, string what, CancellationToken cancellationToken)
        where TRequest : struct, IRequest<TRequest, TResponse>
        where TResponse : struct, IFieldGroup<TResponse>
    {
        (StreamResponseCode code, TResponse response) = await TryAskAsync<TRequest, TResponse>(request, cancellationToken).ConfigureAwait(false);
        Refusal.ThrowUnlessOk(code, what);
        return response;
    }

    /// <summary>The same, and the caller looks at the code.</summary>
    internal async Task<(StreamResponseCode Code, TResponse Response)> TryAskAsync<TRequest, TResponse>(TRequest request, CancellationToken cancellationToken)
        where TRequest : struct, IRequest<TRequest, TResponse>
        where TResponse : struct, IFieldGroup<TResponse>
    {
        StreamLink link = await _links.LocatorAsync(cancellationToken).ConfigureAwait(false);
        return await link.AskAsync<TRequest, TResponse>(request, cancellationToken).ConfigureAwait(false);
    }
}
