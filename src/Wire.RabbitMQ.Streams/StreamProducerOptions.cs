using System.Text;

namespace Wire.RabbitMQ.Streams;

/// <summary>Options of a <see cref="StreamProducer"/>. Immutable: change a copy with <c>with</c>.</summary>
/// <remarks>Values out of range are refused when a producer is made.</remarks>
public sealed record StreamProducerOptions
{
    /// <summary>
    /// The name under which the broker remembers the last publishing id in the stream, so that nothing is stored twice: at most 255 bytes
    /// of UTF-8. Only one producer may use it at a time. Null, the default, for none. A stream remembers the last 255 names.
    /// </summary>
    public string? Name { get; init; }

    /// <summary>Gets the format of objects that are sent without properties: AMQP 1.0 messages by default.</summary>
    public StreamFormat Format { get; init; }

    /// <summary>
    /// Gets the number of messages that may be sent and not confirmed: 40,000 by default, 1 to 10,000,000. Beyond that a send waits. The
    /// broker stops reading a connection for a while when 50,000 entries on it are not confirmed.
    /// </summary>
    public int MaxUnconfirmed { get; init; } = 40_000;

    /// <summary>
    /// Gets the number of bytes that are kept for messages that are not confirmed: 64 MiB by default, 1 and more. Beyond that a send waits;
    /// a single message is always sent.
    /// </summary>
    public long MaxUnconfirmedBytes { get; init; } = 64 << 20;

    /// <summary>
    /// Gets the number of messages that may wait for room, while too much is not confirmed or there is no connection: 100,000 by default, 0
    /// and more. Beyond that a send fails at once, with a <see cref="StreamPublishException"/>; with 0 none waits.
    /// </summary>
    public int MaxWaiting { get; init; } = 100_000;

    /// <summary>
    /// The size in bytes at which a frame is full: 65,536 by default, 256 to 16,777,216, and what the broker agrees to at most. A larger
    /// message has its own frame.
    /// </summary>
    public int MaxFrameBytes { get; init; } = 1 << 16;

    /// <summary>
    /// Gets the time that a frame that is not full waits for more messages: zero, the default, to 1 minute. With zero it is sent as soon as
    /// the connection is free, and messages that arrive during a send go together.
    /// </summary>
    public TimeSpan Linger { get; init; }

    /// <summary>
    /// Gets the time within which the broker has to confirm a message, from when it is in a frame: 10 ms to 1 day. After that, or up to an
    /// eighth later, it fails with a <see cref="StreamPublishException"/> whose inner exception is a <see cref="TimeoutException"/>, and is
    /// not sent any more; the exception says whether the broker may have it. Null, the default, for no limit. It goes on while there is no
    /// connection, or the broker reads nothing.
    /// </summary>
    public TimeSpan? ConfirmTimeout { get; init; }

    /// <summary>Gets the time of <see cref="ConfirmTimeout"/>.</summary>
    internal TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>Gets whether and how messages are gathered in entries; null, the default, for an entry for each message.</summary>
    public StreamSubEntryOptions? SubEntries { get; init; }

    /// <summary>
    /// Called with the results of messages, in ranges of publishing ids, however they were sent: calls are sequential, and not on a thread
    /// of the connection. It may send, but should not wait for that. An exception ends the producer. With a super stream, the producers of
    /// several partitions may call concurrently. The last calls may come after <see cref="StreamProducer.FlushAsync"/> has ended; <see
    /// cref="StreamProducer.CloseAsync"/> waits for them.
    /// </summary>
    public Action<StreamConfirmation>? Confirmed { get; init; }

