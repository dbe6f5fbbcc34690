using System.Buffers;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Transport.Pending;
using Wire.Transport.Segments;

namespace Wire.Amqp.Client.Tests.Consuming;

public sealed class AmqpDeliveryTests : IDisposable
{
    private const int FrameMax = 4096;

    private readonly SegmentPool _pool = new();
    private readonly ReceiveBuffer _buffer;
    private readonly Receiver _receiver;
    private readonly Queue<AmqpDelivery> _delivered = new();
    private readonly AmqpBody _body = new(new Serializer());

    public AmqpDeliveryTests()
    {
        _buffer = new ReceiveBuffer(_pool);
        _receiver = new Receiver(_buffer, new DeliveryPool(_body), FrameMax, _delivered.Enqueue);
    }

    public void Dispose() => _buffer.Dispose();

    [Fact]
    public void After_it_has_been_given_back_it_never_shows_the_next_message()
    {
        AmqpDelivery first = Receive(SentMessage.OfSize(1, 100));
        first.Dispose();
        AssertGivenBack(first);

        // The same memory and the same object, and another message.
        SentMessage sent = SentMessage.OfSize(2, 100);
        AmqpDelivery second = Receive(sent);
        AssertGivenBack(first);
        first.Dispose();
        first.EndHandler();
        Assert.NotEqual(first, second);
        sent.AssertEqual(second);
        second.Ack();
        Assert.Equal([(2UL, Settlement.Ack)], _receiver.Settled);
    }

    [Fact]
    public void None_is_one_that_has_been_given_back()
    {
        AssertGivenBack(default);
        default(AmqpDelivery).Dispose();
    }

    [Fact]
    public void What_the_broker_is_told_first_holds()
    {
        AmqpDelivery[] deliveries = [.. Enumerable.Range(1, 4).Select(tag => Receive(SentMessage.OfSize((ulong)tag, 10)))];
        deliveries[0].Ack();
        deliveries[0].Reject(requeue: true);
        deliveries[1].Reject(requeue: false);
        deliveries[1].Ack();
        deliveries[2].Nack(requeue: true);
        deliveries[3].Nack(requeue: false);
        Assert.Equal(
            [(1UL, Settlement.Ack), (2UL, Settlement.Reject), (3UL, Settlement.Requeue), (4UL, Settlement.Reject)], _receiver.Settled);
    }

    [Fact]
    public void It_is_over_with_its_handler_unless_that_has_kept_it()
    {
        AmqpDelivery one = Receive(SentMessage.OfSize(1, 100));
        one.EndHandler();
        AssertGivenBack(one);

        SentMessage sent = SentMessage.OfSize(2, 100);
        AmqpDelivery kept = Receive(sent);
        kept.Keep();
        kept.Ack();
        kept.EndHandler();
        sent.AssertEqual(kept);
        kept.Dispose();
        AssertGivenBack(kept);

        // And the next one is not kept.
        AmqpDelivery next = Receive(SentMessage.OfSize(3, 100));
        next.EndHandler();
        AssertGivenBack(next);
    }

    [Fact]
    public void The_object_is_read_from_the_parts_of_the_body()
    {
        string text = string.Concat(Enumerable.Range(0, 30_000));
        var output = new AmqpBuffer();
        _body.Write(output, 1, new BasicDeliver { DeliveryTag = 1, ConsumerTag = "c" }, default, text, FrameMax);
        _receiver.Receive(output.Written.ToArray());
        AmqpDelivery delivery = _delivered.Dequeue();
        Assert.False(delivery.Body.IsSingleSegment);
        Assert.Equal(text, delivery.Read<string>());
        delivery.Dispose();
    }

