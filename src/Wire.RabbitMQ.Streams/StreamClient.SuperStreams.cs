using System.Globalization;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams;

public sealed partial class StreamClient
{
    private const string OlderSuperStreams =
        "On older brokers, make a super stream over AMQP 0-9-1: create its streams, declare a durable direct exchange of its name with " +
        "the " +
        "argument x-super-stream set to true, and bind each "
        + "stream to it with its routing key and the argument x-stream-partition-order (0, 1, ...).";

    /// <summary>
    /// Creates a super stream: its partitions, named <c>name-0</c>, <c>name-1</c> and so on, with the numbers as binding keys. Brokers from
    /// 3.13 on.
    /// </summary>
    /// <param name="superStream">Its name.</param>
    /// <param name="partitions">How many partitions it has: 1 and more.</param>
    /// <param name="options">What each partition is created with; the broker's defaults when left out.</param>
    /// <param name="cancellationToken">Ends the wait; the super stream may have been created.</param>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    /// <exception cref="StreamException">There is one of this name already, or the broker refuses it.</exception>
    /// <exception cref="NotSupportedException">The broker is older than that: the message says how it is made there.</exception>
    public Task CreateSuperStreamAsync(
        string superStream, int partitions, StreamOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(partitions, 1);
        return CreateSuperStreamAsync(
            superStream,
            Enumerable.Range(0, partitions).Select(number => number.ToString(CultureInfo.InvariantCulture)),
            options,
            cancellationToken);
    }

    /// <summary>Creates a super stream: a partition for each binding key, named <c>name-key</c>. Brokers from 3.13 on.</summary>
    /// <param name="superStream">Its name.</param>
    /// <param name="bindingKeys">The binding keys, each once, in the order of the partitions.</param>
    /// <param name="options">What each partition is created with; the broker's defaults when left out.</param>
    /// <param name="cancellationToken">Ends the wait; the super stream may have been created.</param>
    /// <exception cref="ArgumentException">An option is out of range, or there are no keys, or a key appears twice.</exception>
    /// <exception cref="StreamException">There is one of this name already, or the broker refuses it.</exception>
    /// <exception cref="NotSupportedException">The broker is older than that: the message says how it is made there.</exception>
    public async Task CreateSuperStreamAsync(
        string superStream, IEnumerable<string> bindingKeys, StreamOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(superStream);
        ArgumentNullException.ThrowIfNull(bindingKeys);
        string[] keys = [.. bindingKeys];
        if (keys.Length == 0 || keys.Distinct(StringComparer.Ordinal).Count() != keys.Length || keys.Any(string.IsNullOrEmpty))
        {
            throw new ArgumentException(
                "A super stream has at least one binding key, each of them once, and none of them empty.", nameof(bindingKeys));
        }

        Array.ForEach(keys, key => RequireName($"{superStream}-{key}", nameof(superStream)));
        IReadOnlyDictionary<string, string> arguments = (options ?? new StreamOptions()).Arguments();
        string what = $"to create the super stream '{superStream}' of {keys.Length} partitions{With(arguments)}";
        await RequireAsync(CommandKey.CreateSuperStream, what, "3.13", OlderSuperStreams, cancellationToken).ConfigureAwait(false);
        var request = new CreateSuperStream
        {
            Name = superStream,
            Partitions = Groups.Items(keys.Select(key => $"{superStream}-{key}")),
            BindingKeys = Groups.Items(keys),
            Arguments = Groups.Pairs(arguments),
        };
        ThrowUnlessCreated(await _links.Locator.ChangeAsync(request, what, cancellationToken).ConfigureAwait(false), what);
    }

    /// <summary>Deletes a super stream and its partitions, with all their messages. Brokers from 3.13 on.</summary>
    /// <exception cref="StreamException">It does not exist, or the broker refuses it.</exception>
    /// <exception cref="NotSupportedException">The broker is older than that.</exception>
    public async Task DeleteSuperStreamAsync(string superStream, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(superStream);
        string what = $"to delete the super stream '{superStream}'";
        await RequireAsync(
            CommandKey.DeleteSuperStream,
            what,
            "3.13",
            "On older brokers, delete its streams, and its exchange over AMQP 0-9-1.",
            cancellationToken).ConfigureAwait(false);
        ResponseErrors.ThrowUnlessOk(
            await _links.Locator.ChangeAsync(new DeleteSuperStream { Name = superStream }, what, cancellationToken).ConfigureAwait(false),
            what);
    }

