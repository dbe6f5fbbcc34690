using Wire.Amqp;
using Wire.RabbitMQ.Streams.Producing;
using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Sends messages to a stream. They are written straight into the frames that are sent; what comes while a frame is being sent goes together with the next.
/// Thread-safe: messages are stored in the order in which the calls are made. Made by <see cref="StreamClient.CreateProducerAsync"/>.
/// </summary>
/// <remarks>
/// When the connection is lost, the stream moves, or is deleted and made anew, the producer finds its way back as
/// <see cref="StreamClientOptions.Recovery"/> says; sends wait meanwhile, and <see cref="Interruption"/> says why. With a name, what was not confirmed is sent again in its order, and the broker leaves out
/// what it has. Without one, what was sent and not confirmed fails, or is sent again with <see cref="Wire.Transport.RecoveryOptions.ResendUnconfirmed"/>.
/// </remarks>
public sealed partial class StreamProducer : IAsyncDisposable
{
    private readonly Lock _gate = new();
    private readonly StreamClient _client;
    private readonly AmqpBody _body;
    private readonly PublishLog _log;
    private readonly UnconfirmedRing _ring = new();
    private readonly SendPool _sends = new();
    private readonly Queue<(ulong Position, TaskCompletionSource Done)> _flushes = [];
    private readonly WorkerThread _thread;
    private readonly Confirmations? _confirmations;
    private readonly Admission _admission;
    private readonly Timer? _linger;
    private OperationQueue<Waiting> _row;

    // What the next id is behind: what was sent last, and what the broker knew at the beginning.
    private ulong _lastId;
    private ulong _sequence;

    private ProducerLife? _life;
    private bool _supportsFilters;

    // Whether the sender of the link comes by itself: it has been woken, or has taken something and looks again.
    private bool _senderComes;
    private bool _isWriting;
    private bool _isAdmitting;
    private bool _isLingering;
    private bool _isDue;
    private bool _isClosing;
    private Exception? _ended;
    private Exception? _interruption;

    // Messages that nobody waits for and nobody is told of: the next flush says so.
    private StreamPublishException? _untold;
    private long _untoldCount;

    internal StreamProducer(StreamClient client, string stream, StreamProducerOptions options)
    {
        _client = client;
        Stream = stream;
        Options = options;
        _body = new AmqpBody(client.Options.Serializer);
        _log = new PublishLog(options.MaxFrameBytes, options.SubEntries);
        _thread = new WorkerThread($"Streams, producer of {stream}");
        _admission = new Admission(this);
        if (options.Confirmed is { } told)
        {
            _confirmations = new Confirmations(stream, told, _thread, e => End(new InvalidOperationException($"{nameof(StreamProducerOptions)}.{nameof(StreamProducerOptions.Confirmed)} has thrown: {e.Message}", e)));
        }

        if (options.Linger > TimeSpan.Zero)
        {
            _linger = new Timer(static self => ((StreamProducer)self!).LingerIsOver(), this, Timeout.Infinite, Timeout.Infinite);
        }
    }

    /// <summary>The name of the stream.</summary>
    public string Stream { get; }

    /// <summary>How it behaves.</summary>
    public StreamProducerOptions Options { get; }

    /// <summary>
    /// The publishing id of the message that was written last; at the beginning what the broker has under the producer's name, where a program goes on from;
    /// 0 where there is none.
    /// </summary>
    public ulong LastPublishingId
    {
        get
        {
            lock (_gate)
            {
                return Math.Max(_lastId, _sequence);
            }
        }
    }

    /// <summary>How many messages have been written and are not confirmed.</summary>
    public int Unconfirmed
    {
        get
        {
            lock (_gate)
            {
                return _ring.Messages;
            }
        }
    }

    /// <summary>
    /// Why it has no connection at the moment and looks for one, so that sends wait: what went wrong last. When it has ended, why. Null as long as all is well.
    /// A program can show it, or give up by it.
    /// </summary>
    public Exception? Interruption
    {
        get
        {
            lock (_gate)
            {
                return _ended ?? _interruption;
            }
        }
    }

    private bool HasRoom => _ring.Messages < Options.MaxUnconfirmed && _log.Bytes < Options.MaxUnconfirmedBytes;

    // Whether an open frame has to go, whatever it waits for: there may be no more messages before that.
    private bool IsUrgent => _isDue || _isClosing || !_row.IsEmpty || _flushes.Count > 0 || !HasRoom;
}
