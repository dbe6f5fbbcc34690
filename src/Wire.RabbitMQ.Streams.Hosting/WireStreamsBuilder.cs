using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Wire.RabbitMQ.Streams.Hosting.Services;

namespace Wire.RabbitMQ.Streams.Hosting;

/// <summary>
/// Adds streams, producers and consumers to a program: <see cref="WireStreamsServices.AddWireStreams(IServiceCollection,
/// Func{IServiceProvider, StreamClientOptions})"/>. Not thread-safe.
/// </summary>
/// <remarks>
/// The options of a consumer begin with three attempts (<see cref="StreamRetryPolicy.Default"/>) and the error stream (<see
/// cref="StreamFailedMessage.ErrorStream"/>), and are those of <see cref="StreamConsumerOptions"/> otherwise. A consumer that ends by
/// itself is an error in the log and in the health check; the host goes on.
/// </remarks>
public sealed class WireStreamsBuilder
{
    private static readonly StreamConsumerOptions Beginning = new()
    {
        Retry = StreamRetryPolicy.Default,
        OnFailure = static _ => StreamFailedMessage.ErrorStream,
    };

    private readonly StreamRegistrations _registrations;

    internal WireStreamsBuilder(IServiceCollection services, StreamRegistrations registrations) =>
        (Services, _registrations) = (services, registrations);

    /// <summary>The services that it adds to.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Gets the name of the broker, which is the key of its services; null for the one without a name.</summary>
    public string? Name => _registrations.Name;

    /// <summary>
    /// Sets the time for which handlers may run on when the host stops, before their token fires: 20 s unless set, so that all ends within
    /// the 30 s that a host has; <see cref="Timeout.InfiniteTimeSpan"/> for as long as they need.
    /// </summary>
    /// <param name="time">The time: zero and more, to 1 day.</param>
    /// <exception cref="ArgumentOutOfRangeException">It is out of range.</exception>
    public WireStreamsBuilder UseStopTimeout(TimeSpan time)
    {
        if (time != Timeout.InfiniteTimeSpan)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(time, TimeSpan.FromDays(1));
        }

        _registrations.StopTimeout = time;
        return this;
    }

    /// <summary>Adds a stream that is created when the host starts, before its consumers, unless it exists.</summary>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="options">What it is created with, or was; the broker's defaults when left out.</param>
    public WireStreamsBuilder Declare(string stream, StreamOptions? options = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        _registrations.Declarations.Add((client, cancellationToken) => client.EnsureStreamAsync(stream, options, cancellationToken));
        return this;
    }

    /// <summary>Adds the options of the producer that <see cref="WireStreamProducers"/> makes for a stream.</summary>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="options">The options of the producer.</param>
    /// <exception cref="ArgumentException">There are options for this stream already.</exception>
    public WireStreamsBuilder AddProducer(string stream, StreamProducerOptions options)
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        ArgumentNullException.ThrowIfNull(options);
        if (!_registrations.Producers.TryAdd(stream, options))
        {
            throw new ArgumentException($"The producer of '{stream}' has been added already: a stream has one.", nameof(stream));
        }

        return this;
    }

    /// <summary>Adds a consumer of a stream whose handler is a service. It is registered as scoped if not registered yet.</summary>
    /// <typeparam name="T">The type of the objects, or an ancestor of it.</typeparam>
    /// <typeparam name="THandler">The service.</typeparam>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="configure">Changes the options, as in <c>options => options with { Name = "reports" }</c>; null for none.</param>
    public WireStreamsBuilder AddConsumer<T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        string stream, Func<StreamConsumerOptions, StreamConsumerOptions>? configure = null)
        where THandler : class, IStreamHandler<T> => Add<T, THandler>(stream, isSuper: false, configure);

    /// <summary>Adds a consumer of all partitions of a super stream whose handler is a service, as with a stream.</summary>
    /// <inheritdoc cref="AddConsumer{T, THandler}"/>
    public WireStreamsBuilder AddSuperStreamConsumer<
        T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        string stream, Func<StreamConsumerOptions, StreamConsumerOptions>? configure = null)
        where THandler : class, IStreamHandler<T> => Add<T, THandler>(stream, isSuper: true, configure);

    /// <summary>Adds a consumer of a stream whose handler is a function, which needs no scope for each message.</summary>
    /// <typeparam name="T">The type of the objects, or an ancestor of it.</typeparam>
    /// <param name="stream">The name of the stream.</param>
    /// <param name="handler">
    /// Gets one object after the other with its message, which is valid until the handler's task has ended, and a token that fires when the
    /// host does not wait any longer.
    /// </param>
    /// <param name="configure">Changes the options, as in <c>options => options with { Name = "reports" }</c>; null for none.</param>
    public WireStreamsBuilder AddConsumer<T>(
        string stream,
        Func<T, StreamMessage, CancellationToken, ValueTask> handler,
        Func<StreamConsumerOptions, StreamConsumerOptions>? configure = null) => Add(stream, isSuper: false, handler, configure);

    /// <summary>Adds a consumer of all partitions of a super stream whose handler is a function, as with a stream.</summary>
    /// <inheritdoc cref="AddConsumer{T}"/>
    public WireStreamsBuilder AddSuperStreamConsumer<T>(
        string stream,
        Func<T, StreamMessage, CancellationToken, ValueTask> handler,
        Func<StreamConsumerOptions, StreamConsumerOptions>? configure = null) => Add(stream, isSuper: true, handler, configure);

    private WireStreamsBuilder Add<T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        string stream, bool isSuper, Func<StreamConsumerOptions, StreamConsumerOptions>? configure)
        where THandler : class, IStreamHandler<T>
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        Services.TryAddScoped<THandler>();
        StreamConsumerOptions options = Options(configure);
        _registrations.Consumers.Add(new ConsumerRegistration(
            stream,
            typeof(THandler),
            (client, provider, stopping, cancellationToken) =>
            {
                IServiceScopeFactory scopes = provider.GetRequiredService<IServiceScopeFactory>();
                return HostedConsumer.StartAsync<T>(
                    client,
                    provider,
                    stream,
                    isSuper,
                    async (value, message) =>
                    {
                        AsyncServiceScope scope = scopes.CreateAsyncScope();
                        await using (scope.ConfigureAwait(false))
                        {
                            THandler handler = scope.ServiceProvider.GetRequiredService<THandler>();
                            await handler.HandleAsync(value, message, stopping).ConfigureAwait(false);
                        }
                    },
                    options,
                    cancellationToken);
            }));
        return this;
    }

    private WireStreamsBuilder Add<T>(
        string stream,
        bool isSuper,
        Func<T, StreamMessage, CancellationToken, ValueTask> handler,
        Func<StreamConsumerOptions, StreamConsumerOptions>? configure)
    {
        ArgumentException.ThrowIfNullOrEmpty(stream);
        ArgumentNullException.ThrowIfNull(handler);
        StreamConsumerOptions options = Options(configure);
        _registrations.Consumers.Add(new ConsumerRegistration(
            stream,
            null,
            (client, provider, stopping, cancellationToken) => HostedConsumer.StartAsync<T>(
                client, provider, stream, isSuper, (value, message) => handler(value, message, stopping), options, cancellationToken)));
        return this;
    }

    private static StreamConsumerOptions Options(Func<StreamConsumerOptions, StreamConsumerOptions>? configure) =>
        configure?.Invoke(Beginning) ?? Beginning;
}