    [Fact]
    public void It_serves_the_answer_to_get()
    {
        AmqpDelivery delivery =
            Receive(new BasicGetOk { DeliveryTag = 5, Redelivered = true, Exchange = "e", RoutingKey = "k", MessageCount = 12 });
        Assert.True(delivery.ConsumerTag.IsNull);
        Assert.Equal((5UL, true, 12U), (delivery.DeliveryTag, delivery.Redelivered, delivery.MessageCount));
        Assert.Equal(
            ("e", "k", "body"), (delivery.Exchange.ToString(), delivery.RoutingKey.ToString(), delivery.Properties.MessageId.ToString()));
        delivery.Ack();
        Assert.Equal([(5UL, Settlement.Ack)], _receiver.Settled);
    }

    [Fact]
    public void It_serves_a_message_that_has_come_back()
    {
        AmqpDelivery delivery = Receive(new BasicReturn { ReplyCode = 312, ReplyText = "NO_ROUTE", Exchange = "e", RoutingKey = "k" });
        Assert.Equal((312, "NO_ROUTE"), (delivery.ReplyCode, delivery.ReplyText.ToString()));
        Assert.Equal(("e", "k"), (delivery.Exchange.ToString(), delivery.RoutingKey.ToString()));
        Assert.Throws<InvalidOperationException>(delivery.Ack);
        Assert.Empty(_receiver.Settled);
        delivery.Dispose();
        Assert.Throws<ObjectDisposedException>(delivery.Ack);
    }

    [Fact]
    public void A_client_is_not_published_to() =>
        Assert.Throws<ArgumentException>(() => Receive(new BasicPublish { Exchange = "e", RoutingKey = "k" }));

    [Fact]
    public async Task Settling_one_while_it_is_given_back_never_settles_another()
    {
        // Two objects, over and over: a settlement that came late would be of a message that was kept from settling.
        for (ulong tag = 1; tag <= 600; tag += 2)
        {
            AmqpDelivery delivery = Receive(SentMessage.OfSize(tag, 10));
            using var begin = new Barrier(2);
            var settling = Task.Run(() =>
            {
                begin.SignalAndWait();
                try
                {
                    delivery.Ack();
                    return true;
                }
                catch (ObjectDisposedException)
                {
                    return false;
                }
            });
            begin.SignalAndWait();
            delivery.Dispose();
            AmqpDelivery next = Receive(SentMessage.OfSize(tag + 1, 10));
            bool settled = await settling;
            Assert.Equal(settled ? [(tag, Settlement.Ack)] : [], _receiver.Settled);
            next.Dispose();
            _receiver.Settled.Clear();
        }

        Assert.Equal(1, _pool.Lent);
    }

    private static void AssertGivenBack(AmqpDelivery delivery)
    {
        Action[] uses =
        [
            () => _ = delivery.ConsumerTag, () => _ = delivery.DeliveryTag, () => _ = delivery.Redelivered, () => _ = delivery.Exchange,
            () => _ = delivery.RoutingKey, () => _ = delivery.MessageCount, () => _ = delivery.ReplyCode, () => _ = delivery.ReplyText,
            () => _ = delivery.Properties, () => _ = delivery.Body, () => delivery.Read<object>(),
            delivery.Ack, () => delivery.Nack(true), () => delivery.Reject(false), delivery.Keep,
        ];
        Assert.All(
            uses, use =>
                Assert.Contains("not valid any more", Assert.Throws<ObjectDisposedException>(use).Message, StringComparison.Ordinal));
    }

    private AmqpDelivery Receive(SentMessage message)
    {
        _receiver.Receive(message.ToBytes(1, FrameMax));
        return _delivered.Dequeue();
    }

    private AmqpDelivery Receive<TMethod>(TMethod method)
        where TMethod : struct, IMethod<TMethod>
    {
        var output = new ArrayBufferWriter<byte>();
        FrameWriter.Write(output, 1, in method);
        FrameWriter.WriteContentHeader(output, 1, 4, new BasicProperties { MessageId = "body" });
        FrameWriter.WriteBody(output, 1, "body"u8, FrameMax);
        _receiver.Receive(output.WrittenSpan);
        return _delivered.Dequeue();
    }
}
