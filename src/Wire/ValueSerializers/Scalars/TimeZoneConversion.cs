using System.Buffers;
using System.Runtime.Serialization;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// A TimeZoneInfo: its identifier, and the zone itself unless the system has the same zone under this identifier. A system zone is restored
/// with the rules of the reader's system.
/// </summary>
internal static class TimeZoneConversion
{
    // The runtime looks for a file of this name: it must not leave the directory of time zones.
    private static readonly SearchValues<char> IdCharacters = SearchValues.Create(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 /_+-.()");

    // As in right/America/Argentina/Buenos_Aires.
    private const int MaxSegments = 4;

    public static Parts To(TimeZoneInfo value)
    {
        if (IsSafe(value.Id) && TimeZoneInfo.TryFindSystemTimeZoneById(value.Id, out TimeZoneInfo? known) && IsSame(known, value))
        {
            return new Parts(value.Id, null);
        }

        string text = value.ToSerializedString();
        return IsKept(text, value)
            ? new Parts(value.Id, text)
            : throw new UnsupportedTypeException(
                typeof(TimeZoneInfo),
                $"'{value.Id}' is not a time zone of this system, and has rules that TimeZoneInfo.ToSerializedString does not keep.");
    }

    public static TimeZoneInfo From(Parts written)
    {
        if (written.Definition is null)
        {
            return written.Id is not null
                && IsSafe(written.Id)
                && TimeZoneInfo.TryFindSystemTimeZoneById(written.Id, out TimeZoneInfo? zone)
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

    // .NET cannot read all of its own output: the rules of some system zones overlap.
    private static bool IsKept(string text, TimeZoneInfo value)
    {
        try
        {
            return IsSame(TimeZoneInfo.FromSerializedString(text), value);
        }
        catch (Exception e) when (e is SerializationException or InvalidTimeZoneException)
        {
            return false;
        }
    }

    // One name per file: .NET caches each zone for ever, under the requested name, and ignores case. A directory that links to itself, as
    // "posix" does on some systems, has only so many names.
    private static bool IsSafe(string id)
    {
        if (id.Length is 0 or > 255 || id.AsSpan().ContainsAnyExcept(IdCharacters) || id.Contains("..", StringComparison.Ordinal))
        {
            return false;
        }

        string[] segments = id.Split('/');
        return segments.Length <= MaxSegments && !Array.Exists(segments, segment => segment is "" or ".");
    }

    private static bool IsSame(TimeZoneInfo left, TimeZoneInfo right) =>
        left.Equals(right) && left.DisplayName == right.DisplayName && left.StandardName == right.StandardName
        && left.DaylightName == right.DaylightName && left.SupportsDaylightSavingTime == right.SupportsDaylightSavingTime;

    internal readonly record struct Parts(string Id, string? Definition);
}
