using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Diagnostics;
using Wire.RabbitMQ.Streams.Failures;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Passes the messages of a stream to a handler, in order and one at a time, until it is closed or fails. After a lost connection it
/// continues after the last delivered message: the handler gets every message once. Thread-safe.
/// </summary>
/// <remarks>
/// The handler is called for each chunk on a thread of the consumer, or on one of <see
/// cref="StreamConsumerOptions.MaxConcurrency"/>; after an await, the rest of the chunk is handled where the handler
/// continues, usually on the pool. A slow handler delays only its own consumer.
/// </remarks>
[SuppressMessage("Design", "CA1001", Justification = "Its parts end with it.")]
public sealed class StreamConsumer : IAsyncDisposable
{
    // The consumer of the running handler, in its async flow.
    private static readonly AsyncLocal<StreamConsumer?> Handling = new();

    private readonly StreamConsumerOptions _options;
    private readonly StreamPosition _position;
    private readonly OffsetTracker _tracker;
    private readonly ErrorStream _errors;
    private readonly ConsumerThread _thread;
    private readonly ChunkMessages _chunk;
    private readonly ConsumerDispatch _dispatch;
    private readonly ConsumerLoop _loop;
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // True if its completion has been requested.
    private volatile bool _isWatched;

    internal StreamConsumer(
        IConsumerLinks links,
        StreamClientOptions client,
        string stream,
        ConsumerDispatch dispatch,
        StreamConsumerOptions options,
        ErrorStream errors,
        ConsumerThread? thread = null)
    {
        Stream = stream;
        _options = options;
        _errors = errors;
        _dispatch = dispatch.For(stream, options);
        _position = new StreamPosition(options.Offset);
        _tracker = new OffsetTracker(options.Name, stream, options.Tracks, _position);
        _thread = thread ?? new OwnThread($"Streams, consumer of {stream}");
        _chunk = new ChunkMessages(stream, client.Serializer, options.Reading);
        var subscriber = new Subscriber(this, links, options, _position, _tracker, _thread);
        var failures = new MessageFailures(stream, options, errors);
        var handler = new ChunkHandler(stream, _chunk, _dispatch, options, _position, _tracker, failures);
        _loop = new ConsumerLoop(client, stream, options, subscriber, handler, _tracker);
    }

    /// <summary>The stream, or the partition of a super stream.</summary>
    public string Stream { get; }

    /// <summary>Gets the name under which the broker stores its offset; null for none.</summary>
    public string? Name => _options.Name;

    /// <summary>The offset of the last handled message; null before the first.</summary>
    public ulong? Offset => _position.LastHandled;

    /// <summary>
    /// Gets whether it currently receives messages: it is connected, and with <see cref="StreamConsumerOptions.SingleActive"/> it is the
    /// active one of its name.
    /// </summary>
    public bool IsActive => _loop.IsActive;

    /// <summary>
    /// Gets the last error while it is reconnecting, or waits for its stream; null while it is subscribed. A program can show it.
    /// </summary>
    public Exception? Interruption => _loop.Interruption;

    /// <summary>
    /// Gets the number of messages from the next one to handle to the last chunk that the broker has told of, which it does with each that
    /// it sends; before RabbitMQ 3.11 to the end of the current chunk.
    /// </summary>
    public long Lag => _position.Lag;

    /// <summary>
    /// Ends when the consumer has ended and no handler runs any more: successfully if it was closed; with a <see
    /// cref="StreamConsumerException"/>, if a message could not be handled; with the connection's error if it may not connect again, or its
    /// client has been disposed of.
    /// </summary>
    public Task Completion
    {
        get
        {
            Watch();
            return _completion.Task;
        }
    }

    /// <summary>Gets whether this is called by its own handler.</summary>
    internal bool IsHandling => Handling.Value == this;

    /// <summary>Gets the same task for code that does not observe its result.</summary>
    internal Task Ended => _completion.Task;

    /// <summary>Stores an offset under the name of the consumer: a later consumer continues after it.</summary>
    /// <remarks>
    /// Sent without waiting, because the broker does not answer it. Without a connection it is kept, and sent on the next one.
    /// </remarks>
    /// <param name="offset">The offset of a message that has been handled, with all before it.</param>
    /// <exception cref="InvalidOperationException">The consumer has no name, or <see cref="StreamTracking.None"/>.</exception>
    public void StoreOffset(ulong offset)
    {
        if (_options.Tracks == StreamTracking.None)
        {
            throw new InvalidOperationException(
                $"A consumer without {nameof(StreamConsumerOptions.Tracking)} stores no offsets: give it " +
                $"a {nameof(StreamConsumerOptions.Name)}, and {nameof(StreamTracking)}.{nameof(StreamTracking.Manual)}.");
        }

        _tracker.StoreNow(offset);
    }

    /// <summary>
    /// Ends it: waits for the running handler, releases unhandled messages, and stores the offset with automatic tracking. In its own
    /// handler it returns at once, and the consumer ends after the handler. What the handler throws from then on is no failure: its message
    /// counts as not handled.
    /// </summary>
    /// <param name="cancellationToken">Ends the wait; the consumer ends all the same.</param>
    /// <exception cref="OperationCanceledException">The token has fired, and the consumer has not ended yet.</exception>
    public async Task CloseAsync(CancellationToken cancellationToken = default)
    {
        _loop.Close();
        if (!IsHandling)
        {
            await Task.WhenAny(_completion.Task).WaitAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <inheritdoc cref="CloseAsync"/>
    public async ValueTask DisposeAsync() => await CloseAsync().ConfigureAwait(false);

    /// <summary>Records that its end is observed; otherwise a failure is written to the trace.</summary>
    internal void Watch() => _isWatched = true;

    /// <summary>Subscribes, and begins to handle.</summary>
    internal async Task StartAsync(CancellationToken cancellationToken)
    {
        Subscription first;
        try
        {
            first = await _loop.SubscribeAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            _tracker.Dispose();
            throw;
        }

        Telemetry.Show(this, Stream, Name, static consumer => consumer._position.Lag);
        _ = RunAsync(first);
    }

    private async Task RunAsync(Subscription first)
    {
        Exception? error = null;
        Handling.Value = this;
        try
        {
            await _loop.RunAsync(first).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            error = e;
        }

        await _errors.CloseAsync().ConfigureAwait(false);
        Telemetry.Hide(this);
        _tracker.Dispose();
        _thread.Close();
        _dispatch.Close();
        _chunk.Dispose();
        if (_completion.TryEnd(error) && error is not null and not ObjectDisposedException && !_isWatched)
        {
            Trace.TraceError(error.Message);
        }
    }
}