    /// <summary>The streams that a super stream consists of, in order, each once.</summary>
    /// <exception cref="StreamException">It does not exist, or the broker refuses it.</exception>
    public async Task<IReadOnlyList<string>> GetPartitionsAsync(string superStream, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(superStream);
        string what = $"to say what the super stream '{superStream}' consists of";
        (StreamResponseCode code, ListOf<Item> answer) = await _links.Locator.AskAsync(
            link => link.AskAsync<Partitions, ListOf<Item>>(
                new Partitions { SuperStream = superStream }, cancellationToken), what, cancellationToken).ConfigureAwait(false);
        if (code == StreamResponseCode.StreamDoesNotExist)
        {
            throw new StreamException(
                code, $"There is no super stream '{superStream}': create it first, or, if it is a plain stream, use a plain producer or " +
                    "consumer.");
        }

        ResponseErrors.ThrowUnlessOk(code, what);

        // The broker goes by the bindings, and names a stream once for each.
        return [.. Groups.Texts(answer.Items).Distinct(StringComparer.Ordinal)];
    }

    /// <summary>The streams of a super stream that a routing key leads to: none, one or several.</summary>
    /// <exception cref="StreamException">The super stream does not exist, or the broker refuses it.</exception>
    public async Task<IReadOnlyList<string>> RouteAsync(
        string routingKey, string superStream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(routingKey);
        ArgumentException.ThrowIfNullOrEmpty(superStream);
        var request = new Route { RoutingKey = routingKey, SuperStream = superStream };
        string what = $"to say where the routing key '{routingKey}' leads to in the super stream '{superStream}'";
        return Groups.Texts((await AskAsync<Route, ListOf<Item>>(request, what, cancellationToken).ConfigureAwait(false)).Items);
    }

    /// <summary>Makes a producer for a super stream.</summary>
    /// <param name="superStream">The name of the super stream. Partitions that are added to it later are found.</param>
    /// <param name="routing">How partitions are found for routing keys.</param>
    /// <param name="options">How the producers of the partitions behave. A name is one for each of them.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="StreamException">There is no such super stream, or the broker refuses the producers.</exception>
    /// <exception cref="StreamConnectionException">The broker cannot be connected to.</exception>
    public async Task<SuperStreamProducer> CreateSuperStreamProducerAsync(
        string superStream, StreamRouting routing =
            StreamRouting.Hash, StreamProducerOptions? options = null, CancellationToken cancellationToken = default)
    {
        List<StreamProducer> producers = await ForEachPartitionAsync(
            superStream, partition => CreateProducerAsync(partition, options, cancellationToken), cancellationToken).ConfigureAwait(false);
        return new SuperStreamProducer(this, superStream, routing, options, [.. producers]);
    }

    /// <summary>Consumes the objects of a super stream.</summary>
    /// <inheritdoc cref="ConsumeSuperStreamAsync(string, Func{StreamMessage, ValueTask}, StreamConsumerOptions?, CancellationToken)"/>
    public Task<SuperStreamConsumer> ConsumeSuperStreamAsync<T>(
        string superStream, Func<T, StreamMessage, ValueTask> handler, StreamConsumerOptions? options =
            null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeSuperStreamAsync(superStream, new TypedDispatch<T>(handler), options, cancellationToken);
    }

