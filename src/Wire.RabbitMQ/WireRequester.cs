using System.Globalization;
using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Diagnostics;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Publishing;
using Wire.RabbitMQ.Requests;
using Wire.Transport.Diagnostics;

namespace Wire.RabbitMQ;

/// <summary>
/// Sends requests and waits for their replies, over the broker's direct reply-to: no queue is declared. Thread-safe: make one for a
/// connection and use it everywhere; thousands of requests may run concurrently.
/// </summary>
/// <remarks>
/// A request is delivered at most once: when its channel is lost it fails, and the program decides whether to send it again. It expires on
/// the broker with its time-out, so that abandoned requests are not handled.
/// </remarks>
public sealed class WireRequester : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly Func<CancellationToken, Task<WireConnection>> _connect;
    private readonly WireBodySerializer _serializer;
    private readonly WireRequesterOptions _options;
    private readonly ILogger _logger;
    private WireConnection? _connection;
    private Task<ReplyChannel>? _channel;
    private int _waiting;
    private bool _disposed;

    /// <summary>Makes requests on a connection. Nothing is opened before the first.</summary>
    /// <param name="connection">The connection, which stays the caller's.</param>
    /// <param name="serializer">What writes requests and reads replies, and not the connection's own.</param>
    /// <param name="options">How requests are made.</param>
    /// <param name="logger">The logger.</param>
    /// <exception cref="ArgumentOutOfRangeException">An option is out of range.</exception>
    public WireRequester(
        WireConnection connection, WireBodySerializer serializer, WireRequesterOptions? options = null,
        ILogger<WireRequester>? logger = null)
        : this(_ => Task.FromResult(connection), serializer, options ?? new WireRequesterOptions(), logger) =>
            ArgumentNullException.ThrowIfNull(connection);

    /// <summary>Makes requests on a connection that is made for the first request.</summary>
    internal WireRequester(
        Func<CancellationToken, Task<WireConnection>> connect,
        WireBodySerializer serializer,
        WireRequesterOptions options,
        ILogger<WireRequester>? logger)
    {
        ArgumentNullException.ThrowIfNull(serializer);
        options.Validate();
        _options = options;
        _connect = connect;
        _serializer = serializer;
        _logger = SafeLogger.Wrap(logger);
        Telemetry.RequestsInFlight.Add(this, Telemetry.Everywhere, static requester => Volatile.Read(ref requester._waiting));
    }

    /// <summary>Sends a request and waits for its reply.</summary>
    /// <param name="exchange">The exchange; empty for the default one.</param>
    /// <param name="routingKey">The routing key; the name of a queue with the default exchange.</param>
    /// <param name="request">The request; may be null.</param>
    /// <param name="timeout">
    /// The time to wait for a channel and for the reply; <see cref="WireRequesterOptions.Timeout"/> when left out.
    /// </param>
    /// <param name="cancellationToken">Ends the wait. The request may be handled all the same.</param>
    /// <returns>The reply; null where the handler replied with null.</returns>
    /// <exception cref="TimeoutException">
    /// No reply came in time. The request may still be handled, or may have been; if it could not be sent, the message says so.
    /// </exception>
    /// <exception cref="RequestFailedException">The handler failed, or its reply cannot be read as one of that type.</exception>
    /// <exception cref="AmqpPublishException">The broker returned the request: no queue is bound for it.</exception>
    /// <exception cref="AmqpConnectionException">
    /// The channel was lost while the request waited, or there is no connection. The broker closes the channel, with all that waits on it,
    /// when an exchange does not exist.
    /// </exception>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="ArgumentException">
    /// The exchange or routing key is longer than 255 bytes, or the time-out is out of range.
    /// </exception>
    /// <exception cref="InvalidOperationException">The connection has as many channels as it may have.</exception>
    /// <exception cref="ObjectGraphException">The request refers to itself, is nested too deeply or is beyond another limit.</exception>
    /// <exception cref="UnsupportedTypeException">The request contains a value of a type that the serializer does not support.</exception>
    /// <exception cref="ObjectDisposedException">The requester has been disposed of.</exception>
    public async Task<TReply> RequestAsync<TRequest, TReply>(
        string exchange,
        string routingKey,
        TRequest request,
        TimeSpan? timeout = null,
        CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(exchange);
        ArgumentNullException.ThrowIfNull(routingKey);
        TimeSpan time = timeout ?? _options.Timeout;
        WireRequesterOptions.RequireTime(time, nameof(timeout));
        if ((ShortStringLimit.Check(exchange, nameof(exchange)) ?? ShortStringLimit.Check(routingKey, nameof(routingKey))) is { } refusal)
        {
            throw refusal;
        }

        ObjectDisposedException.ThrowIf(_disposed, this);

        SendTelemetry? telemetry = SendTelemetry.TryStart(Telemetry.Messages, Attributes.Request, exchange, routingKey);
        var pending = new PendingRequest<TReply>(exchange, routingKey, telemetry);
        Interlocked.Increment(ref _waiting);
        try
        {
            using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            deadline.CancelAfter(time);
            TReply reply = await ExchangeAsync(pending, request, Expiration(time), deadline.Token).ConfigureAwait(false);
            telemetry?.Stop(_connection?.Endpoint);
            return reply;
        }
        catch (Exception e)
        {
            Exception error = e is OperationCanceledException ? Ended(e, pending, time, cancellationToken) : e;
            telemetry?.Stop(_connection?.Endpoint, Failures.GetName(error), error.Message);
            if (ReferenceEquals(error, e))
            {
                throw;
            }

            throw error;
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }
    }

    /// <summary>Closes the channel. Requests that wait fail with a <see cref="AmqpConnectionException"/>.</summary>
    public ValueTask DisposeAsync() => new(CloseAsync());

    /// <summary>Closes it, within a time.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        Task<ReplyChannel>? channel;
        lock (_gate)
        {
            if (_disposed)
            {
                return;
            }

            _disposed = true;
            channel = _channel;
        }

        Telemetry.RequestsInFlight.Remove(this);
        await _stopping.CancelAsync().ConfigureAwait(false);
        if (channel is not null)
        {
            // A channel that could not be opened has failed its callers.
            await channel.ContinueWith(
                static _ => { },
                CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously,
                TaskScheduler.Default).ConfigureAwait(false);
            if (channel.IsCompletedSuccessfully)
            {
                await channel.Result.CloseAsync(cancellationToken).ConfigureAwait(false);
            }
        }

        _stopping.Dispose();
    }

    private async Task<TReply> ExchangeAsync<TRequest, TReply>(
        PendingRequest<TReply> pending,
        TRequest request,
        string? expiration,
        CancellationToken deadline)
    {
        while (true)
        {
            ReplyChannel channel = await ChannelAsync().WaitAsync(deadline).ConfigureAwait(false);
            if (!await channel.TrySendAsync(pending, request, expiration, deadline).ConfigureAwait(false))
            {
                // The channel has just been closed, and the request was not sent: it uses the next one.
                continue;
            }

            try
            {
                return await pending.Completion.WaitAsync(deadline).ConfigureAwait(false);
            }
            finally
            {
                channel.Forget(pending);
            }
        }
    }

    // Returns the open channel, or one that is being opened for all waiting callers.
    private Task<ReplyChannel> ChannelAsync()
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            if (_channel is null || (_channel.IsCompleted && !(_channel.IsCompletedSuccessfully && _channel.Result.IsOpen)))
            {
                _channel = Task.Run(OpenAsync);
            }

            return _channel;
        }
    }

    private async Task<ReplyChannel> OpenAsync()
    {
        WireConnection connection = _connection = await _connect(_stopping.Token).ConfigureAwait(false);
        ReplyChannel channel = await ReplyChannel.OpenAsync(
            connection,
            _serializer,
            _options,
            (count, reason) => RequestLog.ChannelLost(_logger, count, reason),
            id => RequestLog.LateReply(_logger, id),
            _stopping.Token).ConfigureAwait(false);
        RequestLog.ChannelOpened(_logger);
        return channel;
    }

    // Finds the cause: the program's token, disposal, or the time-out.
    private Exception Ended(Exception e, PendingRequest pending, TimeSpan time, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
        {
            return new OperationCanceledException(
                pending.IsSent
                    ? "The wait for the reply was cancelled. The request may still be handled."
                    : "The request was cancelled before it was sent.",
                e,
                cancellationToken);
        }

        return _disposed ? new ObjectDisposedException(nameof(WireRequester))
            : pending.IsSent ? new TimeoutException(
                $"No reply to the request to {pending.Destination} within {time.TotalSeconds:0.###} s. The request may have been " +
                "handled; if it has not been delivered yet, it has expired.",
                e)
            : new TimeoutException(
                $"The request to {pending.Destination} was not sent within {time.TotalSeconds:0.###} s: {WhyNotSent()}", _connection?.Error
                    ?? e);
    }

    private string WhyNotSent() => _connection switch
    {
        null => "there is no connection to the broker yet. Check that the broker is up.",
        { IsOpen: true } =>
            "the connection accepts no more messages for now. Check whether the broker blocks publishers (low on memory or disk).",
        { Error: { } error, Advice: var advice } => $"there is no connection to the broker. {error.Message} {advice}",
        { Advice: var advice } => $"there is no connection to the broker. {advice}",
    };

    private static string? Expiration(TimeSpan time) =>
        time == Timeout.InfiniteTimeSpan ? null : ((long)Math.Ceiling(time.TotalMilliseconds)).ToString(CultureInfo.InvariantCulture);
}