    /// <summary>Refuses options that are out of range.</summary>
    internal StreamProducerOptions Validate()
    {
        // The broker takes longer ones, and keeps their length in one byte of what it stores.
        Check(
            Name is null || Encoding.UTF8.GetByteCount(Name) is > 0 and <= byte.MaxValue,
            nameof(Name),
            Name,
            "null, or 1 to 255 bytes of UTF-8");
        Check(Format is StreamFormat.Amqp or StreamFormat.Wire, nameof(Format), Format, "one of its names");
        Check(MaxUnconfirmed is >= 1 and <= 10_000_000, nameof(MaxUnconfirmed), MaxUnconfirmed, "1 to 10,000,000");
        Check(MaxUnconfirmedBytes >= 1, nameof(MaxUnconfirmedBytes), MaxUnconfirmedBytes, "1 and more");
        Check(MaxWaiting >= 0, nameof(MaxWaiting), MaxWaiting, "0 and more");
        Check(MaxFrameBytes is >= 256 and <= 1 << 24, nameof(MaxFrameBytes), MaxFrameBytes, "256 to 16,777,216");
        Check(
            ConfirmTimeout is null || (ConfirmTimeout >= TimeSpan.FromMilliseconds(10) && ConfirmTimeout <= TimeSpan.FromDays(1)),
            nameof(ConfirmTimeout),
            ConfirmTimeout,
            "null, or 10 ms to 1 day");
        Check(Linger >= TimeSpan.Zero && Linger <= TimeSpan.FromMinutes(1), nameof(Linger), Linger, "zero to 1 minute");
        Check(
            ConfirmTimeout is null || Linger < ConfirmTimeout,
            nameof(ConfirmTimeout),
            ConfirmTimeout,
            $"longer than {nameof(Linger)}, for which a message waits before it is sent");
        Check(
            SubEntries is null or { MaxMessages: >= 2 and <= ushort.MaxValue },
            nameof(SubEntries),
            SubEntries,
            "null, or of 2 to 65,535 messages");
        if (SubEntries?.Codec is { } codec)
        {
            StreamConsumerOptions.CheckCodec(codec, nameof(SubEntries));
        }

        return this;
    }

    private static void Check(bool holds, string name, object? value, string range)
    {
        if (!holds)
        {
            throw new ArgumentOutOfRangeException(name, value, $"{nameof(StreamProducerOptions)}.{name} must be {range}.");
        }
    }
}

/// <summary>Options for gathering messages in entries, each of which the broker stores and confirms as one.</summary>
public sealed record StreamSubEntryOptions
{
    /// <summary>
    /// Gets the number of messages that an entry has at most: 100 by default, 2 to 65,535. It has fewer if fewer are waiting when it is
    /// sent.
    /// </summary>
    public int MaxMessages { get; init; } = 100;

    /// <summary>
    /// Gets the codec that compresses entries, where that makes them smaller, such as a <see cref="GZipCodec"/>. Null, the default, for
    /// none. Other clients read what is compressed only where they have the same compression.
    /// </summary>
    public IStreamCompressionCodec? Codec { get; init; }
}

/// <summary>The format of objects that are sent alone.</summary>
public enum StreamFormat
{
    /// <summary>The data section of an AMQP 1.0 message, which every other client of streams reads.</summary>
    Amqp,

    /// <summary>The Wire payload alone: a few bytes less, for readers that know the format.</summary>
    Wire,
}

/// <summary>Options of one message.</summary>
public readonly record struct StreamSendOptions
{
    /// <summary>
    /// A publishing id of the caller's own, such as the number of a line: 1 to 9,223,372,036,854,775,807, and larger than that of the
    /// message before. With a named producer the broker ignores ids that it has seen. Null, the default, for the next one. Not with <see
    /// cref="StreamProducerOptions.SubEntries"/>.
    /// </summary>
    public ulong? PublishingId { get; init; }

    /// <summary>
    /// Gets the filter value by which the broker chooses chunks for consumers: at most 32,767 bytes of UTF-8. Null, the default, for none.
    /// For brokers from 3.13 on; not with <see cref="StreamProducerOptions.SubEntries"/>.
    /// </summary>
    public string? Filter { get; init; }
}

/// <summary>The outcome of messages: of all that were sent with a publishing id from the first to the last.</summary>
/// <param name="Stream">The stream that they were sent to; of a super stream, the partition. Each has publishing ids of its own.</param>
/// <param name="First">The first publishing id.</param>
/// <param name="Last">The last publishing id.</param>
/// <param name="Code">
/// The broker's answer; null if it did not answer in time, so that it may have them or not.
/// </param>
public readonly record struct StreamConfirmation(string Stream, ulong First, ulong Last, StreamResponseCode? Code)
{
    /// <summary>Gets whether the broker has them: as safe as the stream is.</summary>
    public bool IsConfirmed => Code == StreamResponseCode.Ok;
}
