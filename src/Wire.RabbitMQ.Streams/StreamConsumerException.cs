namespace Wire.RabbitMQ.Streams;

/// <summary>A message could not be handled or read: <see cref="Offset"/> says which, and the inner exception why.</summary>
public sealed class StreamConsumerException : Exception
{
    internal StreamConsumerException(string message, string stream, ulong? offset, uint count, Exception inner)
        : base(message, inner)
    {
        Stream = stream;
        Offset = offset;
        Count = count;
    }

    /// <summary>The stream, or the partition of a super stream.</summary>
    public string Stream { get; }

    /// <summary>The offset of the message, of the first one where there are several; null where not even that can be read.</summary>
    public ulong? Offset { get; }

    /// <summary>
    /// Gets the number of offsets that it is about: 1 for a message; all of a batch for a batch handler; all of a chunk where it is
    /// damaged; 0 where no one knows.
    /// </summary>
    public uint Count { get; }
}
