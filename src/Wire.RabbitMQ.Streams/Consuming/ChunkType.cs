namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>What is in a chunk. All but the first are for the broker itself.</summary>
internal enum ChunkType : byte
{
    /// <summary>Messages.</summary>
    User = 0,

    /// <summary>What producers and consumers have stored since the last snapshot.</summary>
    TrackingDelta = 1,

    /// <summary>All that producers and consumers have stored.</summary>
    TrackingSnapshot = 2,
}
