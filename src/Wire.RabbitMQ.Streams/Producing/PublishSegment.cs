namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>An array with frames, one behind the other.</summary>
internal sealed class PublishSegment(byte[] array, ulong position)
{
    public byte[] Array { get; } = array;

    /// <summary>Where the filled bytes end; of the last segment the log knows better.</summary>
    public int End { get; set; }

    /// <summary>Where its first frame begins that may be sent again.</summary>
    public int Start { get; set; }

    /// <summary>The position of the first entry there.</summary>
    public ulong Position { get; set; } = position;

    /// <summary>The next one; null for the last.</summary>
    public PublishSegment? Next { get; set; }
}
