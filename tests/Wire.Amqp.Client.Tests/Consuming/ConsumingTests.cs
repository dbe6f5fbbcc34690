using System.Buffers;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Consuming;

/// <summary>Consuming from a server that sends what a test wants.</summary>
public sealed class ConsumingTests
{
    private const int Batch = 64;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_message_that_is_handled_at_once_allocates_nothing(bool noAck)
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await ConnectAsync(broker);
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = false });
        long least = long.MaxValue;
        long before = 0;
        int thread = 0;
        int count = 0;
        long bytes = 0;
        var handled = new SemaphoreSlim(0);
        await channel.ConsumeAsync(
            "queue",
            delivery =>
            {
                bytes += delivery.Body.Length;
                switch (++count % Batch)
                {
                    case 2:
                        thread = Environment.CurrentManagedThreadId;
                        before = GC.GetAllocatedBytesForCurrentThread();
                        break;
                    case Batch - 1 when thread == Environment.CurrentManagedThreadId:
                        least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
                        break;
                    case 0:
                        handled.Release();
                        break;
                }

                return default;
            },
            new AmqpConsumeOptions { NoAck = noAck });
        byte[] body = new byte[512];
        ulong tag = 0;
        for (long begin = Environment.TickCount64; least != 0 && Environment.TickCount64 - begin < Patience.TotalMilliseconds;)
        {
            ulong first = tag + 1;
            tag += Batch;
            await broker.SendAsync((output, number, consumer) => Deliver(output, number, consumer, first, Batch, body));
            Assert.True(await handled.WaitAsync(Patience));
        }

        Assert.Equal(0, least);
        Assert.Equal((long)tag * body.Length, bytes);
        handled.Dispose();
    }

    [Fact]
    public async Task A_message_that_is_handled_on_the_thread_pool_allocates_nothing()
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await ConnectAsync(broker);
        AmqpChannel channel = await connection.OpenChannelAsync(Held);
        var handled = new SemaphoreSlim(0);
        int count = 0;

        // Between two messages on one thread of the pool there is the end of the first and the beginning of the second. Where the loop
        // comes from is known as well: its handlers are called before and after the other messages.
        using var pool = new ThreadLocal<long>(static () => -1);
        long allocated = 0;
        long loop = 0;
        await channel.ConsumeAsync(
            "queue",
            _ =>
            {
                long now = GC.GetAllocatedBytesForCurrentThread();
                if (pool.Value >= 0)
                {
                    Interlocked.Add(ref allocated, now - pool.Value);
                }

                if (Interlocked.Increment(ref count) % Batch == 0)
                {
                    handled.Release();
                }

                pool.Value = GC.GetAllocatedBytesForCurrentThread();
                return default;
            },
            new AmqpConsumeOptions { Concurrency = 4, ConsumerTag = "pool" });
        await channel.ConsumeAsync(
            "queue",
            delivery =>
            {
                long now = GC.GetAllocatedBytesForCurrentThread();
                loop = delivery.Redelivered ? now - loop : now;
                return default;
            },
            new AmqpConsumeOptions { ConsumerTag = "loop", NoAck = true });
        byte[] body = new byte[512];
        ulong tag = 0;
        bool isClean = false;
        for (long begin = Environment.TickCount64; !isClean && Environment.TickCount64 - begin < Patience.TotalMilliseconds;)
        {
            Volatile.Write(ref allocated, 0);
            ulong first = tag + 1;
            tag += Batch + 2;
            await broker.SendAsync((output, number, _) =>
            {
                Deliver(output, number, "loop", first, 1, body);
                Deliver(output, number, "pool", first + 1, Batch, body);
                Deliver(output, number, "loop", tag, 1, body, redelivered: true);
            });
            Assert.True(await handled.WaitAsync(Patience));
            isClean = Volatile.Read(ref allocated) == 0 && Volatile.Read(ref loop) == 0;
        }

        Assert.True(isClean, $"{allocated} bytes on the pool, {loop} on the loop.");
        handled.Dispose();
    }

    [Fact]
    public async Task Acknowledgements_of_handlers_on_the_thread_pool_go_together()
    {
        const int Count = 5000;
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await ConnectAsync(broker);
        AmqpChannel channel = await connection.OpenChannelAsync(Held);
        var come = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var done = new Countdown(Count);
        AmqpConsumer consumer = await channel.ConsumeAsync(
            "queue",
            delivery =>
            {
                done.Signal();
                return delivery.DeliveryTag == 1 ? new ValueTask(come.Task) : default;
            },
            new AmqpConsumeOptions { Concurrency = 1, ConsumerTag = "pool" });
        await channel.ConsumeAsync(
            "queue",
            _ =>
            {
                come.SetResult();
                return default;
            },
            new AmqpConsumeOptions { ConsumerTag = "last", NoAck = true });
        int before = broker.Methods;
        await broker.SendAsync((output, number, _) =>
        {
            Deliver(output, number, "pool", 1, Count, new byte[512]);
            Deliver(output, number, "last", Count + 1, 1, []);
        });
        await done.Task.WaitAsync(Patience);
        await consumer.DisposeAsync().AsTask().WaitAsync(Patience);
        Assert.InRange(broker.Methods - before, 2, Count / 20);
    }

    [Fact]
    public async Task Handlers_are_called_in_the_order_of_the_messages_also_where_those_before_have_not_ended()
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await ConnectAsync(broker);
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = false });
        List<ulong> seen = [];
        var leave = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var entered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        AmqpConsumer consumer = await channel.ConsumeAsync("queue", async delivery =>
        {
            seen.Add(delivery.DeliveryTag);
            if (seen.Count == 1000)
            {
                entered.SetResult();
            }

            await leave.Task;
            Assert.Equal(delivery.DeliveryTag, BitConverter.ToUInt64(delivery.Body.ToArray()));
        });
        await broker.SendAsync((output, number, name) =>
        {
            for (ulong tag = 1; tag <= 1000; tag++)
            {
                Deliver(output, number, name, tag, 1, BitConverter.GetBytes(tag));
            }
        });
        await entered.Task.WaitAsync(Patience);
        Assert.Equal(Enumerable.Range(1, 1000).Select(tag => (ulong)tag), seen);
        leave.SetResult();
        await consumer.DisposeAsync().AsTask().WaitAsync(Patience);
    }

    private static AmqpChannelOptions Held { get; } = new() { Confirms = false, AckDelay = TimeSpan.FromMilliseconds(20) };

    private static Task<AmqpConnection> ConnectAsync(AmqpServer broker) => AmqpConnection.ConnectAsync(new AmqpConnectionOptions
    {
        Endpoints = [new BrokerEndpoint("127.0.0.1", broker.Port)],
        Recovery = RecoveryOptions.Off,
        Writing = AmqpServers.Writing,
    });

    private static void Deliver(
        IBufferWriter<byte> output, ushort channel, string consumer, ulong first, int count, byte[] body, bool redelivered = false)
    {
        var method = new BasicDeliver { ConsumerTag = consumer, Redelivered = redelivered, Exchange = "", RoutingKey = "queue" };
        for (ulong tag = first; tag < first + (ulong)count; tag++)
        {
            method.DeliveryTag = tag;
            FrameWriter.Write(output, channel, in method);
            FrameWriter.WriteContentHeader(output, channel, (ulong)body.Length, default(BasicProperties));
            FrameWriter.WriteBody(output, channel, body, 128 * 1024);
        }
    }
}
