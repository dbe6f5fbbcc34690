using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text;
using Wire.Amqp.Client.Channels;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.V091;
using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.Amqp.Client;

/// <summary>
/// A consumer of an <see cref="AmqpChannel"/>. It recovers with its channel when the connection was lost: of a stream behind the last
/// message up to which all are settled. Thread-safe.
/// </summary>
public sealed partial class AmqpConsumer : IAsyncDisposable, IRoundListener
{
    private const string DirectReplies = "amq.rabbitmq.reply-to";

    private readonly ConsumerSet _consumers;
    private readonly AmqpConsumeOptions _options;
    private readonly bool _isUnbounded;
    private readonly StreamPosition _position;
    private readonly Func<AmqpDelivery, ValueTask> _handler;
    private readonly ChannelTelemetry? _telemetry;
    private readonly byte[] _tag;

    // Null where handlers run on the receive loop.
    private readonly Dispatcher<PendingDelivery>? _dispatcher;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private string _queue;
    private Exception? _error;

    // What comes although nobody knows of the consumer; null while somebody does.
    private ConcurrentQueue<PendingDelivery>? _abandoned;

    // The link on which its queue does not answer.
    private (Link? On, long Since) _waiting;
    private int _isEnded;
    private int _isUnwanted;

    // The number of messages that are being handled or wait for it, and one for the consumer while it has not ended.
    private int _running = 1;

    internal AmqpConsumer(
        ConsumerSet consumers, string queue, string firstName, string tag, AmqpConsumeOptions options,
        Func<AmqpDelivery, ValueTask> handler, ushort prefetch, ChannelTelemetry? telemetry)
    {
        _consumers = consumers;
        _queue = queue;
        QueueFirstName = firstName;
        _options = options;
        _handler = handler;
        _telemetry = telemetry;
        _position = options.Position ?? new StreamPosition(options.Arguments);
        _tag = Encoding.UTF8.GetBytes(tag);
        _dispatcher = options.Concurrency == 0
            ? null
            : new Dispatcher<PendingDelivery>($"Wire AMQP consumer {tag}", options.Concurrency, CallHandler, HandlerEnded);
        ConsumerTag = tag;
        Prefetch = prefetch;
        _isUnbounded = options.NoAck || prefetch == 0;
        IsOfReplies = queue == DirectReplies;
    }

    /// <summary>Gets its name on its channel.</summary>
    public string ConsumerTag { get; }

    /// <summary>The queue: by the name that it has now, where the broker names it and has done so again.</summary>
    public string Queue => Volatile.Read(ref _queue);

    /// <summary>
    /// Ends when the consumer has ended and no handler of it runs any more: well, when the program has ended it or its channel; with an
    /// <see cref="AmqpConsumerException"/>, when the broker has, as when the queue was deleted; with the reason why the channel has ended,
    /// when it was that.
    /// </summary>
    public Task Completion => _completion.Task;

    /// <summary>
    /// Like <see cref="Completion"/>, but without waiting for running handlers: ends when no further message can reach one.
    /// </summary>
    public Task Ended => _ended.Task;

    /// <summary>Gets or sets how many handlers run at a time, where they do not run on the receive loop.</summary>
    internal int Concurrency
    {
        get => _dispatcher?.Concurrency ?? 0;
        set => _dispatcher?.Concurrency = value;
    }

    /// <summary>Gets the name under which the queue was declared.</summary>
    internal string QueueFirstName { get; }

    /// <summary>Gets whether it consumes without acknowledgements.</summary>
    internal bool NoAck => _options.NoAck;

    /// <summary>
    /// Gets whether it consumes the broker's direct replies, which come without tags of their own (rabbitmq.com/docs/direct-reply-to).
    /// </summary>
    internal bool IsOfReplies { get; }

    /// <summary>Gets the number of messages that the broker sends it ahead.</summary>
    internal ushort Prefetch { get; }

    /// <summary>
    /// Gets a task that ends when the broker has answered its latest start, however long that takes, or the channel has ended.
    /// </summary>
    internal Task Started { get; private set; } = Task.CompletedTask;

    /// <summary>Gets the link on which it was started last; null before.</summary>
    internal ChannelSession? Session { get; private set; }

    /// <summary>Gets or sets whether it is among the consumers of its queue; guarded by the set of the channel's consumers.</summary>
    internal bool IsCounted { get; set; }

