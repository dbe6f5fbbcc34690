using System.Globalization;
using Wire.Amqp.Errors;

namespace Wire.Amqp.V10;

/// <summary>A point in time of AMQP 1.0: milliseconds since 1970-01-01T00:00:00Z, negative before (part 1 section 1.6.17).</summary>
/// <param name="Milliseconds">
/// The milliseconds. Any 64-bit number is a timestamp, though few of them are a <see cref="DateTimeOffset"/>.
/// </param>
public readonly record struct Timestamp(long Milliseconds) : IComparable<Timestamp>
{
    /// <summary>The point in time, truncated to milliseconds.</summary>
    public static implicit operator Timestamp(DateTimeOffset time) => new(time.ToUnixTimeMilliseconds());

    /// <summary>Returns whether the left one is earlier.</summary>
    public static bool operator <(Timestamp left, Timestamp right) => left.Milliseconds < right.Milliseconds;

    /// <summary>Returns whether the left one is later.</summary>
    public static bool operator >(Timestamp left, Timestamp right) => left.Milliseconds > right.Milliseconds;

    /// <summary>Returns whether the left one is not later.</summary>
    public static bool operator <=(Timestamp left, Timestamp right) => left.Milliseconds <= right.Milliseconds;

    /// <summary>Returns whether the left one is not earlier.</summary>
    public static bool operator >=(Timestamp left, Timestamp right) => left.Milliseconds >= right.Milliseconds;

    /// <summary>The point in time, in UTC; false when it lies outside the years 1 to 9999.</summary>
    public bool TryToDateTimeOffset(out DateTimeOffset time)
    {
        bool fits = Milliseconds >= DateTimeOffset.MinValue.ToUnixTimeMilliseconds()
            && Milliseconds <= DateTimeOffset.MaxValue.ToUnixTimeMilliseconds();
        time = fits ? DateTimeOffset.FromUnixTimeMilliseconds(Milliseconds) : default;
        return fits;
    }

    /// <summary>The point in time, in UTC.</summary>
    /// <exception cref="AmqpFormatException">
    /// It lies outside the years 1 to 9999. <see cref="TryToDateTimeOffset"/> tells without it.
    /// </exception>
    public DateTimeOffset ToDateTimeOffset()
    {
        if (!TryToDateTimeOffset(out DateTimeOffset time))
        {
            ThrowHelper.Format(
                AmqpFormatError.Value, -1, $"Expected a timestamp in the years 1 to 9999, found {Milliseconds} ms since 1970");
        }

        return time;
    }

    /// <summary>The point in time in the format of ISO 8601, or the milliseconds.</summary>
    public override string ToString() => TryToDateTimeOffset(out DateTimeOffset time)
        ? time.ToString("yyyy-MM-ddTHH:mm:ss.fffZ", CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"{Milliseconds} ms");

    /// <inheritdoc/>
    public int CompareTo(Timestamp other) => Milliseconds.CompareTo(other.Milliseconds);
}
