using System.Globalization;
using Wire.Amqp.Errors;

namespace Wire.Amqp.V091;

/// <summary>A point in time as AMQP 0-9-1 has it (section 4.2.5.4): seconds since the beginning of 1970, UTC.</summary>
/// <param name="Seconds">
/// The seconds, negative before 1970. Any 64 bits can be received; not all of them are a <see cref="DateTimeOffset"/>.
/// </param>
public readonly record struct Timestamp(long Seconds)
{
    // 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
    private const long MinSeconds = -62_135_596_800;
    private const long MaxSeconds = 253_402_300_799;

    /// <summary>The second in which a point in time lies: fractions of it are dropped.</summary>
    public static Timestamp FromDateTimeOffset(DateTimeOffset time) => new(time.ToUnixTimeSeconds());

    /// <summary>The point in time, in UTC.</summary>
    /// <exception cref="AmqpFormatException">
    /// It is not in the years 1 to 9999. <see cref="TryToDateTimeOffset"/> tells without it.
    /// </exception>
    public DateTimeOffset ToDateTimeOffset()
    {
        if (!TryToDateTimeOffset(out DateTimeOffset time))
        {
            ThrowHelper.Format(
                AmqpFormatError.Value,
                -1,
                $"Expected a timestamp in the years 1 to 9999, found {Seconds} s since 1970");
        }

        return time;
    }

    /// <summary>The point in time, in UTC; false when it is not in the years 1 to 9999.</summary>
    public bool TryToDateTimeOffset(out DateTimeOffset time)
    {
        bool fits = Seconds is >= MinSeconds and <= MaxSeconds;
        time = fits ? DateTimeOffset.FromUnixTimeSeconds(Seconds) : default;
        return fits;
    }

    /// <summary>The point in time in the format of ISO 8601, or the seconds.</summary>
    public override string ToString() => TryToDateTimeOffset(out DateTimeOffset time)
        ? time.ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"{Seconds} s");
}
