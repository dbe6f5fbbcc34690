using System.Buffers.Binary;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>A stream of a <see cref="StrictStreamServer"/>. Used under the server's lock.</summary>
internal sealed class ServerStream
{
    /// <summary>What it was created with.</summary>
    public required IReadOnlyDictionary<string, string> Arguments { get; init; }

    /// <summary>Its chunks.</summary>
    public List<ServerChunk> Chunks { get; } = [];

    /// <summary>The last publishing id by publisher.</summary>
    public Dictionary<string, ulong> Sequences { get; } = [];

    /// <summary>What consumers have stored.</summary>
    public Dictionary<string, ulong> Offsets { get; } = [];

    /// <summary>The offset that comes next.</summary>
    public ulong End => Chunks.Count == 0 ? 0 : Chunks[^1].End;

    /// <summary>All messages outside of batches, in order.</summary>
    public IEnumerable<byte[]> Messages => Chunks.SelectMany(chunk => MessagesOf(chunk.Bytes));

    /// <summary>Adds a chunk.</summary>
    public void Append(IReadOnlyList<byte[]> entries, IReadOnlyList<string?>? filters = null) =>
        Chunks.Add(ServerChunk.Of(
            End, 1_700_000_000_000 + (1000 * Chunks.Count), epoch: 1, entries, filters ?? [.. entries.Select(_ => (string?)null)]));

    /// <summary>Which chunk a consumer begins with.</summary>
    public int Find(StreamOffsetKind kind, long value)
    {
        int found = kind switch
        {
            StreamOffsetKind.First => 0,
            StreamOffsetKind.Last => Math.Max(0, Chunks.Count - 1),
            StreamOffsetKind.Offset => Chunks.FindIndex(chunk => chunk.End > (ulong)value),
            StreamOffsetKind.Timestamp => Chunks.FindIndex(chunk => chunk.Timestamp >= value),
            _ => -1,
        };
        return found < 0 ? Chunks.Count : found;
    }

    private static IEnumerable<byte[]> MessagesOf(byte[] chunk)
    {
        int position = 48;
        while (position < chunk.Length)
        {
            Assert.False(ServerChunk.IsBatch(chunk.AsSpan(position)), "There is a batch among the messages.");
            int length = BinaryPrimitives.ReadInt32BigEndian(chunk.AsSpan(position));
            yield return chunk.AsSpan(position + sizeof(int), length).ToArray();
            position += sizeof(int) + length;
        }
    }
}
