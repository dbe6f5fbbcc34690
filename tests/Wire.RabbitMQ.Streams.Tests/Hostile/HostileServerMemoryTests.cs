using System.Buffers.Binary;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Hostile;

/// <summary>What a server can make a client take in memory, which is bounded by what the client has agreed to.</summary>
[Collection(nameof(RunAlone))]
public sealed class HostileServerMemoryTests
{
    private const long MiB = 1 << 20;

    // Who connects does not know yet who is there: 32 MiB came to 691 MB.
    [Fact]
    public async Task A_count_before_authentication_takes_no_memory()
    {
        byte[] frame = CountOfPairs(32 << 20);
        await using var server = new StrictStreamServer();
        server.When(CommandKey.PeerProperties, Reaction.Send(frame));
        long before = GC.GetTotalAllocatedBytes();
        StreamConnectionException error = await Assert.ThrowsAsync<StreamConnectionException>(() => StreamClient.ConnectAsync(server.Options).WaitAsync(Patience.Limit));
        Assert.InRange(GC.GetTotalAllocatedBytes() - before, 0, 16 * MiB);
        Assert.Contains("before the connection is open", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_count_in_a_frame_as_large_as_may_be_takes_no_more_than_the_frame()
    {
        byte[] frame = CountOfPairs(1 << 20);
        await using var server = new StrictStreamServer();
        server.When(CommandKey.PeerProperties, Reaction.Send(frame));
        long before = GC.GetTotalAllocatedBytes();
        StreamConnectionException error = await Assert.ThrowsAsync<StreamConnectionException>(() => StreamClient.ConnectAsync(server.Options).WaitAsync(Patience.Limit));
        Assert.InRange(GC.GetTotalAllocatedBytes() - before, 0, 8 * MiB);
        Assert.Contains("what came is not the stream protocol", error.Message, StringComparison.Ordinal);
    }

    // The first answer: as many pairs as it has bytes left, of which the first is longer than all.
    private static byte[] CountOfPairs(int bytes)
    {
        byte[] frame = new byte[bytes];
        BinaryPrimitives.WriteInt32BigEndian(frame, bytes - StreamFrames.SizeBytes);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(4), (ushort)CommandKey.PeerProperties | StreamFrames.ResponseBit);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(6), 1);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(8), 1);
        BinaryPrimitives.WriteUInt16BigEndian(frame.AsSpan(12), (ushort)StreamResponseCode.Ok);
        BinaryPrimitives.WriteInt32BigEndian(frame.AsSpan(14), bytes - 18);
        frame.AsSpan(18).Fill(0x80);
        return frame;
    }
}
