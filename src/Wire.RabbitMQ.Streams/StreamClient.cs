using System.Diagnostics.CodeAnalysis;
using Wire.RabbitMQ.Streams.Links;
using Wire.Runtime;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// A client for RabbitMQ streams: creates and finds streams, and makes producers and consumers. Thread-safe: make one and use it
/// everywhere. It connects on first use, and again after a loss.
/// </summary>
public sealed partial class StreamClient : IAsyncDisposable
{
    private readonly LinkPool _links;

    /// <summary>Makes a client; nothing is connected yet.</summary>
    /// <param name="options">The options; localhost when left out.</param>
    /// <exception cref="ArgumentException">An option is out of range: the message names it and its range.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public StreamClient(StreamClientOptions? options = null)
    {
        Options = (options ?? new StreamClientOptions()).Validate();
        _links = new LinkPool(Options);
    }

    /// <summary>Gets the endpoints and the behaviour.</summary>
    public StreamClientOptions Options { get; }

    /// <summary>Its connections, for producers and consumers.</summary>
    internal LinkPool Links => _links;

    /// <summary>Creates a client and connects, so that a wrong address or user is found at once.</summary>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <exception cref="StreamConnectionException">No endpoint can be connected to.</exception>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static async Task<StreamClient> ConnectAsync(StreamClientOptions? options = null, CancellationToken cancellationToken = default)
    {
        var client = new StreamClient(options);
        try
        {
            await client._links.Locator.LinkAsync(cancellationToken).ConfigureAwait(false);
            return client;
        }
        catch
        {
            await client.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Closes all connections. Close producers and consumers first: remaining ones end with an exception.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker's answers: connections end without.</param>
    public Task CloseAsync(CancellationToken cancellationToken = default) => _links.CloseAsync(cancellationToken);

    /// <inheritdoc cref="CloseAsync"/>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    /// <summary>Makes a producer of a stream, and connects it.</summary>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="options">The options.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="ArgumentException">An option is out of range: the message names it and its range.</exception>
    /// <exception cref="StreamException">The broker refuses it: there is no such stream, for example.</exception>
    /// <exception cref="StreamConnectionException">The node with the stream's leader cannot be connected to.</exception>
    /// <exception cref="ObjectDisposedException">The client has been disposed of.</exception>
    public async Task<StreamProducer> CreateProducerAsync(
        string stream, StreamProducerOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        var producer = new StreamProducer(this, stream, (options ?? new StreamProducerOptions()).Validate());
        try
        {
            await producer.ConnectAsync(cancellationToken).ConfigureAwait(false);
            return producer;
        }
        catch
        {
            await producer.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }
}
