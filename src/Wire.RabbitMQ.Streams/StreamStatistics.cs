namespace Wire.RabbitMQ.Streams;

/// <summary>Figures of a stream, as the broker has them at the moment.</summary>
/// <param name="Stream">The stream.</param>
/// <param name="Figures">All that the broker says, by its names; -1 stands for nothing there.</param>
public sealed record StreamStatistics(string Stream, IReadOnlyDictionary<string, long> Figures)
{
    /// <summary>The offset of the oldest message that the stream has; null where it is empty.</summary>
    public ulong? FirstOffset => Offset("first_chunk_id");

    /// <summary>Consumers get messages up to somewhere behind this offset, with which a chunk begins; null where the stream is empty.</summary>
    public ulong? CommittedChunk => Offset("committed_chunk_id");

    private ulong? Offset(string name) => Figures.TryGetValue(name, out long value) && value >= 0 ? (ulong)value : null;
}
