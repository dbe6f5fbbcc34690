using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;
using Wire.Runtime;
using Wire.Transport;

namespace Wire.RabbitMQ;

/// <summary>
/// A connection to a broker that publishers, consumers and requesters are made on: one of Wire.Amqp.Client, or of RabbitMQ.Client (<see
/// cref="RabbitMQClientExtensions"/>). Reconnects when it is lost. Thread-safe.
/// </summary>
/// <remarks>
/// Make one for publishing and one for consuming: a broker that takes no messages for a while stops reading from connections that publish.
/// </remarks>
public abstract class WireConnection : IAsyncDisposable
{
    private protected WireConnection() => Topology = new ConnectionTopology(this);

    /// <summary>Gets what declares queues, exchanges and bindings, on a channel of its own each.</summary>
    public IAmqpTopology Topology { get; }

    /// <summary>Gets whether the connection is up: false while it reconnects.</summary>
    public abstract bool IsOpen { get; }

    /// <summary>Gets whether it has ended permanently.</summary>
    public abstract bool IsClosed { get; }

    /// <summary>
    /// Gets the reason why the broker currently takes no messages, such as low memory; null when it does, and while the connection is down.
    /// </summary>
    public abstract string? BlockedReason { get; }

    /// <summary>Gets the error by which it was lost; null if unknown or none.</summary>
    internal abstract Exception? Error { get; }

    /// <summary>Gets advice for a connection that does not recover: the last sentences of an error message.</summary>
    internal abstract string Advice { get; }

    /// <summary>
    /// Another connection to the same broker, over which its consumers publish; null where it is not known how to make one.
    /// </summary>
    internal virtual SharedConnection? Beside => null;

    /// <summary>The largest frame, as agreed on with the broker; 0 for no limit.</summary>
    internal abstract int FrameMax { get; }

    /// <summary>The broker, for spans and metrics; null when no longer known.</summary>
    internal abstract BrokerEndpoint? Endpoint { get; }

    /// <summary>Takes a connection of Wire.Amqp.Client, which stays the caller's.</summary>
    public static implicit operator WireConnection(AmqpConnection connection) => From(connection);

    /// <inheritdoc cref="AmqpConnection.ConnectAsync(AmqpConnectionOptions, CancellationToken)"/>
    public static async Task<WireConnection> ConnectAsync(AmqpConnectionOptions options, CancellationToken cancellationToken = default) =>
        From(await AmqpConnection.ConnectAsync(options, cancellationToken).ConfigureAwait(false));

    /// <inheritdoc cref="AmqpConnection.ConnectAsync(string, CancellationToken)"/>
    [RequiresUnreferencedCode(TrimmingAdvice.Trimming)]
    [RequiresDynamicCode(TrimmingAdvice.DynamicCode)]
    public static Task<WireConnection> ConnectAsync(string uri, CancellationToken cancellationToken = default) =>
        ConnectAsync(AmqpConnectionOptions.Parse(uri), cancellationToken);

    /// <summary>Takes a connection of Wire.Amqp.Client.</summary>
    /// <param name="connection">The connection, which is closed with this one when that is disposed of.</param>
    public static WireConnection From(AmqpConnection connection)
    {
        ArgumentNullException.ThrowIfNull(connection);
        return DirectConnection.Over(connection);
    }

    /// <summary>Closes the connection, even if the program made it and only passed it here.</summary>
    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return new ValueTask(CloseAsync());
    }

    /// <summary>Closes it, within a time.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker: the connection is ended then without its answer.</param>
    public abstract Task CloseAsync(CancellationToken cancellationToken = default);

    /// <summary>Opens a channel, waiting for the connection if necessary.</summary>
    /// <param name="options">How it is used.</param>
    /// <param name="events">The listener for its events.</param>
    /// <param name="recoveryTimeout">How long a connection that is down is waited for.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="AmqpConnectionException">The connection did not recover in time, or has ended permanently.</exception>
    /// <exception cref="ObjectDisposedException">The program has closed the connection.</exception>
    /// <exception cref="InvalidOperationException">The connection has as many channels as it may have.</exception>
    internal async Task<IMessageChannel> OpenChannelAsync(
        AmqpChannelOptions options, ChannelEvents events, TimeSpan recoveryTimeout, CancellationToken cancellationToken)
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(recoveryTimeout);
        try
        {
            Action<Exception>? lost = events.Lost;
            bool hasBeenLost = false;
            void Lost(Exception error)
            {
                hasBeenLost = true;
                Telemetry.Count(Telemetry.ChannelsLost);
                lost?.Invoke(error);
            }

            IMessageChannel channel = await OpenCoreAsync(options, events with { Lost = Lost }, timeout.Token).ConfigureAwait(false);
            Telemetry.Count(Telemetry.ChannelsOpened);

            // A reader sees an increase only where it has seen what was before.
            Telemetry.Count(Telemetry.ChannelsLost, 0);
            _ = channel.Completion.ContinueWith(
                ended =>
                {
                    // A channel of an abandoned connection was lost before, and has been counted.
                    if (!hasBeenLost || ended.Exception!.InnerException is AmqpChannelException)
                    {
                        Telemetry.Count(Telemetry.ChannelsLost);
                    }
                },
                CancellationToken.None,
                TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default);
            return channel;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw NotBack(recoveryTimeout);
        }
    }

    /// <summary>Makes the error for a connection that is not back in time.</summary>
    internal AmqpConnectionException NotBack(TimeSpan recoveryTimeout) =>
        BlockedReason is { } reason
            ? new($"The broker has accepted no messages on this connection for {recoveryTimeout.TotalSeconds:0.###} s: {reason}.")
            : new($"The connection has not come back within {recoveryTimeout.TotalSeconds:0.###} " +
                $"s.{(Error is { } error ? $" {error.Message}" : "")} {Advice}", Error);

    /// <inheritdoc cref="OpenChannelAsync"/>
    internal abstract Task<IMessageChannel> OpenCoreAsync(
        AmqpChannelOptions options, ChannelEvents events, CancellationToken cancellationToken);

    /// <summary>Opens a channel for one declaration, and closes it.</summary>
    internal abstract Task<T> UseCoreAsync<T>(Func<IAmqpTopology, Task<T>> use, CancellationToken opening);

    /// <summary>Subscribes to the broker's blocking and unblocking of publishers.</summary>
    /// <param name="tell">Called with the broker's reason when it begins, with null when it ceases. It does not wait.</param>
    /// <returns>The subscription, ended by disposing of it.</returns>
    internal abstract IDisposable WatchBlocked(Action<string?> tell);

    /// <summary>Subscribes to the loss and recovery of the connection.</summary>
    internal abstract IDisposable Watch(Action<Exception> lost, Action recovered);

    /// <summary>Notifies when credentials that expire could not be renewed yet, with the reason; never where that is not done.</summary>
    internal virtual IDisposable WatchCredentials(Action<Exception> failed) => new Ending(static () => { });

    /// <summary>Returns the name at the broker of a connection next to another one.</summary>
    private protected static string BesideName(string? name) =>
        $"{name ?? Assembly.GetEntryAssembly()?.GetName().Name ?? "Wire"} (what consumers publish)";
}
