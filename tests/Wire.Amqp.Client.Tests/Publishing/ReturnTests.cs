using System.Buffers;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Publishing;

/// <summary>Messages that come back and messages that are refused.</summary>
public sealed class ReturnTests
{
    [Theory]
    [InlineData(FrameWriting.Background, 10)]
    [InlineData(FrameWriting.Inline, 10)]
    [InlineData(FrameWriting.Background, 300_000)]
    [InlineData(FrameWriting.Inline, 300_000)]
    public async Task The_messages_that_come_back_fail_and_no_others(FrameWriting writing, int size)
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        int count = size > 1000 ? 24 : 600;
        int bodies = 0;
        var returned = new Countdown(count / 3);
        tested.Channel.Returned += message =>
        {
            Interlocked.Add(ref bodies, (int)message.Body.Length);
            returned.Signal();
        };
        byte[] body = new byte[size];
        Task[] tasks = [.. Enumerable.Range(0, count).Select(number => tested.Channel.PublishBytesAsync(
            new BasicPublish { Exchange = "", RoutingKey = number % 3 == 1 ? $"{queue}-missing" : queue, Mandatory = true },
            new BasicProperties { MessageId = $"id {number}" },
            body,
            writing).AsTask())];
        for (int i = 0; i < count; i++)
        {
            if (i % 3 == 1)
            {
                AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => tasks[i].InTime());
                Assert.Equal((AmqpPublishFailure.Returned, 312), (error.Failure, (int)error.ReplyCode));
                Assert.Contains($"id {i} ", error.Message, StringComparison.Ordinal);
            }
            else
            {
                await tasks[i].InTime();
            }
        }

        await returned.Task.InTime();
        Assert.Equal(count / 3 * size, bodies);
        Assert.Equal((uint)(count - (count / 3)), await tested.CountAsync(queue));
    }

    [Theory]
    [InlineData(null, "The message to the exchange 'x'")]
    [InlineData("", "The message to the exchange 'x'")]
    [InlineData("id 7", "The message id 7 to the exchange 'x'")]
    public void A_message_is_named_by_what_it_has(string? id, string name) =>
        Assert.StartsWith(name, AmqpPublishException.Returned("x", "q", id, 312, "NO_ROUTE").Message, StringComparison.Ordinal);

    [Fact]
    public async Task Messages_with_equal_or_no_ids_are_told_apart_by_where_they_go()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        Task Publish(int number) => tested.Channel.PublishBytesAsync(
            new BasicPublish
            {
                Exchange = number % 4 < 2 ? "" : "amq.direct",
                RoutingKey = number % 4 == 0 ? queue : $"missing {number % 4}",
                Mandatory = number % 4 != 3,
            },
            number % 8 < 4 ? new BasicProperties { MessageId = "the same" } : default,
            "body"u8.ToArray()).AsTask();
        Task[] tasks = [.. Enumerable.Range(0, 400).Select(Publish)];
        for (int i = 0; i < tasks.Length; i++)
        {
            if (i % 4 is 1 or 2)
            {
                Assert.Equal(
                    AmqpPublishFailure.Returned, (await Assert.ThrowsAsync<AmqpPublishException>(() => tasks[i].InTime())).Failure);
            }
            else
            {
                // To a queue, or not mandatory: then a broker drops and confirms it.
                await tasks[i].InTime();
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Of_messages_that_are_alike_the_one_that_comes_back_fails(bool identifies)
    {
        // The binding has gone between the two: the first one is routed.
        List<string?> ids = [];
        await using LoopbackServer server = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            ushort channel = await peer.OpenChannelAsync();
            ids.Add(IdOf(await peer.MessageAsync()));
            ReceivedMessage second = await peer.MessageAsync();
            ids.Add(IdOf(second));
            var output = new ArrayBufferWriter<byte>();
            FrameWriter.Write(
                output, channel, new BasicReturn { ReplyCode = 312, ReplyText = "NO_ROUTE", Exchange = "x", RoutingKey = "k" });
            FrameWriter.WriteContentHeader(output, channel, 0, second.Properties);
            FrameWriter.Write(output, channel, new BasicAck { DeliveryTag = 2, Multiple = true });
            await peer.SendAsync(output.WrittenSpan.ToArray());
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { IdentifiesMandatory = identifies }).InTime();
        Task[] tasks = [.. Enumerable.Range(0, 2).Select(_ =>
            channel.PublishBytesAsync(new BasicPublish { Exchange = "x", RoutingKey = "k", Mandatory = true }, default, Array.Empty<byte>())
                .AsTask())];
        AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => tasks[identifies ? 1 : 0].InTime());
        await tasks[identifies ? 0 : 1].InTime();
        Assert.Equal(ids[1], error.MessageId);
        Assert.Equal(identifies ? 2 : 1, ids.Distinct().Count());

        static string? IdOf(ReceivedMessage message) => message.Properties.MessageId is { IsNull: false } id ? id.ToString() : null;
    }

    [Fact]
    public async Task Only_what_may_come_back_gets_an_id_and_a_programs_own_stays()
    {
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await broker.ConnectAsync().InTime();
        foreach ((bool confirms, bool mandatory, string? id, bool hasId) in
            new[] { (true, false, null, false), (true, true, "mine", true), (true, true, null, true), (false, true, null, false) })
        {
            AmqpChannel channel = await connection.OpenChannelAsync(new AmqpChannelOptions { Confirms = confirms }).InTime();
            await channel.PublishBytesAsync(
                new BasicPublish
                {
                    Exchange = "x",
                    RoutingKey = "k",
                    Mandatory = mandatory,
                }, new BasicProperties { MessageId = id }, Array.Empty<byte>()).AsTask().InTime();
            AmqpString found = (await broker.NextAsync()).Properties.MessageId;
            Assert.Equal(hasId, !found.IsNull);
            Assert.True(id is null || found == id);
        }
    }

    [Fact]
    public async Task Messages_that_a_full_queue_refuses_fail()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync(new Dictionary<string, object?> { ["x-max-length"] = 5, ["x-overflow"] = "reject-publish" });
        Task[] tasks = [.. Enumerable.Range(0, 200).Select(_ =>
            tested.Channel.PublishBytesAsync(new BasicPublish { Exchange = "", RoutingKey = queue }, default, "body"u8.ToArray())
                .AsTask())];
        uint taken = 0;
        foreach (Task task in tasks)
        {
            try
            {
                await task.InTime();
                taken++;
            }
            catch (AmqpPublishException e)
            {
                Assert.Equal(AmqpPublishFailure.Nacked, e.Failure);
            }
        }

        Assert.InRange(taken, 5u, 199u);
        Assert.Equal(taken, await tested.CountAsync(queue));
        Assert.True(tested.Channel.IsOpen);
    }
}
