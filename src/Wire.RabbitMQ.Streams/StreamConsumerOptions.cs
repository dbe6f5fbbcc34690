using System.Text;
using Wire.RabbitMQ.Streams.Chunks;

namespace Wire.RabbitMQ.Streams;

/// <summary>
/// Options of a <see cref="StreamConsumer"/>: the messages to read, the start, and the handling. Immutable: change a copy with <c>with</c>.
/// </summary>
public sealed record StreamConsumerOptions
{
    /// <summary>
    /// The name under which the broker stores the offset; null, the default, for none. A named consumer continues after the offset stored
    /// in this stream. At most 255 bytes of UTF-8.
    /// </summary>
    public string? Name { get; init; }

    /// <summary>
    /// Gets the offset to begin with when nothing is stored under its name: new messages by default, as with other clients; a program that
    /// must see everything says <see cref="StreamOffset.First"/>.
    /// </summary>
    public StreamOffset Offset { get; init; } = StreamOffset.Next;

    /// <summary>
    /// Gets the callback that says where to begin, for programs that keep the offset themselves, for example in a transaction with their
    /// results: null, the default, for none. It is asked each time that the consumer subscribes, at first and after a lost connection, and
    /// each time that a <see cref="SingleActive"/> one becomes active. What it returns is taken as it is, so that messages behind it come
    /// again; null for where the consumer would begin without it. It gets the consumer, for its <see cref="StreamConsumer.Stream"/>, and a
    /// token that fires when the consumer is closed. What it throws ends the consumer.
    /// </summary>
    public Func<StreamConsumer, CancellationToken, ValueTask<StreamOffset?>>? FindOffset { get; init; }

    /// <summary>
    /// Gets the way to store its offset. By default (null) a named consumer stores it, <see cref="StreamTracking.Automatic"/>, and others
    /// do not.
    /// </summary>
    public StreamTracking? Tracking { get; init; }

    /// <summary>
    /// Gets the number of chunks that the broker sends ahead, which wait in memory: 32 by default, 1 to 1,000. A chunk has one to some
    /// thousand messages.
    /// </summary>
    public int Credit { get; init; } = 32;

    /// <summary>
    /// Gets the maximal total size of the chunks sent ahead, in bytes: 16,777,216 by default, 1 and more. With large chunks, fewer are sent
    /// ahead than <see cref="Credit"/> says, but always one in addition to the one being handled.
    /// </summary>
    public long MaxBytesAhead { get; init; } = 1 << 24;

    /// <summary>
    /// Gets the number of threads that read the objects of a chunk, for handlers of objects: 1 by default, to 64. With more than one, they
    /// read ahead of the handler, which gets one object after the other in the order of the stream all the same; objects of a whole chunk
    /// are in memory then. It is worth it where reading objects takes longer than handling them.
    /// </summary>
    public int Decoders { get; init; } = 1;

    /// <summary>
    /// Gets the number of partitions of a super stream whose messages are handled at a time, each on a thread: 1 to 1,000; null, the
    /// default, for all of them, with a thread each. Within a partition the order is kept. A partition has its turn for a chunk, also while
    /// a handler awaits something; a handler must not wait for one of another partition. Not for plain streams, and not with <see
    /// cref="Decoders"/>.
    /// </summary>
    public int? MaxConcurrency { get; init; }

    /// <summary>Gets whether each chunk is compared with its checksum: true by default.</summary>
    public bool CheckCrc { get; init; } = true;

    /// <summary>
    /// Gets the codecs for entries that are compressed with Snappy, LZ4 or Zstandard; none by default, as GZIP alone is built in. An entry
    /// that none of them reads is a failure of its chunk, whose message names the compression.
    /// </summary>
    public IReadOnlyList<IStreamCompressionCodec> Codecs { get; init; } = [];

    /// <summary>
    /// Gets the maximal memory for the batches of one chunk, in bytes: the decompressed size, and 24 bytes per message; 268,435,456 by
    /// default, 1 and more. A few bytes of compressed zeros could otherwise fill the memory.
    /// </summary>
    public int MaxDecompressedBytes { get; init; } = 1 << 28;

