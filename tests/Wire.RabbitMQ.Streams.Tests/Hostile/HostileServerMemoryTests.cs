using System.Buffers.Binary;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.Hostile;

/// <summary>What a server can make a client take in memory, which is bounded by what the client has agreed to.</summary>
[Collection(nameof(RunAlone))]
public sealed class HostileServerMemoryTests
{
    private const string Stream = "stream";
    private const int MiB = 1 << 20;

    // Who connects does not know yet who is there: 32 MiB came to 691 MB.
    [Fact]
    public async Task A_count_before_authentication_takes_no_memory()
    {
        byte[] frame = CountOfPairs(32 << 20);
        await using var server = new StrictStreamServer();
        server.When(CommandKey.PeerProperties, Reaction.Send(frame));
        long before = GC.GetTotalAllocatedBytes();
        StreamConnectionException error = await Assert.ThrowsAsync<StreamConnectionException>(
            () => StreamClient.ConnectAsync(server.Options).WaitAsync(Patience.Limit));
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
        StreamConnectionException error = await Assert.ThrowsAsync<StreamConnectionException>(
            () => StreamClient.ConnectAsync(server.Options).WaitAsync(Patience.Limit));
        Assert.InRange(GC.GetTotalAllocatedBytes() - before, 0, 8 * MiB);
        Assert.Contains("something that is not the stream protocol", error.Message, StringComparison.Ordinal);
    }

    // 671 MB came in four seconds, where the consumer had asked for 16 MiB.
    [Fact]
    public async Task Chunks_beyond_the_credit_end_the_connection()
    {
        await using var held = await HeldConsumer.BeginAsync(new StreamConsumerOptions { Offset = StreamOffset.First }, new byte[MiB]);
        ServerChunk chunk = held.Server.With(Stream, stream => stream.Chunks[0]);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        for (int i = 0; i < 200; i++)
        {
            held.Connection.Deliver(held.SubscriptionId, chunk, 0);
        }

        Assert.Contains("a chunk without credit", (await held.EndedAsync()).Message, StringComparison.Ordinal);

        // The server, in this very process, lets go of what it could not send when it sees the end.
        using var patience = new CancellationTokenSource(Patience.Limit);
        while (GC.GetTotalMemory(forceFullCollection: true) - before > 60 * MiB)
        {
            await Task.Delay(100, patience.Token);
        }

        await held.ComesBackAsync();
    }

    // 143 MB came in four seconds.
    [Fact]
    public async Task Updates_that_wait_for_no_answer_end_the_connection()
    {
        var options = new StreamConsumerOptions { Offset = StreamOffset.First, Name = "name", SingleActive = true };
        await using var held = await HeldConsumer.BeginAsync(options, [1]);
        for (int i = 0; i < 100; i++)
        {
            // The server itself would wait for the answer.
            held.Connection.Send(
                0, 0, 0, 10, 0, (byte)CommandKey.ConsumerUpdate, 0, 1, 0, 0, 1, (byte)i, held.SubscriptionId, (byte)(i & 1));
        }

        Assert.Contains("without waiting for an answer", (await held.EndedAsync()).Message, StringComparison.Ordinal);
        await held.ComesBackAsync();
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

    /// <summary>A consumer whose handler has a chunk, and keeps it.</summary>
    private sealed class HeldConsumer : IAsyncDisposable
    {
        private readonly TaskCompletionSource<Exception> _reason = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _handling = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _goOn = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private StreamClient? _client;
        private StreamConsumer? _consumer;

        public StrictStreamServer Server { get; } = new();

        /// <summary>The connection that it consumes on.</summary>
        public ServerConnection Connection { get; private set; } = null!;

        public byte SubscriptionId { get; private set; }

        public static async Task<HeldConsumer> BeginAsync(StreamConsumerOptions options, byte[] message)
        {
            var held = new HeldConsumer();
            held.Server.Create(Stream);
            held._client = new StreamClient(held.Server.Options with
            {
                OnRecovery = recovery => _ = recovery.Reason is { } why && held._reason.TrySetResult(why),
            });
            held._consumer = await held._client.ConsumeBatchesAsync(
                Stream,
                _ =>
                {
                    held._handling.TrySetResult();
                    held._goOn.Task.Wait();
                },
                options);
            held.Server.Append(Stream, message);
            await held._handling.Task.WaitAsync(Patience.Limit);
            held.Connection = held.Server.Connections.Single(connection => connection.Subscriptions.Count > 0);
            held.SubscriptionId = held.Connection.Subscriptions.Single().Id;
            return held;
        }

        /// <summary>Why its connection has ended, which it looks at when the handler has done.</summary>
        public async Task<StreamConnectionException> EndedAsync()
        {
            await Server.UntilAsync(
                () => Server.Connections.All(connection => connection.Subscriptions.Count == 0), "the end of the connection");
            _goOn.SetResult();
            return Assert.IsType<StreamConnectionException>(await _reason.Task.WaitAsync(Patience.Limit));
        }

        public async Task ComesBackAsync()
        {
            await Server.ReceivedAsync(CommandKey.Subscribe, 2);
            Assert.False(_consumer!.Completion.IsCompleted);
        }

        public async ValueTask DisposeAsync()
        {
            _goOn.TrySetResult();
            await _consumer!.DisposeAsync();
            await _client!.DisposeAsync();
            await Server.DisposeAsync();
        }
    }
}
