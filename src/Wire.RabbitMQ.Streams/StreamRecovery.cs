namespace Wire.RabbitMQ.Streams;

/// <summary>
/// An event in the recovery of a producer or consumer that has lost its connection or stream: the loss, each failed attempt, and that it is
/// back. Told to <see cref="StreamClientOptions.OnRecovery"/>.
/// </summary>
public sealed record StreamRecovery
{
    internal StreamRecovery(string stream, string? name, bool isProducer, int attempt, Exception? reason)
    {
        Stream = stream;
        Name = name;
        IsProducer = isProducer;
        Attempt = attempt;
        Reason = reason;
    }

    /// <summary>The stream, or the partition of a super stream.</summary>
    public string Stream { get; }

    /// <summary>The name of the producer or consumer; null where it has none.</summary>
    public string? Name { get; }

    /// <summary>Gets whether it is a producer; a consumer otherwise.</summary>
    public bool IsProducer { get; }

    /// <summary>Which attempt has failed or succeeded, from 1 on; 0 when the connection or the stream has just been lost.</summary>
    public int Attempt { get; }

    /// <summary>Gets the reason why it was lost, or the attempt has failed; null when it is back.</summary>
    public Exception? Reason { get; }

    /// <summary>Gets whether it is back, and continues.</summary>
    public bool IsBack => Reason is null;

    /// <summary>The same as a sentence.</summary>
    public override string ToString()
    {
        string who = $"The {(IsProducer ? "producer" : "consumer")}{(Name is null ? "" : $" '{Name}'")} of the stream '{Stream}'";
        return Reason is null ? $"{who} is back: attempt {Attempt} has succeeded."
            : Attempt == 0 ? $"{who} is recovering: {Reason.Message}"
            : $"{who} is not back yet, attempt {Attempt} has failed: {Reason.Message}";
    }
}
