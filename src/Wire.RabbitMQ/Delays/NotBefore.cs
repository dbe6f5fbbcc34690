using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Delays;

/// <summary>The time before which a message is not handled, in a header: milliseconds since 1970 UTC.</summary>
internal static class NotBefore
{
    /// <summary>The name of the header.</summary>
    public const string Name = "x-wire-not-before";

    private static readonly AmqpString Key = Name;

    /// <summary>Returns the value of the header.</summary>
    public static long ValueOf(DateTimeOffset time) => Math.Min(
        time.ToUnixTimeMilliseconds() + (time.UtcTicks % TimeSpan.TicksPerMillisecond > 0 ? 1 : 0),
        DateTimeOffset.MaxValue.ToUnixTimeMilliseconds());

    /// <summary>Returns the time of a message; null where it has none, or one outside of the calendar.</summary>
    public static DateTimeOffset? Of(FieldTable headers) =>
        !headers.IsEmpty && headers.Integer(Key) is { } value
        && value >= DateTimeOffset.MinValue.ToUnixTimeMilliseconds() && value <= DateTimeOffset.MaxValue.ToUnixTimeMilliseconds()
            ? DateTimeOffset.FromUnixTimeMilliseconds(value)
            : null;

    /// <summary>Returns how long a message has to wait, by this machine's clock; null where it need not.</summary>
    public static TimeSpan? TimeLeft(FieldTable headers) =>
        Of(headers) is { } time && time - DateTimeOffset.UtcNow is var left && left > TimeSpan.Zero ? left : null;
}
