using System.Buffers;
using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Consuming;

/// <summary>A consumer of a stream goes on behind what is settled when the connection was lost, in whichever way it settles.</summary>
public sealed class StreamRecoveryTests
{
    private static readonly AmqpQueueOptions Stream = new() { Arguments = new Dictionary<string, object?> { ["x-queue-type"] = "stream" } };

    private static readonly AmqpConsumeOptions Next =
        new() { Arguments = new Dictionary<string, object?> { ["x-stream-offset"] = "next" } };

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4)]
    public async Task What_is_published_before_during_and_after_an_outage_is_handled_once(int concurrency)
    {
        ConcurrentQueue<string> handled = [];
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using TestChannel tested = await TestChannel.OpenAsync(port: proxy.Port);
        await using TestChannel other = await TestChannel.OpenAsync();
        string queue = await DeclareAsync(other);
        await tested.Channel.ConsumeAsync(
            queue,
            delivery =>
            {
                handled.Enqueue(TestChannel.TextOf(delivery));
                return default;
            },
            Next with { Concurrency = concurrency }).InTime();
        await tested.Channel.SetPrefetchAsync(100).InTime();
        await other.PublishAsync(queue, Texts(0, 5));
        await UntilAsync(() => handled.Count == 5);
        await tested.BackAsync(async () =>
        {
            proxy.Refusing = true;
            proxy.CutAll();
            await other.PublishAsync(queue, Texts(5, 10));
            proxy.Refusing = false;
        });
        await other.PublishAsync(queue, Texts(10, 15));
        await UntilAsync(() => handled.Count >= 15);
        await other.Channel.Topology.DeleteQueueAsync(queue).InTime();
        Assert.Equal(Texts(0, 15).Order(), handled.Order());
    }

    [Theory]
    [InlineData(1, true)]
    [InlineData(1, false)]
    [InlineData(3, false)]
    public async Task What_no_handler_has_begun_with_at_the_loss_comes_again(int concurrency, bool throws)
    {
        ConcurrentQueue<string> handled = [];
        var begun = new Countdown(concurrency);
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await DeclareAsync(tested);
        await tested.Channel.SetPrefetchAsync(100).InTime();
        await tested.PublishAsync(queue, Texts(0, 10));
        await tested.Channel.ConsumeAsync(
            queue,
            async delivery =>
            {
                begun.Signal();
                await go.Task;
                if (throws && delivery.Lost.IsCancellationRequested)
                {
                    throw new OperationCanceledException(delivery.Lost);
                }

                handled.Enqueue(TestChannel.TextOf(delivery));
            },
            new AmqpConsumeOptions
            {
                Concurrency = concurrency,
                Arguments = new Dictionary<string, object?> { ["x-stream-offset"] = "first" },
                OnError = static (_, _) => { },
            }).InTime();
        await begun.Task.InTime();

        // All others wait behind those.
        await Task.Delay(TimeSpan.FromMilliseconds(300));
        AmqpConnection connection = tested.Connection;
        await tested.BackAsync(async () =>
        {
            var lost = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            connection.Lost += _ => lost.TrySetResult();
            connection.Link!.Lose(new IOException("Cut by the test."));
            await lost.Task.InTime();
            go.SetResult();
        });
        await UntilAsync(() => handled.Count >= 10);
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
        Assert.Equal(Texts(0, 10).Order(), handled.Order());
    }

    [Theory]
    [InlineData("multiple", 3)]
    [InlineData("single", 3)]
    [InlineData("rejected", 3)]
    [InlineData("requeued", 2)]
    [InlineData("not at all", 0)]
    public async Task It_goes_on_behind_the_last_of_those_that_are_all_settled(string how, int first)
    {
        ConcurrentQueue<(string Text, ulong Tag)> seen = [];
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await DeclareAsync(tested);
        await tested.PublishAsync(queue, Texts(0, 5));
        await tested.Channel.ConsumeAsync(
            queue,
            delivery =>
            {
                seen.Enqueue((TestChannel.TextOf(delivery), delivery.DeliveryTag));
                return default;
            },
            new AmqpConsumeOptions
            {
                AcknowledgeWhenHandled = false,
                Arguments = new Dictionary<string, object?> { ["x-stream-offset"] = "first" },
            }).InTime();
        await UntilAsync(() => seen.Count == 5);
        ulong[] tags = [.. seen.Select(each => each.Tag)];
        switch (how)
        {
            case "multiple":
                tested.Channel.Ack(tags[2], multiple: true);
                break;
            case "single":
                tested.Channel.Ack(tags[2]);
                tested.Channel.Ack(tags[0]);
                tested.Channel.Ack(tags[1]);
                break;
            case "rejected":
                tested.Channel.Reject(tags[0], requeue: false);
                tested.Channel.Nack(tags[2], multiple: true, requeue: false);
                break;
            case "requeued":
                tested.Channel.Ack(tags[1], multiple: true);
                tested.Channel.Reject(tags[2], requeue: true);
                break;
        }

        seen.Clear();
        await tested.LoseAsync();
        await UntilAsync(() => seen.Count >= 5 - first);
        await tested.PublishAsync(queue, "last");
        await UntilAsync(() => seen.Any(each => each.Text == "last"));
        await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
        Assert.Equal([.. Texts(first, 5), "last"], seen.Select(each => each.Text));
    }

    [Theory]
    [InlineData("invalid arg 'x-stream-offset' for queue 'queue' in vhost '/' of queue type rabbit_classic_queue", null)]
    [InlineData("stream queue 'queue' in vhost '/' does not have a running replica on the local node", 6L)]
    [InlineData("queue 'queue' in vhost '/' does not have a replica on the local node", 6L)]
    public async Task Where_the_broker_refuses_an_offset_it_is_consumed_again_without_if_it_is_no_stream(string refusal, long? offset)
    {
        var consumed = new TaskCompletionSource<FieldTable>(TaskCreationOptions.RunContinuationsAsynchronously);
        int starts = 0;
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            await peer.GreetAsync();
            while (true)
            {
                ushort channel = await peer.OpenChannelAsync();
                BasicConsume consume = await peer.ReadAsync<BasicConsume>();
                FieldTable arguments = new(consume.Arguments.Encoded.ToArray());
                Interlocked.Increment(ref starts);
                if (number == 0)
                {
                    await peer.SendAsync(
                        AmqpPeer.FrameOf(channel, new BasicConsumeOk { ConsumerTag = "copies" }),
                        AmqpPeer.FrameOf(channel, new BasicDeliver { ConsumerTag = "copies", DeliveryTag = 1 }),
                        HeaderWithOffset(channel, 5));
                    await peer.ExpectAsync<BasicAck>();
                    peer.Reset();
                    return;
                }

                if (starts == 2)
                {
                    Assert.Equal(6L, arguments.ToDictionary()["x-stream-offset"]);
                    await peer.SendAsync(channel, new ChannelClose { ReplyCode = 406, ReplyText = "PRECONDITION_FAILED - " + refusal });
                    await peer.ExpectAsync<ChannelCloseOk>();
                    continue;
                }

                await peer.SendAsync(channel, new BasicConsumeOk { ConsumerTag = "copies" });
                consumed.SetResult(arguments);
                await peer.AnswerAsync<BasicQos, BasicQosOk>();
                await peer.AnswerAsync<ChannelClose, ChannelCloseOk>();
                await peer.CloseAsync();
                return;
            }
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Recovering()).InTime();
        AmqpChannel opened = await connection.OpenChannelAsync().InTime();
        AmqpConsumer consumer = await opened.ConsumeAsync(
            "queue", static _ => default, new AmqpConsumeOptions { ConsumerTag = "copies" }).InTime();
        Assert.Equal(offset, (await consumed.Task.InTime()).ToDictionary().GetValueOrDefault("x-stream-offset"));

        // It waits for the channel, which would not be there to close.
        await opened.SetPrefetchAsync(1).InTime();
        Assert.Equal(3, starts);
        Assert.False(consumer.Completion.IsCompleted);
        await opened.DisposeAsync().AsTask().InTime();
    }

    private static byte[] HeaderWithOffset(ushort channel, long offset)
    {
        var output = new ArrayBufferWriter<byte>();
        var properties = new BasicProperties { Headers = FieldTable.Create([new("x-stream-offset", offset)]) };
        FrameWriter.WriteContentHeader(output, channel, 0, in properties);
        return output.WrittenSpan.ToArray();
    }

    private static async Task<string> DeclareAsync(TestChannel tested) =>
        (await tested.Channel.Topology.DeclareQueueAsync(Broker.UniqueName("stream"), Stream).InTime()).Name;

    private static string[] Texts(int first, int end) => [.. Enumerable.Range(first, end - first).Select(i => $"{i:00}")];

    private static async Task UntilAsync(Func<bool> holds)
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        while (!holds())
        {
            await Task.Delay(10, limit.Token);
        }
    }
}