    /// <summary>
    /// Gets whether only one of all consumers with the same name gets messages, and another one when that one ends. Needs a <see
    /// cref="Name"/>, and RabbitMQ 3.11.
    /// </summary>
    public bool SingleActive { get; init; }

    /// <summary>
    /// The filter values of the messages to receive: none, the default, for all. The broker skips only whole chunks, so other messages may
    /// be included: see <see cref="Accepts"/>. Needs RabbitMQ 3.13.
    /// </summary>
    public IReadOnlyList<string> Filters { get; init; } = [];

    /// <summary>Gets whether messages without a filter value are sent too, where there are <see cref="Filters"/>.</summary>
    public bool MatchUnfiltered { get; init; }

    /// <summary>Which messages the handler gets; null, the default, for all. The others count as handled.</summary>
    public Func<StreamMessage, bool>? Accepts { get; init; }

    /// <summary>
    /// Gets which objects the handler gets, by what is in their payloads: over a <see cref="PayloadPath{T}"/>, such as <c>payload =>
    /// total.TryRead(payload, out decimal value) &amp;&amp; value > 100</c>, none is read for it. Null, the default, for all. The other
    /// messages count as handled. It is not asked about messages that are no Wire payloads, which the handler gets; where it throws, the
    /// message has failed. Called on the consumer's thread, before <see cref="Accepts"/>.
    /// </summary>
    public PayloadCondition? Where { get; init; }

    /// <summary>
    /// Gets the attempts to handle a message whose handler throws: <see cref="StreamRetryPolicy.None"/> by default. Only after the last one
    /// is it a failure. A handler of chunks gets those of the chunk again.
    /// </summary>
    public StreamRetryPolicy Retry { get; init; } = StreamRetryPolicy.None;

    /// <summary>
    /// Gets the stream for messages that <see cref="OnFailure"/> sends there; null, the default, for the name of the stream, or of the
    /// super stream, and <c>.error</c>.
    /// </summary>
    public string? ErrorStream { get; init; }

    /// <summary>
    /// Gets whether the error stream is created, with the broker's defaults, when the first message is sent there and there is none. On
    /// unless set.
    /// </summary>
    public bool DeclareErrorStream { get; init; } = true;

    /// <summary>
    /// Gets the callback that decides what is done when a handler throws, or a message or chunk cannot be read: by default (null) the
    /// consumer ends. Called where the handler is, which waits for it.
    /// </summary>
    public Func<StreamConsumerException, StreamFailedMessage>? OnFailure { get; init; }

    /// <summary>
    /// Called when the stream has been deleted and made again, and the consumer begins with the first message of the new one: offsets count
    /// from 0 again. Null, the default, for a warning in the trace.
    /// </summary>
    public Action<StreamConsumer>? OnRecreated { get; init; }

    /// <summary>The super stream that the stream is a partition of.</summary>
    internal string? SuperStream { get; init; }

    /// <summary>Gets the way to store that is in effect.</summary>
    internal StreamTracking Tracks => Tracking ?? (Name is null ? StreamTracking.None : StreamTracking.Automatic);

    /// <summary>Gets the options for taking chunks apart.</summary>
    internal ChunkReading Reading =>
        new() { CheckCrc = CheckCrc, Codecs = Codecs, MaxDecompressedBytes = MaxDecompressedBytes };

