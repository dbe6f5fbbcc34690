namespace Wire.RabbitMQ.Streams.Consuming;

/// <summary>How chunks are taken apart: options of a consumer, which have been checked.</summary>
internal sealed record ChunkReading
{
    /// <summary>Whether the data of each chunk is compared with its CRC.</summary>
    public bool CheckCrc { get; init; } = true;

    /// <summary>How many bytes the batches of one chunk may grow to together, each message counted as what it takes to find it.</summary>
    public int MaxDecompressedBytes { get; init; } = 1 << 28;

    /// <summary>What decompresses batches beside what is built in.</summary>
    public IReadOnlyList<IStreamDecompressor> Decompressors { get; init; } = [];
}
