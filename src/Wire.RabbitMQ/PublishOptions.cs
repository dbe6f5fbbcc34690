using System.Globalization;
using Wire.RabbitMQ.Publishing;

namespace Wire.RabbitMQ;

/// <summary>Options of one published message, or of many: immutable, so that it can be shared between messages and threads.</summary>
/// <remarks>The texts are at most 255 bytes in UTF-8; longer ones are refused when they are set.</remarks>
public sealed record PublishOptions
{
    // The longest expiration that the broker accepts, in milliseconds.
    private const long MaxExpiration = uint.MaxValue;

    /// <summary>
    /// Messages of one publisher with the same key are published in the order of the calls, on the same channel, and so arrive in that
    /// order in each queue that they are routed to. Null, which is the default, for messages whose order does not matter.
    /// </summary>
    public string? OrderingKey { get; init; }

    /// <summary>Gets whether the message is returned when it cannot be routed; null for the publisher's option.</summary>
    public bool? Mandatory { get; init; }

    /// <summary>
    /// Gets whether the message survives a restart of the broker, in a durable queue; null for the publisher's option.
    /// </summary>
    public bool? Persistent { get; init; }

    /// <summary>The priority, for queues that have them.</summary>
    public byte? Priority { get; init; }

    /// <summary>
    /// Gets the time for which the message may wait in a queue, in milliseconds, rounded up, 0 to 4,294,967,295 of them; null for as long
    /// as it takes.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or too long.</exception>
    public TimeSpan? Expiration
    {
        get;
        init
        {
            if (value is { } time)
            {
                ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero, nameof(Expiration));
                ArgumentOutOfRangeException.ThrowIfGreaterThan(time.TotalMilliseconds, MaxExpiration, nameof(Expiration));
            }

            field = value;
            ExpirationText = value is { } set ? ((long)Math.Ceiling(set.TotalMilliseconds)).ToString(CultureInfo.InvariantCulture) : null;
        }
    }

    /// <summary>
    /// Gets the time before which the message is not handled; null for at once. It goes to its queues at once, where <see
    /// cref="WireConsumer"/> has it wait in its delay queues until that time, by its own clock. Other consumers get it at once. One that
    /// would expire before, or of a stream, is a failure there.
    /// </summary>
    public DateTimeOffset? NotBefore { get; init; }

    /// <summary>The message's id; generated when left out.</summary>
    public string? MessageId { get; init => field = ShortStringLimit.Checked(value, nameof(MessageId)); }

    /// <summary>Gets the id of the exchange that the message belongs to, such as the request that it answers.</summary>
    public string? CorrelationId { get; init => field = ShortStringLimit.Checked(value, nameof(CorrelationId)); }

    /// <summary>The queue for answers.</summary>
    public string? ReplyTo { get; init => field = ShortStringLimit.Checked(value, nameof(ReplyTo)); }

    /// <summary>The name of the message's type for other clients; the full name of the object's type when left out.</summary>
    public string? Type { get; init => field = ShortStringLimit.Checked(value, nameof(Type)); }

    /// <summary>The program that publishes.</summary>
    public string? AppId { get; init => field = ShortStringLimit.Checked(value, nameof(AppId)); }

    /// <summary>The user that publishes: the one of the connection, since the broker refuses any other.</summary>
    public string? UserId { get; init => field = ShortStringLimit.Checked(value, nameof(UserId)); }

    /// <summary>
    /// The headers: texts, byte arrays, numbers, booleans, <see cref="Amqp.V091.Timestamp"/>, lists and dictionaries of these; also the
    /// types AmqpTimestamp and BinaryTableValue of RabbitMQ.Client. They are read when the message is published, so do not change them
    /// until its task has ended. Together with the other properties they must fit into one frame, by default of 128 KiB: otherwise the
    /// message fails.
    /// </summary>
    public IReadOnlyDictionary<string, object?>? Headers { get; init; }

    internal string? ExpirationText { get; private init; }
}
