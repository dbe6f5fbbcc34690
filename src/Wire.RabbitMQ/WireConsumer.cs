using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Copies;
using Wire.RabbitMQ.Delays;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Requests;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ;

/// <summary>
/// Consumes a queue: decodes its messages and gives each to the handler of its type, several at a time, and acknowledges it when the
/// handler has succeeded. Every message is handled at least once; <see cref="MessageContext.Redelivered"/> and <see
/// cref="MessageContext.Duplicate"/> mark possible repetitions. It continues after a lost connection, a closed channel, and the deletion
/// and redeclaration of the queue; on a stream behind the last message up to which all are settled. Thread-safe.
/// </summary>
/// <remarks>
/// A message that cannot be decoded, whose type is refused or has no handler, or whose handler has failed as often as <see
/// cref="WireConsumerOptions.Retry"/> allows, is treated as <see cref="WireConsumerOptions.OnFailure"/> says: with an error queue it is
/// never lost.
/// Handlers run on the consumer's thread or, while one occupies that, on the thread pool, whose threads they should not block for long.
/// </remarks>
public sealed partial class WireConsumer : IAsyncDisposable
{
    // The consumer of the running handler, in its async flow.
    private static readonly AsyncLocal<WireConsumer?> Handling = new();

    private readonly Lock _gate = new();
    private readonly HandlerTable _handlers = new();
    private readonly MessagePools _pools = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationTokenSource _handlersEnd = new();

    // Fires when the time for stopping is over.
    private readonly CancellationTokenSource _deadline = new();
    private readonly WireBodySerializer _serializer;
    private readonly WireConsumerOptions _options;
    private readonly ILogger _logger;
    private readonly WireConnection _connection;
    private readonly PublishingConnection _publishing;
    private readonly CopyPublisher _copies;
    private readonly ErrorQueue _errorQueue;
    private readonly ReplySender _replies;
    private readonly List<Type> _types = [];
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _maxConcurrency;
    private bool _isResponder;
    private ConsumerLoop? _loop;
    private Task? _started;
    private Task _running = Task.CompletedTask;

