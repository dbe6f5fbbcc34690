using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Wire.RabbitMQ.Streams.Hosting.Services;

/// <summary>
/// Creates the streams and starts the consumers of a program with its host, and drains them when it stops; then, when no other hosted
/// service runs that may publish, closes the producers and the client. All of that is within the time that the host has for stopping.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "The source of its token has a timer only while the host stops.")]
internal sealed class StreamHost(IServiceProvider provider, StreamRegistrations registrations, ILogger? logger) : IHostedLifecycleService
{
    private readonly Lock _gate = new();
    private readonly List<HostedConsumer> _consumers = [];
    private readonly CancellationTokenSource _stopping = new();

    /// <summary>Gets the consumers that were started. A copy.</summary>
    public IReadOnlyList<HostedConsumer> Consumers
    {
        get
        {
            lock (_gate)
            {
                return [.. _consumers];
            }
        }
    }

    /// <summary>Gets what was added.</summary>
    public StreamRegistrations Registrations => registrations;

    /// <summary>Gets the producers.</summary>
    public WireStreamProducers Producers => provider.GetRequiredKeyedService<WireStreamProducers>(registrations.Name);

    private StreamClient Client => provider.GetRequiredKeyedService<StreamClient>(registrations.Name);

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        try
        {
            await CheckHandlersAsync().ConfigureAwait(false);
            foreach (Func<StreamClient, CancellationToken, Task> declare in registrations.Declarations)
            {
                await declare(Client, cancellationToken).ConfigureAwait(false);
            }

            foreach (ConsumerRegistration registration in registrations.Consumers)
            {
                HostedConsumer consumer =
                    await registration.StartAsync(Client, provider, _stopping.Token, cancellationToken).ConfigureAwait(false);
                lock (_gate)
                {
                    _consumers.Add(consumer);
                }

                _ = WatchAsync(consumer);
            }
        }
        catch
        {
            // A host that does not start is not stopped either. Its error is that of the start, and waits for no handler for ever.
            using var enough = CancellationTokenSource.CreateLinkedTokenSource(
                registrations.StopTimeout == Timeout.InfiniteTimeSpan ? cancellationToken : CancellationToken.None);
            enough.CancelAfter(registrations.StopTimeout);
            await StopAsync(enough.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>
    /// Lets the handlers that run end, and stores what was handled: with all brokers at once, as they share the time that the host has.
    /// </summary>
    public Task StopAsync(CancellationToken cancellationToken) => Task.WhenAll(
        provider.GetServices<IHostedService>().OfType<StreamHost>().Select(each => each.DrainAsync(cancellationToken)));

    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        try
        {
            await Producers.CloseAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            await Client.CloseAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private Task DrainAsync(CancellationToken cancellationToken)
    {
        _stopping.CancelAfter(registrations.StopTimeout);
        return Task.WhenAll(Consumers.Select(consumer => consumer.CloseAsync(cancellationToken)));
    }

    // Missing registrations of handlers' dependencies are found now, not with the first message.
    private async Task CheckHandlersAsync()
    {
        AsyncServiceScope scope = provider.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            foreach (ConsumerRegistration registration in registrations.Consumers)
            {
                try
                {
                    _ = registration.Handler is null ? null : scope.ServiceProvider.GetRequiredService(registration.Handler);
                }
                catch (Exception e)
                {
                    throw new InvalidOperationException(
                        $"The handler {registration.Handler} of the consumer of '{registration.Stream}' cannot be made: {e.Message}", e);
                }
            }
        }
    }

    private async Task WatchAsync(HostedConsumer consumer)
    {
        await consumer.Completion.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (consumer.Completion.Exception?.InnerException is not { } error)
        {
            return;
        }

        if (logger is null)
        {
            Trace.TraceError(error.Message);
        }
        else
        {
            HostingLog.Ended(logger, consumer.Stream, error.Message, error);
        }
    }
}
