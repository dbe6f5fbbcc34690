using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Diagnostics;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>A broker that does not answer, or says that it takes nothing for now: nobody waits for it without end.</summary>
public sealed class CallTimeoutTests
{
    private static readonly TimeSpan Short = TimeSpan.FromMilliseconds(300);

    [Fact]
    public async Task What_the_broker_does_not_answer_fails_after_the_time_out_and_a_late_answer_is_passed_over()
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            await peer.ExpectAsync<QueueDeclare>();
            await peer.ExpectAsync<QueueDeclare>();
            await peer.SendAsync(
                AmqpPeer.FrameOf(1, new QueueDeclareOk { Queue = "late" }), AmqpPeer.FrameOf(1, new QueueDeclareOk { Queue = "second" }));
            await peer.CloseAsync();
        });
        var time = new SkippedTime();
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options() with { Time = time }).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        time.IsSkipped = true;
        AmqpConnectionException error =
            await Assert.ThrowsAsync<AmqpConnectionException>(() => channel.Topology.DeclareQueueAsync("late").InTime());
        time.IsSkipped = false;
        Assert.Contains(
            "has not answered QueueDeclare within 30 s (AmqpConnectionOptions.CallTimeout)", error.Message, StringComparison.Ordinal);
        Assert.Equal("second", (await channel.Topology.DeclareQueueAsync("second").InTime()).Name);
        Assert.True(connection.IsOpen);
    }

    [Fact]
    public async Task A_consumer_whose_start_is_not_answered_is_none_and_what_comes_for_it_goes_back()
    {
        var failed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var settled = new TaskCompletionSource<BasicReject>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            await peer.ExpectAsync<BasicConsume>();
            await failed.Task;
            await peer.SendAsync(
                AmqpPeer.FrameOf(1, new BasicConsumeOk { ConsumerTag = "late" }),
                AmqpPeer.FrameOf(1, new BasicDeliver { ConsumerTag = "late", DeliveryTag = 1 }),
                AmqpPeer.HeaderOf(1, 0));

            // Only now: RabbitMQ closes the connection where a consumer is cancelled that it has not started.
            await peer.AnswerAsync<BasicCancel, BasicCancelOk>(new() { ConsumerTag = "late" });
            settled.TrySetResult(await peer.ReadAsync<BasicReject>());
            await peer.CloseAsync();
        });
        var time = new SkippedTime();
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options() with { Time = time }).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        int handled = 0;
        time.IsSkipped = true;
        await Assert.ThrowsAsync<AmqpConnectionException>(() => channel.ConsumeAsync(
            "queue",
            _ =>
            {
                handled++;
                return default;
            },
            new AmqpConsumeOptions { ConsumerTag = "late", Concurrency = 1 }).InTime());
        time.IsSkipped = false;
        failed.SetResult();
        Assert.True((await settled.Task.InTime()).Requeue);
        Assert.Equal(0, handled);
    }

    [Fact]
    public async Task On_a_connection_that_is_blocked_calls_fail_soon_with_the_reason_and_it_closes_soon()
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            await peer.SendAsync(0, new ConnectionBlocked { Reason = "low on memory" });
            await peer.DrainAsync();
        });
        AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        long start = Stopwatch.GetTimestamp();
        AmqpConnectionException error =
            await Assert.ThrowsAsync<AmqpConnectionException>(() => channel.Topology.PurgeQueueAsync("queue").InTime());
        Assert.Contains(
            "has not answered QueuePurge: it accepts nothing on this connection for now (low on memory)",
            error.Message,
            StringComparison.Ordinal);
        Assert.Equal("low on memory", connection.BlockedReason);
        await channel.DisposeAsync().AsTask().InTime();
        await connection.DisposeAsync().AsTask().InTime();
        Assert.InRange(Stopwatch.GetElapsedTime(start), TimeSpan.Zero, TimeSpan.FromSeconds(15));
    }

    [Fact]
    public async Task A_channel_is_opened_when_the_broker_takes_messages_again()
    {
        var unblock = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync(AmqpPeer.FrameOf(0, new ConnectionBlocked { Reason = "low on memory" }));
            await unblock.Task;
            await peer.SendAsync(0, new ConnectionUnblocked());
            await peer.OpenChannelAsync();
            await peer.AnswerAsync<ChannelClose, ChannelCloseOk>();
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options()).InTime();
        await UntilAsync(() => connection.BlockedReason is not null);
        Task<AmqpChannel> opening = connection.OpenChannelAsync();
        using var soon = new CancellationTokenSource(Short);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connection.OpenChannelAsync(cancellationToken: soon.Token).InTime());
        Assert.False(opening.IsCompleted);
        unblock.SetResult();
        await (await opening.InTime()).DisposeAsync().AsTask().InTime();
        Assert.Null(connection.BlockedReason);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_channel_that_is_closed_while_nothing_can_be_sent_is_none_at_the_broker_either(bool isOpen)
    {
        var full = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var reads = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var first = new TaskCompletionSource<(ushort, MethodId)>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            if (isOpen)
            {
                await peer.OpenChannelAsync();
            }

            await full.Task;
            await peer.SendAsync(0, new ConnectionBlocked { Reason = "low on memory" });
            await reads.Task;
            await peer.SendAsync(0, default(ConnectionUnblocked));
            byte[] start = new byte[7];
            while (true)
            {
                await peer.Stream.ReadExactlyAsync(start);
                byte[] rest = new byte[BinaryPrimitives.ReadInt32BigEndian(start.AsSpan(3)) + 1];
                await peer.Stream.ReadExactlyAsync(rest);
                ushort channel = BinaryPrimitives.ReadUInt16BigEndian(start.AsSpan(1));
                if (start[0] == 1 && channel > 1)
                {
                    first.TrySetResult((channel, (MethodId)BinaryPrimitives.ReadUInt32BigEndian(rest)));
                    break;
                }
            }

            await peer.DrainAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(
            broker.Options() with { ConnectTimeout = TimeSpan.FromSeconds(5) }).InTime();
        AmqpChannel publisher = await connection.OpenChannelAsync().InTime();
        AmqpChannel? other = isOpen ? await connection.OpenChannelAsync().InTime() : null;

        // Inline it keeps its thread.
        Task published = Task.Run(() => publisher.PublishAsync("", "queue", new byte[64 << 20]).AsTask());
        await Task.Delay(300);
        Task<AmqpChannel>? opening = isOpen ? null : connection.OpenChannelAsync();
        full.SetResult();
        await UntilAsync(() => connection.BlockedReason is not null);
        if (other is not null)
        {
            await other.DisposeAsync().AsTask().InTime();
        }
        else
        {
            await Task.Delay(3000);
        }

        reads.SetResult();

        // Of one that could not be opened the broker has heard nothing before the next attempt, which may have another number.
        (int number, MethodId method) = await first.Task.InTime();
        Assert.Equal(isOpen ? MethodId.ChannelClose : MethodId.ChannelOpen, method);
        Assert.InRange(number, 2, isOpen ? 2 : 3);
        await connection.DisposeAsync().AsTask().InTime();
        await Assert.ThrowsAnyAsync<Exception>(() => published.InTime());
        if (opening is not null)
        {
            await Assert.ThrowsAnyAsync<Exception>(() => opening.InTime());
        }
    }

    [Fact]
    public async Task That_the_broker_blocks_is_taken_back_when_the_connection_is_lost()
    {
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            await peer.GreetAsync(number == 0 ? AmqpPeer.FrameOf(0, new ConnectionBlocked { Reason = "low on memory" }) : []);
            if (number == 0)
            {
                await Task.Delay(Short);
                peer.Reset();
            }
            else
            {
                await peer.CloseAsync();
            }
        });
        ConcurrentQueue<string?> told = [];
        var recovered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using (AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Recovering()).InTime())
        {
            connection.Blocked += told.Enqueue;
            connection.Recovered += recovered.SetResult;
            await recovered.Task.InTime();
            Assert.Null(connection.BlockedReason);
        }

        // The first may have been told before anybody listened.
        Assert.Contains(null, told);
        Assert.Null(told.Last());
        Assert.InRange(told.Count, 1, 2);
    }

    [Fact]
    public async Task Who_closes_does_not_wait_longer_for_the_broker_than_said()
    {
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            await peer.OpenChannelAsync();
            await peer.AnswerAsync<BasicConsume, BasicConsumeOk>();
            await peer.DrainAsync();
        });
        AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        AmqpConsumer consumer = await channel.ConsumeAsync("queue", _ => default).InTime();
        long start = Stopwatch.GetTimestamp();
        using var soon = new CancellationTokenSource(Short);
        await consumer.CloseAsync(soon.Token).InTime();
        await channel.CloseAsync(soon.Token).InTime();
        await connection.CloseAsync(soon.Token).InTime();
        Assert.InRange(Stopwatch.GetElapsedTime(start), Short / 2, TimeSpan.FromSeconds(15));
        Assert.True(connection.IsClosed);
        Assert.False(channel.IsOpen);
    }

    private static async Task UntilAsync(Func<bool> holds)
    {
        long start = Stopwatch.GetTimestamp();
        while (!holds())
        {
            Assert.True(Stopwatch.GetElapsedTime(start) < TimeSpan.FromSeconds(30));
            await Task.Delay(5);
        }
    }

    /// <summary>A time that can be skipped, so that whoever waits for an answer has waited long enough at once.</summary>
    private sealed class SkippedTime : TimeProvider
    {
        private volatile bool _isSkipped;

        public bool IsSkipped { set => _isSkipped = value; }

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
            System.CreateTimer(callback, state, _isSkipped ? TimeSpan.Zero : dueTime, period);
    }
}
