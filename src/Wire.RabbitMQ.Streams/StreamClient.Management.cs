using System.Text;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.Transport;

namespace Wire.RabbitMQ.Streams;

// What each of these throws beside: StreamConnectionException where no endpoint can be connected to or the connection is lost twice,
// TimeoutException where the broker does not answer, and ObjectDisposedException.
public sealed partial class StreamClient
{
    /// <summary>Creates a stream.</summary>
    /// <param name="stream">Its name: 1 to 255 bytes of UTF-8.</param>
    /// <param name="options">What it is created with; the broker's defaults when left out.</param>
    /// <param name="cancellationToken">Ends the wait; the stream may have been created.</param>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <exception cref="StreamException">There is one of this name already, or the broker refuses it.</exception>
    /// <exception cref="StreamConnectionException">
    /// The broker cannot be connected to; or the connection was lost, and the stream may have been created.
    /// </exception>
    public async Task CreateStreamAsync(string stream, StreamOptions? options = null, CancellationToken cancellationToken = default)
    {
        (CreateStream request, string what) = Creation(stream, options);
        StreamResponseCode code = await _links.Locator.ChangeAsync(request, what, cancellationToken).ConfigureAwait(false);
        ThrowUnlessCreated(code, what);
    }

    /// <summary>Creates a stream unless it exists.</summary>
    /// <param name="stream">Its name: 1 to 255 bytes of UTF-8.</param>
    /// <param name="options">What it is created with, or was; the broker's defaults when left out.</param>
    /// <param name="cancellationToken">Ends the wait; the stream may have been created.</param>
    /// <returns>Whether it was created now.</returns>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <exception cref="StreamException">There is one of this name with other options, or the broker refuses it.</exception>
    public async Task<bool> EnsureStreamAsync(string stream, StreamOptions? options = null, CancellationToken cancellationToken = default)
    {
        (CreateStream request, string what) = Creation(stream, options);
        (StreamResponseCode code, _) = await _links.Locator.AskAsync(
            link => link.AskAsync<CreateStream, Nothing>(request, cancellationToken), what, cancellationToken).ConfigureAwait(false);
        if (code != StreamResponseCode.StreamAlreadyExists)
        {
            ThrowUnlessCreated(code, what);
        }

        return code == StreamResponseCode.Ok;
    }

    /// <summary>Deletes a stream with all its messages. Producers and consumers of it wait for it to be there again.</summary>
    /// <exception cref="StreamException">It does not exist, or the broker refuses it.</exception>
    /// <exception cref="StreamConnectionException">
    /// The broker cannot be connected to; or the connection was lost, and the stream may have been deleted.
    /// </exception>
    public async Task DeleteStreamAsync(string stream, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        string what = $"to delete the stream '{stream}'";
        ResponseErrors.ThrowUnlessOk(
            await _links.Locator.ChangeAsync(new DeleteStream { Stream = stream }, what, cancellationToken).ConfigureAwait(false), what);
    }

    /// <summary>Returns whether a stream exists; it may have no leader at the moment.</summary>
    /// <exception cref="StreamException">The broker refuses to say.</exception>
    public async Task<bool> ExistsAsync(string stream, CancellationToken cancellationToken = default)
    {
        StreamMetadata metadata = await GetMetadataAsync(stream, cancellationToken).ConfigureAwait(false);
        return metadata.Code switch
        {
            StreamResponseCode.Ok or StreamResponseCode.StreamNotAvailable => true,
            StreamResponseCode.StreamDoesNotExist => false,
            StreamResponseCode code => throw ResponseErrors.Create(code, $"to say whether the stream '{stream}' exists"),
        };
    }

    /// <summary>Says where a stream is.</summary>
    /// <returns>What the broker knows; look at its <see cref="StreamMetadata.Code"/>.</returns>
    public async Task<StreamMetadata> GetMetadataAsync(string stream, CancellationToken cancellationToken = default) =>
        (await GetMetadataAsync([stream], cancellationToken).ConfigureAwait(false))[stream];

