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

    /// <summary>Gets the number of attempts to handle it: 0 where it, or its chunk, could not be read.</summary>
    public int Attempts { get; internal init; }

    /// <summary>Gets whether it is a chunk that could not be read, which cannot be put into an error stream.</summary>
    public bool IsChunk { get; internal init; }

    /// <summary>The stream, or the partition of a super stream.</summary>
    public string Stream { get; }

    /// <summary>The offset of the message, or of the first of several; null if unreadable.</summary>
    public ulong? Offset { get; }

    /// <summary>
    /// Gets the number of offsets concerned: 1 for a message; all of a batch for a batch handler; all of a damaged chunk; 0 if unknown.
    /// </summary>
    public uint Count { get; }

    /// <summary>The reason in one word, as error streams have it.</summary>
    internal string Reason => Attempts > 0 ? "handler-failed" : InnerException is TypeRefusedException ? "type-refused" : "undecodable";

    /// <summary>Creates the same with what has failed in addition.</summary>
    internal StreamConsumerException With(string message, Exception? error = null) => new(
        $"{Message} {message}",
        Stream,
        Offset,
        Count,
        error is null ? InnerException! : new AggregateException(InnerException!, error))
    {
        Attempts = Attempts,
        IsChunk = IsChunk,
    };
}