    /// <summary>A consumer, which does nothing yet.</summary>
    /// <param name="connection">The connection, which stays the caller's. It has recovery on, as it is unless turned off.</param>
    /// <param name="serializer">
    /// The serializer that reads the messages, not the connection's own. The handlers' types are allowed in addition to its filter; their
    /// subclasses are not.
    /// </param>
    /// <param name="options">The options of the consumer.</param>
    /// <param name="logger">Where to log; null for nowhere.</param>
    /// <param name="publishing">
    /// The connection for messages to the error queue and replies, which the caller owns. Null for a connection next to
    /// <paramref name="connection"/>, which is made on first use and closed with the last consumer that needs it. A connection of
    /// RabbitMQ.Client (<see cref="RabbitMQClientExtensions.ToWireConnection"/>) cannot be made a second time: pass one, because on a
    /// single connection a broker that is low on memory would stop acknowledgements too.
    /// </param>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    public WireConsumer(
        WireConnection connection,
        WireBodySerializer serializer,
        WireConsumerOptions options,
        ILogger<WireConsumer>? logger = null,
        WireConnection? publishing = null)
        : this(connection, serializer, options, logger, publishing is null ? null : _ => Task.FromResult(publishing))
    {
    }

    /// <summary>Makes a consumer whose publishing connection is made on first use.</summary>
    internal WireConsumer(
        WireConnection connection,
        WireBodySerializer serializer,
        WireConsumerOptions options,
        ILogger<WireConsumer>? logger,
        Func<CancellationToken, Task<WireConnection>>? publishing)
    {
        ArgumentNullException.ThrowIfNull(connection);
        ArgumentNullException.ThrowIfNull(serializer);
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        _connection = connection;
        _serializer = serializer;
        _options = options;
        _maxConcurrency = options.MaxConcurrency;
        _logger = SafeLogger.Wrap(logger);
        _publishing = new PublishingConnection(connection, publishing);
        _copies = new CopyPublisher(connection, _publishing, serializer, _logger);
        _errorQueue = new ErrorQueue(_copies, options);
        _replies = new ReplySender(_publishing, serializer, _logger);
    }

    /// <summary>
    /// Ends when the consumer has stopped or failed to start. Fails with an <see cref="AmqpConnectionException"/>, or an <see
    /// cref="ObjectDisposedException"/> where the program has closed the connection, when it has stopped because the connection has ended
    /// permanently: make another consumer on another connection. An unobserved failure is not raised.
    /// </summary>
    /// <remarks>A handler of this consumer must not wait for it: it would wait for itself.</remarks>
    public Task Completion => _completion.Task;

    /// <summary>
    /// Gets or sets the largest number of messages that are handled at a time, at first <see cref="WireConsumerOptions.MaxConcurrency"/>.
    /// Fewer take effect when handlers end. Thread-safe, at any time.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">
    /// Less than 1, or more than the broker sends ahead: <see cref="WireConsumerOptions.PrefetchCount"/>.
    /// </exception>
    public int MaxConcurrency
    {
        get => Volatile.Read(ref _maxConcurrency);
        set
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(value, 1);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, _options.EffectivePrefetch);
            lock (_gate)
            {
                _maxConcurrency = value;
                _loop?.Concurrency = value;
            }
        }
    }

    /// <summary>Gets or sets what makes the scopes of services, as a host does; null for none.</summary>
    internal IServiceScopeFactory? Scopes { get; set; }

    /// <summary>The current subscription, for tests that harm its channel.</summary>
    internal Subscription? Subscription => _loop?.Current;

    /// <summary>Gets the reason why it does not consume for now, as far as it is known.</summary>
    internal Exception? Interruption => _loop?.Error;

    /// <summary>Begins to consume.</summary>
    /// <param name="cancellationToken">Ends the attempt.</param>
    /// <exception cref="InvalidOperationException">
    /// It has been started or stopped before, or has no handler, or the error queue cannot be declared, or the queue cannot be
    /// consumed: it does not exist, is exclusive to another connection, or another consumer has exclusive access. Where the broker has
    /// refused, its reason is in the inner exception, an <see cref="AmqpChannelException"/>. Where there is no queue, there is no
    /// inner exception, and nothing has been declared but <see cref="WireConsumerOptions.Topology"/>.
    /// </exception>
    /// <exception cref="ArgumentException">The topology that options and handlers make contradicts itself.</exception>
    /// <exception cref="AmqpConnectionException">There is no connection, or it went down meanwhile.</exception>
    /// <exception cref="ObjectDisposedException">The program has closed the connection.</exception>
    public Task StartAsync(CancellationToken cancellationToken = default)
    {
        lock (_gate)
        {
            if (_started is not null || _stopping.IsCancellationRequested)
            {
                throw new InvalidOperationException("A consumer can be started only once: create another.");
            }

            if (_handlers.Count == 0)
            {
                throw new InvalidOperationException(
                    $"The consumer of '{_options.Queue}' has no handler: add one with Handle<T> before it is started.");
            }

            return _started = StartCoreAsync(cancellationToken);
        }
    }

    /// <summary>
    /// Stops: no more handlers start, waiting messages return to the queue, running handlers finish and their messages are acknowledged.
    /// After <see cref="WireConsumerOptions.StopTimeout"/> their token fires; 5 s later the call ends anyway: handlers are abandoned, and
    /// unsettled messages return to the queue.
    /// </summary>
    /// <remarks>
    /// Called from one of this consumer's handlers, or from a task that a handler has started, it does not wait, because it would wait for
    /// itself: the consumer stops after the handler.
    /// </remarks>
    /// <param name="cancellationToken">Has the handlers' token fire at once, so that it all ends within 5 s.</param>
    public async Task StopAsync(CancellationToken cancellationToken = default)
    {
        Task? started;
        lock (_gate)
        {
            started = _started;
            if (!_stopping.IsCancellationRequested)
            {
                _ = _stopping.CancelAsync();
            }
        }

        if (started is null)
        {
            await CloseAsync(null, CancellationToken.None).ConfigureAwait(false);
            return;
        }

        if (Handling.Value == this)
        {
            return;
        }

        await started.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        using CancellationTokenRegistration registration =
            cancellationToken.UnsafeRegister(static source => _ = ((CancellationTokenSource)source!).CancelAsync(), _handlersEnd);
        await _running.ConfigureAwait(false);
    }

    /// <summary>The same as <see cref="StopAsync"/>.</summary>
    public async ValueTask DisposeAsync() => await StopAsync().ConfigureAwait(false);

    private async Task StartCoreAsync(CancellationToken cancellationToken)
    {
        try
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _stopping.Token);

            _handlers.Complete();
            WireTopology? topology = _options.TopologyFor(_types);
            await (topology?.DeclareAsync(_connection.Topology, either.Token) ?? Task.CompletedTask).ConfigureAwait(false);

            // Before all else, so that a misspelt name leaves no unused error queue behind.
            if (await _connection.Topology.FindQueueAsync(_options.Queue, either.Token).ConfigureAwait(false) is null)
            {
                throw new InvalidOperationException(
                    StartRefusal.Explain(_options.Queue, new AmqpCloseReason(ReplyCodes.NotFound, "there is no such queue", 0)));
            }

            if (_publishing.IsConsuming
                && (_isResponder || _options.OnFailure == FailureAction.ErrorQueue || _options.Retry.Delayed is not null))
            {
                ConsumerLog.PublishesWhereItConsumes(_logger, _options.Queue);
            }

            // Before the error queue, with which a broker of RabbitMQ 3 writes them to its disk.
            var delays = new DelayQueues(_copies, _options.Queue);
            await delays.DeclareAsync(_options.Retry.Delayed?.Levels() ?? [], either.Token).ConfigureAwait(false);
            await _errorQueue.DeclareAsync(either.Token).ConfigureAwait(false);
            var position = new StreamPosition(_options.Arguments);
            var settler = new OutcomeSettler(
                _options,
                position,
                _errorQueue,
                delays,
                _isResponder ? _replies : null,
                _logger,
                _stopping.Token,
                _handlersEnd.Token);
            var processor = new MessageProcessor(
                _connection,
                _options,
                position,
                _serializer.Allowing(_types),
                _handlers,
                _pools,
                settler,
                Scopes,
                await NewContextAsync().ConfigureAwait(false),
                _logger,
                _stopping.Token,
                _handlersEnd.Token);
            Telemetry.ProcessesInFlight.Add(processor, Telemetry.Of(_options.Queue), static processor => processor.Running);
            var gathered = new GatheredDeliveries(
                _options,
                position,
                processor,
                _copies,
                _serializer.MaxGrownBytes,
                settler.PauseAsync,
                _logger,
                _stopping.Token,
                _handlersEnd.Token);
            var loop = new ConsumerLoop(
                _connection,
                _options,
                topology,
                position,
                processor,
                gathered.Around(_options.OrderingKey is { } keyOf ? processor.ByKey(keyOf) : processor.HandleAsync),
                _logger,
                _handlersEnd,
                _deadline,
                _stopping.Token);
            lock (_gate)
            {
                _loop = loop;
                loop.Concurrency = _maxConcurrency;
            }

            Subscription first = await loop.SubscribeAsync(cancellationToken).ConfigureAwait(false);
            _running = Task.Run(() => RunAsync(loop, first), CancellationToken.None);
        }
        catch (Exception e)
        {
            await CloseAsync(null, CancellationToken.None).ConfigureAwait(false);
            if (e is AmqpChannelException refusal)
            {
                throw new InvalidOperationException(StartRefusal.Explain(_options.Queue, refusal.Reason), e);
            }

            throw;
        }
    }

    private async Task RunAsync(ConsumerLoop loop, Subscription first)
    {
        Exception? failure = null;
        try
        {
            failure = await loop.RunAsync(first).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            ConsumerLog.Unexpected(_logger, _options.Queue, e);
            failure = e;
            throw;
        }
        finally
        {
            // Here, not in StopAsync: a handler that stops its consumer does not wait, and no other caller has to.
            await CloseAsync(failure, _deadline.Token).ConfigureAwait(false);
        }
    }

    /// <summary>Releases the remaining resources on the connection; this is the last step.</summary>
    /// <param name="failure">Why it has ended by itself; null when it has not.</param>
    /// <param name="deadline">Ends the wait for the broker.</param>
    private async Task CloseAsync(Exception? failure, CancellationToken deadline)
    {
        try
        {
            await Task.WhenAll(_replies.CloseAsync(deadline), _copies.CloseAsync(deadline)).ConfigureAwait(false);
            await _publishing.CloseAsync(deadline).ConfigureAwait(false);
        }
        finally
        {
            // The failure has been logged, so the task need not be observed.
            _completion.TryEnd(failure);
        }
    }

    /// <summary>
    /// An execution context with only the consumer of the handler, not the context of the caller of <see cref="StartAsync"/>.
    /// </summary>
    private Task<ExecutionContext> NewContextAsync()
    {
        var made = new TaskCompletionSource<ExecutionContext>(TaskCreationOptions.RunContinuationsAsynchronously);
        ThreadPool.UnsafeQueueUserWorkItem(
            _ =>
            {
                Handling.Value = this;
                made.SetResult(ExecutionContext.Capture()!);
                Handling.Value = null;
            },
            null);
        return made.Task;
    }
}
