using System.Buffers;
using System.Runtime.Serialization;

namespace Wire;

/// <summary>
/// A TimeZoneInfo: its identifier when the system has the same zone under it, and otherwise the zone itself too. A zone of the
/// system comes back with the rules that the reader's system has.
/// </summary>
internal sealed class TimeZoneConversion : IConversion<TimeZoneInfo, TimeZoneConversion.Parts>
{
    // The runtime looks for a file of this name: it must not leave the directory of time zones.
    private static readonly SearchValues<char> IdCharacters = SearchValues.Create(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /_+-.()");

    public static Parts To(TimeZoneInfo value)
    {
        if (IsSafe(value.Id) && TimeZoneInfo.TryFindSystemTimeZoneById(value.Id, out TimeZoneInfo? known) && IsSame(known, value))
        {
            return new Parts(value.Id, null);
        }

        string text = value.ToSerializedString();
        return IsSame(TimeZoneInfo.FromSerializedString(text), value)
            ? new Parts(value.Id, text)
            : throw new UnsupportedTypeException(typeof(TimeZoneInfo), $"'{value.Id}' is no zone of the system, and has rules that TimeZoneInfo.ToSerializedString does not keep.");
    }

    public static TimeZoneInfo From(Parts written)
    {
        if (written.Definition is null)
        {
            return written.Id is not null && IsSafe(written.Id) && TimeZoneInfo.TryFindSystemTimeZoneById(written.Id, out TimeZoneInfo? zone)
                ? zone
                : throw new FormatException($"This system has no time zone '{written.Id}'.");
        }

        try
        {
            return TimeZoneInfo.FromSerializedString(written.Definition);
        }
        catch (Exception e) when (e is SerializationException or InvalidTimeZoneException)
        {
            throw new FormatException(e.Message, e);
        }
    }

    private static bool IsSafe(string id) =>
        id.Length is > 0 and < 256 && id[0] != '/' && !id.AsSpan().ContainsAnyExcept(IdCharacters) && !id.Contains("..", StringComparison.Ordinal);

    private static bool IsSame(TimeZoneInfo left, TimeZoneInfo right) =>
        left.Equals(right) && left.DisplayName == right.DisplayName && left.StandardName == right.StandardName
        && left.DaylightName == right.DaylightName && left.SupportsDaylightSavingTime == right.SupportsDaylightSavingTime;

    internal readonly record struct Parts(string Id, string? Definition);
}
