using System.Globalization;

namespace Wire.RabbitMQ.Streams;

/// <summary>Options of a new stream. Options left out have the broker's defaults, which keep everything.</summary>
/// <remarks>
/// The broker deletes whole segment files, the oldest first, when one is full and the stream exceeds its length or age: it may always
/// exceed the limits by about a segment. Values out of range are refused when a stream is created with them.
/// </remarks>
public sealed record StreamOptions
{
    /// <summary>Gets the age to which messages are kept, taken to the second: 1 s and more; null, the default, for any age.</summary>
    public TimeSpan? MaxAge { get; init; }

    /// <summary>
    /// Gets the length in bytes to which the stream grows: 1 and more, in practice several segments; null, the default, for any length.
    /// </summary>
    public long? MaxLengthBytes { get; init; }

    /// <summary>
    /// Gets the size of segment files in bytes: 1 to 3,000,000,000; null, the default, for the broker's default (500,000,000).
    /// </summary>
    public long? MaxSegmentBytes { get; init; }

    /// <summary>Gets the number of nodes that have the stream: 1 and more; null, the default, for the broker's default.</summary>
    public int? InitialClusterSize { get; init; }

    /// <summary>Gets the rule for the leader's node; null, the default, for the broker's.</summary>
    public StreamLeaderLocator? LeaderLocator { get; init; }

    /// <summary>Returns these with the broker's names and values.</summary>
    /// <exception cref="ArgumentException">A value is out of range: the message names it.</exception>
    internal IReadOnlyDictionary<string, string> Arguments()
    {
        var arguments = new Dictionary<string, string>(StringComparer.Ordinal);
        if (MaxAge is { } age)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(age, TimeSpan.FromSeconds(1), nameof(MaxAge));
            arguments["max-age"] = Text((long)age.TotalSeconds) + "s";
        }

        Add(arguments, "max-length-bytes", MaxLengthBytes, long.MaxValue, nameof(MaxLengthBytes));
        Add(arguments, "stream-max-segment-size-bytes", MaxSegmentBytes, 3_000_000_000, nameof(MaxSegmentBytes));
        Add(arguments, "initial-cluster-size", InitialClusterSize, int.MaxValue, nameof(InitialClusterSize));
        if (LeaderLocator is { } locator)
        {
            arguments["queue-leader-locator"] = locator switch
            {
                StreamLeaderLocator.ClientLocal => "client-local",
                StreamLeaderLocator.Balanced => "balanced",
                _ => throw new ArgumentOutOfRangeException(
                    nameof(LeaderLocator), locator, $"{nameof(LeaderLocator)} is not one of {nameof(StreamLeaderLocator)}."),
            };
        }

        return arguments;
    }

    private static void Add(Dictionary<string, string> arguments, string name, long? value, long most, string option)
    {
        if (value is { } number)
        {
            ArgumentOutOfRangeException.ThrowIfLessThan(number, 1, option);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(number, most, option);
            arguments[name] = Text(number);
        }
    }

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);
}

/// <summary>The node of a new stream's leader (<c>queue-leader-locator</c>).</summary>
public enum StreamLeaderLocator
{
    /// <summary>The node that is asked to create it.</summary>
    ClientLocal,

    /// <summary>A node that leads few other streams: spreads streams over a cluster. RabbitMQ 3.10 or later.</summary>
    Balanced,
}