    /// <summary>Says where streams are.</summary>
    /// <returns>What the broker knows of each, by its name; look at its <see cref="StreamMetadata.Code"/>.</returns>
    public async Task<IReadOnlyDictionary<string, StreamMetadata>> GetMetadataAsync(
        IEnumerable<string> streams, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(streams);
        string[] names = [.. streams.Distinct(StringComparer.Ordinal)];
        Array.ForEach(names, name => ArgumentException.ThrowIfNullOrEmpty(name, nameof(streams)));
        return await _links.Locator.FindAsync(names, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>The last publishing id that a stream has of a named producer.</summary>
    /// <param name="producerName">The name of the producer.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The id; 0 where there is none.</returns>
    /// <exception cref="StreamException">The stream does not exist, or the broker refuses it.</exception>
    public async Task<ulong> QuerySequenceAsync(string producerName, string stream, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(producerName);
        ArgumentException.ThrowIfNullOrEmpty(stream);
        var request = new QueryPublisherSequence { Reference = producerName, Stream = stream };
        string what = $"to say what the stream '{stream}' has of the producer '{producerName}'";
        return (await AskAsync<QueryPublisherSequence, Number<ulong>>(request, what, cancellationToken).ConfigureAwait(false)).Value;
    }

    /// <summary>The offset that was stored last for a named consumer.</summary>
    /// <param name="consumerName">The name of the consumer.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The offset; null where none is stored.</returns>
    /// <exception cref="StreamException">The stream does not exist, or the broker refuses it.</exception>
    public async Task<ulong?> QueryOffsetAsync(string consumerName, string stream, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(consumerName);
        ArgumentException.ThrowIfNullOrEmpty(stream);
        string what = $"to say where the consumer '{consumerName}' of the stream '{stream}' is";
        return await _links.Locator.AskAsync(
            link => link.QueryOffsetAsync(consumerName, stream, what, cancellationToken), what, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Stores an offset for a named consumer, and waits until the broker has taken it. Its members have it a moment later.
    /// </summary>
    /// <param name="consumerName">The name of the consumer.</param>
    /// <param name="stream">The stream.</param>
    /// <param name="offset">The offset: that of the last message that was dealt with, by convention.</param>
    /// <param name="cancellationToken">Ends the wait; the offset may have been stored.</param>
    /// <exception cref="StreamException">The stream does not exist, or the broker refuses it.</exception>
    public async Task StoreOffsetAsync(string consumerName, string stream, ulong offset, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(consumerName);
        ArgumentException.ThrowIfNullOrEmpty(stream);

        // To store is not answered. A question behind it is, on the same connection and so after it.
        string what = $"to store where the consumer '{consumerName}' of the stream '{stream}' is";
        await _links.Locator.AskAsync(
            link =>
            {
                link.StoreOffset(consumerName, stream, offset);
                return link.QueryOffsetAsync(consumerName, stream, what, cancellationToken);
            },
            what,
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Figures of a stream. The broker is asked each time. Brokers from 3.11 on.</summary>
    /// <exception cref="StreamException">The stream does not exist, or the broker refuses it.</exception>
    /// <exception cref="NotSupportedException">The broker is older than that.</exception>
    public async Task<StreamStatistics> GetStatisticsAsync(string stream, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        string what = $"for figures of the stream '{stream}'";
        await RequireAsync(
            CommandKey.StreamStats, what, "3.11", "For older brokers, use the figures of the management plugin.", cancellationToken)
            .ConfigureAwait(false);
        ListOf<Figure> found =
            await AskAsync<StreamStats, ListOf<Figure>>(new StreamStats { Stream = stream }, what, cancellationToken).ConfigureAwait(false);
        var figures = new Dictionary<string, long>(StringComparer.Ordinal);
        foreach (Figure figure in found.Items ?? [])
        {
            figures[figure.Key ?? ""] = figure.Value;
        }

        return new StreamStatistics(stream, figures);
    }

    private Task<TResponse> AskAsync<TRequest, TResponse>(TRequest request, string what, CancellationToken cancellationToken)
        where TRequest : struct, IRequest<TRequest, TResponse>
        where TResponse : struct, IFieldGroup<TResponse> =>
        _links.Locator.AskAsync(link => link.DemandAsync<TRequest, TResponse>(request, what, cancellationToken), what, cancellationToken);

    private async Task RequireAsync(CommandKey command, string what, string version, string instead, CancellationToken cancellationToken)
    {
        StreamLink link = await _links.Locator.LinkAsync(cancellationToken).ConfigureAwait(false);
        if (!link.Versions.ContainsKey(command))
        {
            throw new NotSupportedException(
                $"The broker cannot be asked {what}: that needs RabbitMQ {version} or later, " +
                $"and {link.Endpoint} runs {link.ServerProperties.GetValueOrDefault("version", "an unknown version")}. {instead}");
        }
    }

    private static (CreateStream Request, string What) Creation(string stream, StreamOptions? options)
    {
        RequireName(stream, nameof(stream));
        IReadOnlyDictionary<string, string> arguments = (options ?? new StreamOptions()).Arguments();
        return (
            new CreateStream { Stream = stream, Arguments = Groups.Pairs(arguments) }, $"to create the stream '{stream}'{With(arguments)}");
    }

    private static string With(IReadOnlyDictionary<string, string> arguments) =>
        arguments.Count == 0 ? "" : $" with {string.Join(", ", arguments.Select(pair => $"{pair.Key}={pair.Value}"))}";

    private static void ThrowUnlessCreated(StreamResponseCode code, string what)
    {
        if (code == StreamResponseCode.PreconditionFailed)
        {
            throw new StreamException(
                code, $"The broker refuses {what}: a queue or stream of this name exists with other arguments, or an argument is not " +
                    $"valid ({code}).");
        }

        ResponseErrors.ThrowUnlessOk(code, what);
    }

    // The broker accepts longer ones on the stream protocol, but they cannot be named over AMQP 0-9-1.
    private static void RequireName(string name, string parameter)
    {
        ArgumentException.ThrowIfNullOrEmpty(name, parameter);
        if (Encoding.UTF8.GetByteCount(name) is var bytes && bytes > byte.MaxValue)
        {
            throw new ArgumentException(
                $"The name of a stream has at most {byte.MaxValue} bytes of UTF-8, and this one {bytes}: '{name.AsSpan(0, 32)}...'.",
                parameter);
        }
    }
}

/// <summary>The nodes of a stream, as the broker sees them at the moment.</summary>
/// <param name="Stream">The stream.</param>
/// <param name="Code">Ok; or why the broker cannot say more: it does not exist, or is not available, or may not be seen.</param>
/// <param name="Leader">
/// The node that takes what is published, by the address that it advertises; null where there is none at the moment.
/// </param>
/// <param name="Replicas">The other nodes that have it.</param>
public sealed record StreamMetadata(string Stream, StreamResponseCode Code, BrokerEndpoint? Leader, IReadOnlyList<BrokerEndpoint> Replicas);

/// <summary>Figures of a stream, as the broker has them at the moment.</summary>
/// <param name="Stream">The stream.</param>
/// <param name="Figures">All that the broker says, by its names; -1 stands for nothing there.</param>
public sealed record StreamStatistics(string Stream, IReadOnlyDictionary<string, long> Figures)
{
    /// <summary>The offset of the oldest message that the stream has; null where it is empty.</summary>
    public ulong? FirstOffset => Offset("first_chunk_id");

    /// <summary>
    /// Consumers get messages up to somewhere behind this offset, with which a chunk begins; null where the stream is empty.
    /// </summary>
    public ulong? CommittedChunk => Offset("committed_chunk_id");

    private ulong? Offset(string name) => Figures.TryGetValue(name, out long value) && value >= 0 ? (ulong)value : null;
}
