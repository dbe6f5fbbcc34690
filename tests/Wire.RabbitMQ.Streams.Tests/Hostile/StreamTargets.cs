using System.Buffers;
using System.Buffers.Binary;
using Wire.Amqp.Testing.Fuzzing;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Testing.Fuzzing;

namespace Wire.RabbitMQ.Streams.Tests.Hostile;

/// <summary>What reads RabbitMQ's stream protocol from outside.</summary>
internal static class StreamTargets
{
    // A size, a key, a version and the number of a subscription, in front of a chunk.
    private const int DeliverHead = 9;

    public static IEnumerable<Target> All =>
    [
        new AmqpTarget("stream frames", "stream frames", RewriteFrames.Seeds, RewriteFrames.Frames),
        new AmqpTarget("stream chunks", "stream chunks", Chunks, RewriteChunk.Chunk) { Fixed = RewriteChunk.Allowance },
    ];

    private static IEnumerable<Seed> Chunks()
    {
        var options = new SerializerOptions { TypeFilter = WireTypeFilter.Default };
        byte[] payload = new Serializer(options).Serialize(new List<int> { 1, 2, 3 });
        byte[][] messages =
        [
            payload,
            [0, 0x53, 0x75, 0xa0, (byte)payload.Length, .. payload],
            [],
            [1, 2, 3],
            .. Seeds10.Messages().Take(3).Select(seed => seed.Bytes),
        ];
        var plain = new ChunkWriter { FirstOffset = 7, Milliseconds = 1_600_000_000_000, Trailer = [1, 2] };
        foreach (byte[] message in messages)
        {
            plain.Add(message);
        }

        yield return new Seed("plain", plain.ToArray());
        yield return new Seed("batch", new ChunkWriter().Add(payload).AddBatch(StreamCompression.None, messages).Add([9]).ToArray());
        yield return new Seed(
            "gzip",
            new ChunkWriter().AddBatch(StreamCompression.GZip, messages).Add([9]).AddBatch(StreamCompression.GZip, messages).ToArray());
        byte[] records = ChunkWriter.Plain(messages);
        yield return new Seed(
            "stored", new ChunkWriter().AddBatch(StreamCompression.Lz4, messages.Length, records.Length, records).ToArray());
        yield return new Seed("of the broker", new ChunkWriter { Type = 1 }.Add(payload).ToArray());
        byte[] captured =
            File.ReadAllBytes(Path.Combine(Repository.Root, "tests", "Wire.RabbitMQ.Streams.Tests", "Interop", "official-dotnet.bin"));
        for (int at = 0; at < captured.Length;)
        {
            int end = at + sizeof(uint) + BinaryPrimitives.ReadInt32BigEndian(captured.AsSpan(at));

            // Larger ones say the same more slowly.
            if (end - at < 4000)
            {
                yield return new Seed($"captured at {at}", captured[(at + DeliverHead)..end]);
            }

            at = end;
        }
    }
}
