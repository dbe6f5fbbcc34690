using System.Threading.Channels;
using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Transport.Segments;

namespace Wire.Amqp.Client.Tests.Consuming;

/// <summary>
/// Buffer, leases and deliveries together: what was received stays as it was sent for as long as somebody keeps it, and all memory comes
/// back.
/// </summary>
public sealed class ReceivingTests
{
    private const int FrameMax = 4096;

    private static readonly AmqpBody Wire = new(new Serializer());

    [Fact]
    public void What_is_kept_stays_as_it_was_sent_whatever_is_received_after_it() => Prop.ForAll(
        Gen.Choose(0, int.MaxValue - 1).ToArbitrary(),
        seed =>
        {
            var random = new Random(seed);
            int frameMax = random.Next(4) switch { 0 => 256, 1 => FrameMax, 2 => 100_000, _ => 400_000 };
            Stream stream = Stream.Random(random, random.Next(1, 120), frameMax);
            var pool = new SegmentPool(random.Next(1, 8));
            var deliveries = new DeliveryPool(Wire);
            var kept = new List<AmqpDelivery>();
            int delivered = 0;
            int mostKept = random.Next(30);
            using (var buffer = new ReceiveBuffer(pool))
            {
                var receiver = new Receiver(buffer, deliveries, frameMax, delivery =>
                {
                    delivered++;
                    stream.Messages[delivery.DeliveryTag].AssertEqual(delivery);
                    kept.Add(delivery);
                    while (kept.Count > mostKept || (kept.Count > 0 && random.Next(4) == 0))
                    {
                        int at = random.Next(kept.Count);
                        AmqpDelivery one = kept[at];
                        kept.RemoveAt(at);
                        stream.Messages[one.DeliveryTag].AssertEqual(one);
                        one.Dispose();
                        one.Dispose();
                    }
                });
                for (int at = 0; at < stream.Bytes.Length;)
                {
                    int count = Math.Min(
                        random.Next(5) switch { 0 => random.Next(1, 20), 1 => random.Next(1, 5000), _ => random.Next(1, 300_000) },
                        stream.Bytes.Length - at);
                    receiver.Receive(stream.Bytes.AsSpan(at, count), random.Next(1, 100_000));
                    at += count;
                }
            }

            Assert.Equal(stream.Messages.Count, delivered);
            foreach (AmqpDelivery one in kept)
            {
                stream.Messages[one.DeliveryTag].AssertEqual(one);
                one.Dispose();
            }

            Assert.Equal(0, pool.Lent);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public async Task Handlers_on_other_threads_see_what_was_sent_and_give_all_of_it_back()
    {
        Stream stream = Stream.Random(new Random(7), 1500, FrameMax);
        var pool = new SegmentPool(4);
        var deliveries = new DeliveryPool(Wire);
        Channel<AmqpDelivery> handed = Channel.CreateBounded<AmqpDelivery>(100);
        Task<int>[] handlers = [.. Enumerable.Range(0, 3).Select(_ => Task.Run(async () =>
        {
            int count = 0;
            await foreach (AmqpDelivery delivery in handed.Reader.ReadAllAsync())
            {
                stream.Messages[delivery.DeliveryTag].AssertEqual(delivery);
                delivery.Ack();
                delivery.Dispose();
                Assert.Throws<ObjectDisposedException>(() => delivery.Body);
                count++;
            }

            return count;
        }))];

        var random = new Random(8);
        using (var buffer = new ReceiveBuffer(pool))
        {
            var receiver = new Receiver(buffer, deliveries, FrameMax, delivery =>
            {
                while (!handed.Writer.TryWrite(delivery))
                {
                    Assert.DoesNotContain(handlers, handler => handler.IsCompleted);
                    Thread.Yield();
                }
            });
            for (int at = 0, count; at < stream.Bytes.Length; at += count)
            {
                count = Math.Min(random.Next(1, 100_000), stream.Bytes.Length - at);
                receiver.Receive(stream.Bytes.AsSpan(at, count));
            }

            handed.Writer.Complete();
            Assert.Equal(stream.Messages.Count, (await Task.WhenAll(handlers)).Sum());
            Assert.Equal(stream.Messages.Keys.Order(), receiver.Settled.Select(settled => settled.Tag).Order());
        }

        Assert.Equal(0, pool.Lent);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(300)]
    public void In_steady_state_nothing_is_allocated(int keep)
    {
        byte[] bytes = [.. Enumerable.Range(1, 400).SelectMany(
            tag => SentMessage.OfSize((ulong)tag, tag % 10 == 0 ? 20_000 : 512).ToBytes(1, FrameMax))];
        var deliveries = new DeliveryPool(Wire);
        var kept = new Queue<AmqpDelivery>();
        using var buffer = new ReceiveBuffer(new SegmentPool(100));
        long read = 0;
        var receiver = new Receiver(buffer, deliveries, FrameMax, delivery =>
        {
            read += delivery.Body.Length + delivery.RoutingKey.ByteCount + (delivery.Properties.Priority ?? 0);
            kept.Enqueue(delivery);
            while (kept.Count > keep)
            {
                kept.Dequeue().Dispose();
            }
        });
        Allocations.AssertNone(() => receiver.Receive(bytes, 50_000));
        Assert.True(read > 0);
    }

    [Fact]
    public void A_message_whose_frames_come_one_by_one_among_many_others_is_copied()
    {
        var pool = new SegmentPool(4);
        using var buffer = new ReceiveBuffer(pool);
        var received = new List<AmqpDelivery>();
        SentMessage slow = SentMessage.OfSize(1, 200);
        byte[] other = SentMessage.OfSize(2, 70_000).ToBytes(2, FrameMax);
        int most = 0;
        var receiver = new Receiver(buffer, new DeliveryPool(Wire), FrameMax, delivery =>
        {
            if (delivery.DeliveryTag == 1)
            {
                received.Add(delivery);
            }
            else
            {
                delivery.Dispose();
            }
        });
        foreach (byte[] frame in slow.ToFrames(1, frameMax: 9))
        {
            receiver.Receive(frame);
            receiver.Receive(other, 30_000);
            most = Math.Max(most, pool.Lent);
        }

        // Four segments of the message, the one that is received into and the two of the message that comes meanwhile.
        Assert.InRange(most, 4, 7);
        slow.AssertEqual(Assert.Single(received));
        received[0].Dispose();
        Assert.Equal(1, pool.Lent);
    }

    [Fact]
    public void Small_messages_that_are_kept_among_many_others_do_not_hold_a_segment_each()
    {
        const int Capacity = 8;
        var pool = new SegmentPool(Capacity);
        var deliveries = new DeliveryPool(Wire);
        SentMessage[] small = [.. Enumerable.Range(1, 100).Select(tag => SentMessage.OfSize((ulong)tag, tag % 3 * 100))];
        byte[] other = SentMessage.OfSize(1000, 70_000).ToBytes(2, FrameMax);
        var kept = new List<AmqpDelivery>();
        int most = 0;
        using (var buffer = new ReceiveBuffer(pool))
        {
            var receiver = new Receiver(buffer, deliveries, FrameMax, delivery =>
            {
                if (delivery.DeliveryTag <= 100)
                {
                    kept.Add(delivery);
                }
                else
                {
                    delivery.Dispose();
                }
            });
            foreach (SentMessage message in small)
            {
                receiver.Receive(message.ToBytes(1, frameMax: 90));
                receiver.Receive(other);
                most = Math.Max(most, pool.Lent);
            }
        }

        // And the one that is received into, and those of the message that comes meanwhile.
        Assert.InRange(most, Capacity, Capacity + 3);
        Assert.Equal(100, kept.Count);
        for (int i = 0; i < 100; i++)
        {
            small[i].AssertEqual(kept[i]);
            kept[i].Dispose();
        }

        Assert.Equal(0, pool.Lent);
    }

    [Fact]
    public void A_connection_that_ends_within_a_message_lets_go_of_it()
    {
        var pool = new SegmentPool();
        byte[] bytes = SentMessage.OfSize(1, 200_000).ToBytes(1, FrameMax);
        var buffer = new ReceiveBuffer(pool);
        var receiver = new Receiver(buffer, new DeliveryPool(Wire), FrameMax, _ => Assert.Fail("The message is not complete."));
        receiver.Receive(bytes.AsSpan(0, 150_000));
        buffer.Dispose();
        Assert.Equal(3, pool.Lent);
        receiver.Abandon();
        Assert.Equal(0, pool.Lent);
    }

    /// <summary>Messages on several channels, whose frames come in any order among each other.</summary>
    private sealed record Stream(Dictionary<ulong, SentMessage> Messages, byte[] Bytes)
    {
        public static Stream Random(Random random, int count, int frameMax)
        {
            Dictionary<ulong, SentMessage> messages = [];
            Queue<byte[]>[] channels = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => new Queue<byte[]>())];
            for (ulong tag = 1; tag <= (ulong)count; tag++)
            {
                int size =
                    random.Next(6) switch { 0 => 0, 1 => random.Next(1, 10), 2 => random.Next(1, 70_000), _ => random.Next(1, 2000) };
                messages[tag] = SentMessage.OfSize(tag, size);
                int channel = random.Next(channels.Length);
                foreach (byte[] frame in messages[tag].ToFrames((ushort)(channel + 1), frameMax))
                {
                    channels[channel].Enqueue(frame);
                }
            }

            using var bytes = new MemoryStream();
            while (channels.Where(channel => channel.Count > 0).ToArray() is { Length: > 0 } open)
            {
                Queue<byte[]> channel = open[random.Next(open.Length)];
                for (int frames = random.Next(1, 6); frames > 0 && channel.TryDequeue(out byte[]? frame); frames--)
                {
                    bytes.Write(frame);
                }

                if (random.Next(20) == 0)
                {
                    bytes.Write([8, 0, 0, 0, 0, 0, 0, 0xCE]);
                }
            }

            return new Stream(messages, bytes.ToArray());
        }
    }
}
