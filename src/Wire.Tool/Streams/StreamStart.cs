using System.Globalization;
using Wire.RabbitMQ.Streams;
using Wire.Tool.Running;

namespace Wire.Tool.Streams;

/// <summary>The place of a stream at which reading begins, as the command line says.</summary>
/// <param name="Offset">The place; null for the last messages, as many as are shown.</param>
internal sealed record StreamStart(StreamOffset? Offset)
{
    /// <summary>Gets whether only messages are read that are published from now on.</summary>
    public bool IsNext => Offset is { Kind: StreamOffsetKind.Next };

    /// <summary>Reads what stands behind <c>--from</c>.</summary>
    /// <exception cref="ToolException">It is no place.</exception>
    public static StreamStart Parse(string text) => text switch
    {
        "first" => new(StreamOffset.First),
        "last" => new((StreamOffset?)null),
        "next" => new(StreamOffset.Next),
        _ when ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ulong offset) && offset <= long.MaxValue =>
            new(StreamOffset.At(offset)),
        _ when DateTimeOffset.TryParse(
            text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out DateTimeOffset time) => new(StreamOffset.From(time)),
        _ => throw new ToolException(
            $"--from takes first, last, next, an offset or a time such as 2026-01-31T12:00:00Z, and not {PlainText.Quote(text)}.",
            ExitCodes.Usage),
    };

    /// <summary>Returns whether the stream has anything there, of which the last message is known.</summary>
    public bool IsBefore(StreamEnd end) => Offset switch
    {
        { Kind: StreamOffsetKind.Offset } at => at.Offset <= end.Offset,
        { Time: { } time } => time <= end.Time,
        _ => true,
    };

    /// <summary>Returns the place for a consumer.</summary>
    public StreamOffset In(StreamEnd end, long count) => Offset
        ?? (end.Offset + 1 > (ulong)count ? StreamOffset.At(end.Offset + 1 - (ulong)count) : StreamOffset.First);
}

/// <summary>The last message of a stream when reading began.</summary>
/// <param name="Offset">Its offset.</param>
/// <param name="Time">The time of its chunk.</param>
internal sealed record StreamEnd(ulong Offset, DateTimeOffset Time);