    /// <summary>Gets the number of messages that are being handled or wait for it. A snapshot: it may be out of date.</summary>
    internal int Running => Math.Max(0, Volatile.Read(ref _running) - (HasEnded ? 0 : 1));

    /// <summary>Gets whether it has ended.</summary>
    internal bool HasEnded => Volatile.Read(ref _isEnded) != 0;

    /// <summary>The link on which its queue had deleted itself and was declared once more; null before.</summary>
    internal Link? RetriedOn { get; set; }

    /// <summary>Its queue does not answer: true while it has waited for less than a call may take, as its channel waits too.</summary>
    internal bool MayWaitForQueue(ChannelSession session)
    {
        if (_waiting.On != session.Channel.Link)
        {
            _waiting = (session.Channel.Link, Stopwatch.GetTimestamp());
        }

        return Stopwatch.GetElapsedTime(_waiting.Since) < session.CallTimeout;
    }

    /// <summary>
    /// The broker has refused to start it again: true where that was for its position in a stream, as the queue is none, and it can be
    /// tried once more without.
    /// </summary>
    internal bool TryGiveUpPosition(AmqpCloseReason reason) =>
        reason.IsOfStreamOffset && _position.TryGiveUp();

    /// <summary>Gets whether the program has not ended it.</summary>
    internal bool IsWanted => Volatile.Read(ref _isUnwanted) == 0;

    /// <summary>
    /// Ends it: the broker sends no further messages, and the handlers of those that have come end. With <see
    /// cref="AmqpConsumeOptions.Concurrency"/> from 1 on, messages that no handler has begun with go back to the queue without waiting for
    /// that, unless it consumes with <see cref="AmqpConsumeOptions.NoAck"/>, where they would be lost. A handler of its own may call this,
    /// and must not wait for it, as it waits for the handler.
    /// </summary>
    public ValueTask DisposeAsync() => new(CloseAsync());

    /// <summary>Closes it, within a time.</summary>
    /// <param name="cancellationToken">Ends the wait, for the broker and for handlers that run. The consumer ends all the same.</param>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        Task cancelled = TryGiveUp() ? _consumers.CancelAsync(this) : Task.CompletedTask;
        await cancelled.WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await _completion.Task.WaitAsync(cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    /// <summary>Ends it for the program; false when that was done before.</summary>
    internal bool TryGiveUp()
    {
        if (Interlocked.Exchange(ref _isUnwanted, 1) != 0)
        {
            return false;
        }

        if (!NoAck)
        {
            // Waiting messages are returned after the broker has stopped sending; before, it would send them here again.
            _dispatcher?.Stop();
        }

        return true;
    }

    /// <summary>
    /// Ends it before its start has been answered, or as the caller does not learn of the answer: what comes from now on goes back to the
    /// queue when the broker has stopped sending, unless nothing is acknowledged.
    /// </summary>
    internal void Abandon()
    {
        Volatile.Write(ref _abandoned, []);
        TryGiveUp();
    }

    internal bool HasTag(ReadOnlySpan<byte> tag) => tag.SequenceEqual(_tag);

    /// <summary>Starts it on a session of the channel.</summary>
    internal Task StartAsync(ChannelSession session, string queue, CancellationToken cancellationToken)
    {
        session.Deliveries.HoldFor(Prefetch);
        IReadOnlyDictionary<string, object?>? arguments = _position.Begin(session, session.CallTimeout);
        Task<bool> answer = session.Channel.Begin<BasicConsume, BasicConsumeOk, bool>(
            new BasicConsume
            {
                Queue = queue,
                ConsumerTag = ConsumerTag,
                NoAck = _options.NoAck,
                Exclusive = _options.Exclusive,
                Arguments = arguments is null ? default : FieldTable.Create(arguments),
            },
            _ =>
            {
                Volatile.Write(ref _queue, queue);
                bool isFirst = Session is null;
                Session = session;
                _waiting = default;
                if (isFirst)
                {
                    _consumers.Count(this);
                }

                return true;
            });
        Started = answer;
        return session.Channel.WaitAsync(answer, BasicConsume.Id, cancellationToken);
    }

    /// <summary>It has ended.</summary>
    /// <param name="error">Why; null where the program wanted it.</param>
    internal void Complete(Exception? error)
    {
        if (Interlocked.Exchange(ref _isEnded, 1) == 0)
        {
            _error = error;
            RequeueWaiting();
            _ended.TryEnd(error);
            Leave();
        }
    }
}
