namespace Wire.RabbitMQ.Streams.Producing;

/// <summary>An array with frames, one behind the other.</summary>
internal sealed class PublishSegment(byte[] array, ulong position)
{
    public byte[] Array { get; } = array;

    /// <summary>Gets the end of the filled bytes; for the last segment the log has the current value.</summary>
    public int End { get; set; }

    /// <summary>Gets the start of its first frame that may be sent again.</summary>
    public int Start { get; set; }

    /// <summary>The position of the first entry there.</summary>
    public ulong Position { get; set; } = position;

    /// <summary>The next one; null for the last.</summary>
    public PublishSegment? Next { get; set; }
}