    /// <summary>Consumes the messages of a super stream.</summary>
    /// <param name="superStream">The name of the super stream. Partitions that are added to it later are found.</param>
    /// <param name="handler">
    /// As with a stream, for each partition: it is called side by side for messages of several, and a message says by
    /// <see cref="StreamMessage.Stream"/> which it is from.
    /// </param>
    /// <param name="options">
    /// From where on, and how, in each partition. With <see cref="StreamConsumerOptions.SingleActive"/> the broker divides the partitions
    /// among the consumers of the name.
    /// </param>
    /// <param name="cancellationToken">Ends the attempt; not the consumer.</param>
    /// <returns>The consumer, when all partitions are subscribed to.</returns>
    /// <inheritdoc cref="ConsumeAsync(string, Func{StreamMessage, ValueTask}, StreamConsumerOptions?, CancellationToken)"/>
    public Task<SuperStreamConsumer> ConsumeSuperStreamAsync(
        string superStream, Func<StreamMessage, ValueTask> handler, StreamConsumerOptions? options =
            null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeSuperStreamAsync(superStream, new MessageDispatch(handler), options, cancellationToken);
    }

    /// <summary>Consumes the messages of a super stream, those that came together at once: the fastest way.</summary>
    /// <inheritdoc cref="ConsumeSuperStreamAsync(string, Func{StreamMessage, ValueTask}, StreamConsumerOptions?, CancellationToken)"/>
    public Task<SuperStreamConsumer> ConsumeSuperStreamBatchesAsync(
        string superStream, StreamBatchHandler handler, StreamConsumerOptions? options =
            null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return ConsumeSuperStreamAsync(superStream, new BatchDispatch(handler), options, cancellationToken);
    }

    /// <summary>Finds the partitions of a super stream: at least one.</summary>
    /// <exception cref="StreamException">The super stream does not exist, or has no partitions.</exception>
    internal async Task<IReadOnlyList<string>> FindPartitionsAsync(string superStream, CancellationToken cancellationToken) =>
        await GetPartitionsAsync(superStream, cancellationToken).ConfigureAwait(false) is { Count: > 0 } partitions
            ? partitions
            : throw new StreamException(
                StreamResponseCode.StreamDoesNotExist,
                $"The super stream '{superStream}' has no partitions: there is an exchange of this name, but no stream is bound to it.");

    /// <summary>
    /// Makes something for each partition of a super stream, in their order; where one cannot be made, the others are closed again.
    /// </summary>
    /// <exception cref="StreamException">The super stream does not exist, or has no partitions.</exception>
    internal async Task<List<T>> ForEachPartitionAsync<T>(
        string superStream, Func<string, Task<T>> make, CancellationToken cancellationToken)
        where T : IAsyncDisposable
    {
        IReadOnlyList<string> partitions = await FindPartitionsAsync(superStream, cancellationToken).ConfigureAwait(false);
        var made = new List<T>(partitions.Count);
        try
        {
            foreach (string partition in partitions)
            {
                made.Add(await make(partition).ConfigureAwait(false));
            }

            return made;
        }
        catch
        {
            await Task.WhenAll(made.Select(one => one.DisposeAsync().AsTask())).ConfigureAwait(false);
            throw;
        }
    }

    private async Task<SuperStreamConsumer> ConsumeSuperStreamAsync(
        string superStream, ConsumerDispatch dispatch, StreamConsumerOptions? options, CancellationToken cancellationToken)
    {
        options = ((options ?? new StreamConsumerOptions()) with { SuperStream = superStream }).Validate();
        HandlerThreads? threads =
            options.MaxConcurrency is { } most ? new HandlerThreads($"Streams, consumers of {superStream}", most) : null;
        List<StreamConsumer> consumers;
        try
        {
            consumers = await ForEachPartitionAsync(
                superStream, partition => ConsumeAsync(partition, dispatch, options, cancellationToken, threads), cancellationToken)
                    .ConfigureAwait(false);
        }
        catch
        {
            threads?.Close();
            throw;
        }

        // Nothing was missed of a partition that there was not when it began.
        StreamConsumerOptions later = options.Offset.Kind is StreamOffsetKind.Next or StreamOffsetKind.Last
            ? options with { Offset = StreamOffset.First }
            : options;
        return new SuperStreamConsumer(
            this, superStream, consumers, (partition, token) => ConsumeAsync(partition, dispatch, later, token, threads), threads);
    }
}
