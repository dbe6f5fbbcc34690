using System.Globalization;
using Wire.RabbitMQ.Streams.Protocol;

namespace Wire.RabbitMQ.Streams;

/// <summary>The position in a stream at which a consumer begins.</summary>
public readonly record struct StreamOffset
{
    private readonly long _value;

    private StreamOffset(StreamOffsetKind kind, long value = 0)
    {
        Kind = kind;
        _value = value;
    }

    /// <summary>Begins with the oldest message that the stream still has.</summary>
    public static StreamOffset First => new(StreamOffsetKind.First);

    /// <summary>Begins with the first message of the last chunk, which has a few or some thousands of messages.</summary>
    public static StreamOffset Last => new(StreamOffsetKind.Last);

    /// <summary>Begins with messages that are published from now on.</summary>
    public static StreamOffset Next => new(StreamOffsetKind.Next);

    /// <summary>
    /// At the message with an offset; at the oldest one if retention has removed that, at the next one if it does not exist yet.
    /// </summary>
    /// <param name="offset">The number: the first message of a stream has 0.</param>
    public static StreamOffset At(ulong offset) => new(StreamOffsetKind.Offset, (long)offset);

    /// <summary>Begins with the chunk that was written at a time, or the first one after it: its first messages may be older.</summary>
    /// <param name="time">The broker's time, taken to the millisecond.</param>
    public static StreamOffset From(DateTimeOffset time) => new(StreamOffsetKind.Timestamp, time.ToUnixTimeMilliseconds());

    /// <summary>Gets the kind of position.</summary>
    public StreamOffsetKind Kind { get; }

    /// <summary>The number of the message, where <see cref="Kind"/> is <see cref="StreamOffsetKind.Offset"/>; otherwise 0.</summary>
    public ulong Offset => Kind == StreamOffsetKind.Offset ? (ulong)_value : 0;

    /// <summary>The time, where <see cref="Kind"/> is <see cref="StreamOffsetKind.Timestamp"/>; otherwise null.</summary>
    public DateTimeOffset? Time => Kind == StreamOffsetKind.Timestamp ? DateTimeOffset.FromUnixTimeMilliseconds(_value) : null;

    /// <summary>Describes it in words, for example "offset 17".</summary>
    public override string ToString() => Kind switch
    {
        StreamOffsetKind.Offset => $"offset {Offset.ToString(CultureInfo.InvariantCulture)}",
        StreamOffsetKind.Timestamp => Time!.Value.ToString("O", CultureInfo.InvariantCulture),
        _ => Kind.ToString().ToLowerInvariant(),
    };

    internal OffsetFields Fields => new() { Kind = (ushort)Kind, Value = _value };
}

/// <summary>The kinds of a <see cref="StreamOffset"/> (the stream protocol's offset types).</summary>
public enum StreamOffsetKind : ushort
{
    /// <summary>No position: the default applies.</summary>
    None = 0,

    /// <summary>Begins with the oldest message that the stream still has.</summary>
    First = 1,

    /// <summary>Begins with the last chunk.</summary>
    Last = 2,

    /// <summary>Begins with messages that are published from now on.</summary>
    Next = 3,

    /// <summary>Begins with a message by its number.</summary>
    Offset = 4,

    /// <summary>Begins with the chunk that was written at a time, or the first one after it.</summary>
    Timestamp = 5,
}