    /// <summary>Refuses options that are out of range, or that cannot be combined.</summary>
    internal StreamConsumerOptions Validate()
    {
        if (Name is not null && (Name.Length == 0 || Encoding.UTF8.GetByteCount(Name) > byte.MaxValue))
        {
            throw new ArgumentException(
                $"The name of a consumer has 1 to {byte.MaxValue} bytes of UTF-8, and '{Name}' has {Encoding.UTF8.GetByteCount(Name)}.",
                nameof(Name));
        }

        ArgumentOutOfRangeException.ThrowIfLessThan(Credit, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(Credit, 1000);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxBytesAhead, 1);
        ArgumentNullException.ThrowIfNull(Retry);
        Retry.Validate();
        if (ErrorStream is not null && (ErrorStream.Length == 0 || Encoding.UTF8.GetByteCount(ErrorStream) > byte.MaxValue))
        {
            throw new ArgumentException(
                $"The name of a stream has 1 to {byte.MaxValue} bytes of UTF-8, and '{ErrorStream}' has "
                + $"{Encoding.UTF8.GetByteCount(ErrorStream)}.",
                nameof(ErrorStream));
        }

        ArgumentOutOfRangeException.ThrowIfLessThan(Decoders, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(Decoders, 64);
        if (MaxConcurrency is { } most)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(most, 1, nameof(MaxConcurrency));
            ArgumentOutOfRangeException.ThrowIfGreaterThan(most, 1000, nameof(MaxConcurrency));
            if (SuperStream is null || Decoders > 1)
            {
                throw new ArgumentException(
                    SuperStream is null
                        ? $"{nameof(MaxConcurrency)} is for super streams: messages of a stream are handled one after the other."
                        : $"{nameof(MaxConcurrency)} cannot be used with {nameof(Decoders)}, which are threads for each partition.",
                    nameof(MaxConcurrency));
            }
        }

        ArgumentNullException.ThrowIfNull(Filters);
        ArgumentOutOfRangeException.ThrowIfLessThan(MaxDecompressedBytes, 1);
        ArgumentNullException.ThrowIfNull(Codecs);
        foreach (IStreamCompressionCodec codec in Codecs)
        {
            ArgumentNullException.ThrowIfNull(codec, nameof(Codecs));
            CheckCodec(codec, nameof(Codecs));
        }

        if (Offset.Kind == StreamOffsetKind.None)
        {
            throw new ArgumentException($"The offset to begin with is not set: choose {nameof(
                StreamOffset)}.{nameof(StreamOffset.First)}, {nameof(StreamOffset.Next)} or another one.", nameof(Offset));
        }

        if (Name is null && (SingleActive || Tracks != StreamTracking.None))
        {
            throw new ArgumentException(
                $"{(SingleActive ? nameof(SingleActive) : nameof(Tracking))} needs a {nameof(Name)}: the broker knows the consumer by it.",
                nameof(Name));
        }

        if (MatchUnfiltered && Filters.Count == 0)
        {
            throw new ArgumentException(
                $"{nameof(MatchUnfiltered)} needs {nameof(Filters)}, and there are none.", nameof(MatchUnfiltered));
        }

        return this;
    }

    /// <summary>Refuses a codec for what needs none, or for a number that no compression has.</summary>
    internal static void CheckCodec(IStreamCompressionCodec codec, string option)
    {
        if (codec.Compression is <= StreamCompression.None or > StreamCompression.Zstd)
        {
            throw new ArgumentException(
                $"{codec.GetType()} is for the compression {codec.Compression}, which needs no codec or does not exist.", option);
        }
    }
}

/// <summary>Handles messages that came together: all of a chunk that are wanted, in their order, at least one.</summary>
/// <param name="messages">The messages, which are valid until the handler returns.</param>
public delegate void StreamBatchHandler(ReadOnlySpan<StreamMessage> messages);

/// <summary>A consumer's answer to a message that could not be handled.</summary>
public enum StreamFailedMessage
{
    /// <summary>
    /// It ends, and <see cref="StreamConsumer.Completion"/> fails: one that begins again at the same place gets the message again.
    /// </summary>
    End = 0,

    /// <summary>Continues behind the message, as if it had been handled.</summary>
    Skip = 1,

    /// <summary>
    /// Sends it to the <see cref="StreamConsumerOptions.ErrorStream"/>, with the reason in its application properties, and continues behind
    /// it when it has arrived there. While that cannot be reached it is tried again; where it is refused, the consumer ends, and so it does
    /// at a chunk that cannot be read.
    /// </summary>
    ErrorStream = 2,
}
