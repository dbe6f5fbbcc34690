using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.Transport;

namespace Wire.RabbitMQ.Publishing;

/// <summary>
/// A channel of a publisher. It is opened for the first message, and messages that arrive meanwhile wait in order; then the channel itself
/// keeps the order. Thread-safe.
/// </summary>
/// <param name="connect">Makes or gets the connection.</param>
/// <param name="options">The options of the channel.</param>
/// <param name="recoveryTimeout">How long a connection that is down is waited for.</param>
/// <param name="logger">Where to log.</param>
/// <param name="others">The other channels of the publisher, one of which is shared if the connection has none left.</param>
internal sealed class PublishChannel(
    Func<CancellationToken, Task<WireConnection>> connect, AmqpChannelOptions options, TimeSpan recoveryTimeout, ILogger logger,
    Func<IEnumerable<PublishChannel>>? others = null)
    : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly SemaphoreSlim _turn = new(1);
    private WireConnection? _connection;
    private volatile IMessageChannel? _channel;
    private Task<IMessageChannel>? _opening;

    // True if the channel is that of another, which closes it.
    private volatile bool _isShared;

    // Ends when it is known whether there is a channel of its own.
    private volatile Task _attempt = Task.CompletedTask;
    private volatile bool _isClosing;
    private volatile bool _isClosed;
    private int _waiting;

    // The number of failures to open a channel, and the last reason: it applies to all messages that have waited for it.
    private int _failures;
    private Exception? _failure;

    /// <summary>Gets whether a message would have to wait. A snapshot: it may be out of date.</summary>
    public bool IsBusy => Volatile.Read(ref _waiting) != 0 || _channel is { HasRoom: false };

    /// <summary>Gets the number of messages that wait or are not confirmed. A snapshot as well.</summary>
    public int Load => Volatile.Read(ref _waiting) + (Own?.InFlight ?? 0);

    private IMessageChannel? Own => _isShared ? null : _channel;

    /// <summary>The broker; null as long as there is no connection.</summary>
    public BrokerEndpoint? Server => _connection?.Endpoint;

    /// <summary>Publishes an object.</summary>
    public ValueTask PublishAsync<T>(
        in BasicPublish method, in BasicProperties properties, T message, IAmqpPublishObserver? observer,
        CancellationToken cancellationToken) =>
        _isClosing ? ValueTask.FromException(Disposed())
        : Volatile.Read(ref _waiting) == 0 && _channel is { IsOpen: true } channel
            ? channel.PublishAsync(in method, in properties, message, observer, cancellationToken)
            : AwaitedPublish.Follow(PublishLaterAsync(method, properties, message, observer, cancellationToken));

    /// <inheritdoc cref="CloseAsync"/>
    public ValueTask DisposeAsync() => new(CloseAsync(CancellationToken.None));

    /// <summary>Takes no further messages, waits for pending ones within a time limit, and closes the channel.</summary>
    /// <param name="enough">Ends the wait before that.</param>
    public async Task CloseAsync(CancellationToken enough)
    {
        _isClosing = true;
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(enough);
        patience.CancelAfter(recoveryTimeout);
        using CancellationTokenRegistration late = patience.Token.UnsafeRegister(
            _ => PublisherLog.Abandoned(logger, Load, recoveryTimeout.TotalSeconds), null);
        try
        {
            // After all messages that wait for the channel to be opened; later callers find it closed.
            await _turn.WaitAsync(patience.Token).ConfigureAwait(false);
            _isClosed = true;
            _turn.Release();
        }
        catch (OperationCanceledException)
        {
            // It has been logged.
            _isClosed = true;
        }

        await _stop.CancelAsync().ConfigureAwait(false);
        if (_opening is { } opening)
        {
            // The wait may have been given up, and the channel may be opened nevertheless.
            await ((Task)opening).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        if (Own is { } channel)
        {
            await channel.CloseAsync(patience.Token).ConfigureAwait(false);
        }

        _stop.Dispose();
    }

    /// <summary>Makes the error of a publisher that has been disposed of.</summary>
    public static ObjectDisposedException Disposed() =>
        new(nameof(WirePublisher), "The publisher has been disposed of: the message has not been published.");

    private async Task PublishLaterAsync<T>(
        BasicPublish method, BasicProperties properties, T message, IAmqpPublishObserver? observer, CancellationToken cancellationToken)
    {
        ValueTask published;
        int failures = Volatile.Read(ref _failures);
        int waiting = Interlocked.Increment(ref _waiting);
        try
        {
            if (waiting > options.MaxWaiting)
            {
                throw AmqpPublishException.Overflow(
                    method.Exchange.ToString(), method.RoutingKey.ToString(), properties.MessageId.Text(), options.MaxWaiting);
            }

            await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                IMessageChannel channel = await ChannelAsync(failures).WaitAsync(cancellationToken).ConfigureAwait(false);
                published = channel.PublishAsync(in method, in properties, message, observer, cancellationToken);
            }
            finally
            {
                _turn.Release();
            }
        }
        finally
        {
            Interlocked.Decrement(ref _waiting);
        }

        await published.ConfigureAwait(false);
    }

    // In turn. The caller before may have given up, and the channel is opened nevertheless.
    private Task<IMessageChannel> ChannelAsync(int failures) =>
        _isClosed ? Task.FromException<IMessageChannel>(Disposed())
        : _channel is { IsOpen: true } open ? Task.FromResult(open)
        : _opening is { IsCompleted: false } opening ? opening
        : _failures != failures ? Task.FromException<IMessageChannel>(_failure!)
        : _opening = OpenAsync();

    private async Task<IMessageChannel> OpenAsync()
    {
        try
        {
            Task<IMessageChannel> own = OpenOwnAsync();
            _attempt = own;
            try
            {
                return await own.ConfigureAwait(false);
            }
            catch (InvalidOperationException e) when (e is not ObjectDisposedException && others is not null)
            {
                if (await BorrowAsync(others()).ConfigureAwait(false) is not { } shared)
                {
                    throw;
                }

                PublisherLog.ChannelShared(logger, e.Message);
                return shared;
            }
        }
        catch (Exception e)
        {
            Exception error = _stop.IsCancellationRequested ? Disposed() : e;
            _failure = error;
            _failures++;
            PublisherLog.ChannelRefused(logger, error);
            throw error;
        }
    }

    private async Task<IMessageChannel> OpenOwnAsync()
    {
        WireConnection connection = _connection = await connect(_stop.Token).ConfigureAwait(false);
        var events = new ChannelEvents(Lost: error => PublisherLog.ChannelClosed(logger, error.Message.TrimEnd('.')));
        IMessageChannel channel =
            await connection.OpenChannelAsync(options, events, recoveryTimeout, _stop.Token).ConfigureAwait(false);
        _isShared = false;
        _channel = channel;
        PublisherLog.ChannelOpened(logger);
        return channel;
    }

    // The connection has no channel left: the least loaded of the others, as soon as those that are being opened have been. It is kept, so
    // that the order of messages is that of one channel.
    private async Task<IMessageChannel?> BorrowAsync(IEnumerable<PublishChannel> all)
    {
        PublishChannel[] candidates = [.. all.Where(other => other != this)];
        await Task.WhenAll(candidates.Select(other => other._attempt)).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (candidates.Where(other => other.Own is { IsOpen: true }).MinBy(other => other.Load)?.Own is not { } shared)
        {
            return null;
        }

        _isShared = true;
        _channel = shared;
        return shared;
    }
}
