using Wire.RabbitMQ.Streams.Chunks;
using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Tests.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Consuming;

/// <summary>Whether a stream is the one that a consumer knows a chunk of, when retention has removed that chunk.</summary>
public sealed class StreamPositionFinderTests
{
    [Theory]
    [InlineData(20, 1, true)] // just behind what is known
    [InlineData(25, 1, true)]
    [InlineData(15, 1, false)] // within it
    [InlineData(25, 2, false)] // under a leader before
    public async Task Tells_a_stream_by_where_its_oldest_chunk_begins_and_its_leader(int oldest, int knownEpoch, bool isSame)
    {
        await using var server = new StrictStreamServer();
        server.Create("s");
        server.Append("s", Messages(oldest));
        server.Append("s", Messages(10));
        server.With("s", stream =>
        {
            stream.Chunks.RemoveAt(0);
            return 0;
        });
        var known = new ChunkWriter { FirstOffset = 10, Milliseconds = 1_700_000_000_000, Epoch = (ulong)knownEpoch };
        Array.ForEach(Messages(10), message => known.Add(message));
        StreamLink link = await StreamLink.ConnectAsync(server.Options, server.Endpoint, CancellationToken.None);
        Assert.Equal(
            isSame, await StreamPositionFinder.IsSameAsync(link, "s", ChunkHeader.Read(known.ToArray(), 0), CancellationToken.None));
        await link.CloseAsync();
    }

    private static byte[][] Messages(int count) => [.. Enumerable.Range(0, count).Select(number => new byte[] { (byte)number })];
}
