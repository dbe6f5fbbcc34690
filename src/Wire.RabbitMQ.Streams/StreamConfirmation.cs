namespace Wire.RabbitMQ.Streams;

/// <summary>What has become of messages: of all that were sent with a publishing id from the first to the last.</summary>
/// <param name="Stream">The stream that they were sent to; of a super stream, the partition. Each has publishing ids of its own.</param>
/// <param name="First">The first publishing id.</param>
/// <param name="Last">The last publishing id.</param>
/// <param name="Code">What the broker says of them; null where it has said nothing before they were given up, so that it may have them or not.</param>
public readonly record struct StreamConfirmation(string Stream, ulong First, ulong Last, StreamResponseCode? Code)
{
    /// <summary>Whether the broker has them: as safe as the stream is.</summary>
    public bool IsConfirmed => Code == StreamResponseCode.Ok;
}
