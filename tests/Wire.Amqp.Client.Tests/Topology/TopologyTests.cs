using System.Diagnostics;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Client.Topology;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Topology;

/// <summary>Queues, exchanges and bindings at the broker.</summary>
public sealed class TopologyTests
{
    [Fact]
    public async Task Queues_are_declared_found_purged_and_deleted()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string name = Broker.UniqueName();
        Assert.Null(await tested.Channel.Topology.FindQueueAsync(name).InTime());
        Assert.Equal(new AmqpQueueInfo(name, 0, 0), await tested.Channel.Topology.DeclareQueueAsync(name).InTime());
        await tested.PublishAsync(name, "one", "two");
        Assert.Equal(new AmqpQueueInfo(name, 2, 0), await tested.Channel.Topology.FindQueueAsync(name).InTime());
        Assert.Equal(2u, await tested.Channel.Topology.PurgeQueueAsync(name).InTime());
        await tested.PublishAsync(name, "three");
        Assert.Equal(1u, await tested.Channel.Topology.DeleteQueueAsync(name).InTime());
        Assert.Null(await tested.Channel.Topology.FindQueueAsync(name).InTime());
        Assert.True(tested.Channel.IsOpen);
    }

    [Fact]
    public async Task The_broker_names_queues()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        AmqpQueueInfo one = await tested.Channel.Topology.DeclareQueueAsync().InTime();
        AmqpQueueInfo two = await tested.Channel.Topology.DeclareQueueAsync().InTime();
        Assert.NotEqual(one.Name, two.Name);
        await tested.PublishAsync(one.Name, "to one");
        Assert.Equal("to one", await tested.TakeAsync(one.Name));
        Assert.Null(await tested.TakeAsync(two.Name));
    }

    [Fact]
    public async Task A_queue_that_the_broker_names_when_nobody_waits_for_it_any_more_is_deleted()
    {
        var asked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var cancelled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var deleted = new TaskCompletionSource<QueueDelete>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using LoopbackServer server = AmqpServers.Scripted(async (peer, _) =>
        {
            await peer.GreetAsync();
            ushort channel = await peer.OpenChannelAsync();
            await peer.ReadAsync<QueueDeclare>();
            asked.SetResult();
            await cancelled.Task;
            await peer.SendAsync(channel, new QueueDeclareOk { Queue = "amq.gen-1" });
            deleted.SetResult(await peer.ReadAsync<QueueDelete>());

            // One that is waited for stays.
            await peer.AnswerAsync<QueueDeclare, QueueDeclareOk>(new QueueDeclareOk { Queue = "amq.gen-2" });
            await peer.AnswerAsync<QueuePurge, QueuePurgeOk>();
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(server.Options()).InTime();
        AmqpChannel opened = await connection.OpenChannelAsync().InTime();
        using var cancellation = new CancellationTokenSource();
        Task<AmqpQueueInfo> declaring = opened.Topology.DeclareQueueAsync(cancellationToken: cancellation.Token);
        await asked.Task.InTime();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => declaring.InTime());
        cancelled.SetResult();
        QueueDelete delete = await deleted.Task.InTime();
        Assert.Equal(("amq.gen-1", true), (delete.Queue.ToString(), delete.NoWait));
        Assert.Empty(connection.Topology.QueuesMissingOn(null!));
        Assert.Equal("amq.gen-2", (await opened.Topology.DeclareQueueAsync().InTime()).Name);
        await opened.Topology.PurgeQueueAsync("amq.gen-2").InTime();
    }

    [Fact]
    public async Task A_queue_that_is_there_and_otherwise_ends_the_channel()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        AmqpChannelException error = await Assert.ThrowsAsync<AmqpChannelException>(
            () => tested.Channel.Topology.DeclareQueueAsync(queue, AmqpQueueOptions.Temporary with { AutoDelete = true }).InTime());
        Assert.Equal((406, MethodId.QueueDeclare), (error.Reason.ReplyCode, error.Reason.Cause));
        Assert.False(tested.Channel.IsOpen);
        await Assert.ThrowsAsync<AmqpChannelException>(() => tested.Channel.Topology.PurgeQueueAsync(queue).InTime());
    }

    [Fact]
    public async Task Queues_with_messages_or_consumers_stay_where_that_was_asked()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        await tested.PublishAsync(queue, "one");
        AmqpChannel other = await tested.Connection.OpenChannelAsync().InTime();
        Assert.Equal(
            406,
            (await Assert.ThrowsAsync<AmqpChannelException>(() => other.Topology.DeleteQueueAsync(queue, ifEmpty: true).InTime()))
                .Reason.ReplyCode);
        other = await tested.Connection.OpenChannelAsync().InTime();
        await tested.Channel.ConsumeAsync(queue, static _ => default).InTime();
        Assert.Equal(406, (await Assert.ThrowsAsync<AmqpChannelException>(
            () => other.Topology.DeleteQueueAsync(queue, ifUnused: true).InTime())).Reason.ReplyCode);
        Assert.NotNull(await tested.Channel.Topology.FindQueueAsync(queue).InTime());
    }

    [Fact]
    public async Task An_exclusive_queue_is_locked_for_other_connections()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        await using TestChannel other = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        Assert.Equal(
            405,
            (await Assert.ThrowsAsync<AmqpChannelException>(() => other.Channel.Topology.FindQueueAsync(queue).InTime())).Reason.ReplyCode);
        Assert.True(other.Channel.IsOpen);
        Assert.Equal(405, (await Assert.ThrowsAsync<AmqpChannelException>(
            () => other.Channel.ConsumeAsync(queue, static _ => default).InTime())).Reason.ReplyCode);
    }

    [Fact]
    public async Task Exchanges_route_by_their_bindings_until_they_are_taken_back()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = await tested.QueueAsync();
        (string first, string second) = (Broker.UniqueName(), Broker.UniqueName());
        Assert.False(await tested.Channel.Topology.FindExchangeAsync(first).InTime());
        var options = new AmqpExchangeOptions { Durable = false };
        await tested.Channel.Topology.DeclareExchangeAsync(first, "topic", options).InTime();
        await tested.Channel.Topology.DeclareExchangeAsync(second, "headers", options).InTime();
        Assert.True(await tested.Channel.Topology.FindExchangeAsync(first).InTime());
        await tested.Channel.Topology.BindExchangeAsync(second, first, "order.*").InTime();
        var match = new Dictionary<string, object?> { ["x-match"] = "all", ["kind"] = "gift" };
        await tested.Channel.Topology.BindQueueAsync(queue, second, arguments: match).InTime();
        var gift = new BasicProperties { Headers = FieldTable.Create(new Dictionary<string, object?> { ["kind"] = "gift" }) };
        async Task PublishAsync(BasicProperties properties, string key) =>
            await tested.Channel.PublishBytesAsync(new BasicPublish { Exchange = first, RoutingKey = key }, properties, "body"u8.ToArray())
                .AsTask().InTime();
        await PublishAsync(gift, "order.placed");
        await PublishAsync(gift, "parcel.placed");
        await PublishAsync(default, "order.placed");
        Assert.Equal(1u, await tested.CountAsync(queue));

        await tested.Channel.Topology.UnbindQueueAsync(queue, second, arguments: match).InTime();
        await PublishAsync(gift, "order.placed");
        Assert.Equal(1u, await tested.CountAsync(queue));
        await tested.Channel.Topology.BindQueueAsync(queue, second, arguments: match).InTime();
        await tested.Channel.Topology.UnbindExchangeAsync(second, first, "order.*").InTime();
        await PublishAsync(gift, "order.placed");
        Assert.Equal(1u, await tested.CountAsync(queue));

        await tested.Channel.Topology.DeleteExchangeAsync(first).InTime();
        await tested.Channel.Topology.DeleteExchangeAsync(second).InTime();
        Assert.False(await tested.Channel.Topology.FindExchangeAsync(first).InTime());
    }

    [Fact]
    public async Task What_was_declared_is_restored_on_another_link_and_what_was_deleted_is_not()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        string exchange = Broker.UniqueName();
        await tested.Channel.Topology
            .DeclareExchangeAsync(exchange, "direct", new AmqpExchangeOptions { Durable = false, AutoDelete = true })
            .InTime();
        string named = (await tested.Channel.Topology.DeclareQueueAsync().InTime()).Name;
        string gone = await tested.QueueAsync();
        string kept = Broker.UniqueName();
        await tested.Channel.Topology.DeclareQueueAsync(kept, new AmqpQueueOptions { Durable = false, AutoDelete = true }).InTime();
        await tested.Channel.Topology.BindQueueAsync(named, exchange, "key").InTime();
        await tested.Channel.Topology.BindQueueAsync(kept, exchange, "other").InTime();
        await tested.Channel.Topology.BindQueueAsync(kept, exchange, "unbound").InTime();
        await tested.Channel.Topology.UnbindQueueAsync(kept, exchange, "unbound").InTime();
        await tested.Channel.Topology.DeleteQueueAsync(gone).InTime();
        DeclaredTopology topology = tested.Connection.Topology;

        // The first connection is there all the while: what is exclusive is locked, and gets another name where the broker gives it.
        await using TestChannel other = await TestChannel.OpenAsync();
        await other.Channel.Topology.DeleteQueueAsync(kept).InTime();
        TopologyRestored restored = await topology.RestoreAsync(other.Connection.Link!, CancellationToken.None).InTime();
        Assert.Empty(restored.Refused);
        Assert.Empty(restored.Locked);
        (string from, string to) = Assert.Single(restored.Renamed);
        Assert.Equal(named, from);
        Assert.Equal(to, topology.NameOf(named));
        foreach (string key in (string[])["key", "other", "unbound"])
        {
            await other.Channel.PublishBytesAsync(new BasicPublish { Exchange = exchange, RoutingKey = key }, default, "body"u8.ToArray())
                .AsTask().InTime();
        }

        Assert.Equal(1u, await other.CountAsync(to));
        Assert.Equal(1u, await other.CountAsync(kept));
        Assert.Null(await other.Channel.Topology.FindQueueAsync(gone).InTime());
        Assert.Empty((await topology.RestoreAsync(other.Connection.Link!, CancellationToken.None).InTime()).Renamed);
        await other.Channel.Topology.DeleteQueueAsync(kept).InTime();
    }

    [Fact]
    public async Task A_queue_that_is_locked_is_restored_later_and_what_is_refused_keeps_nothing_else_from_it()
    {
        TestChannel tested = await TestChannel.OpenAsync();
        string locked = await tested.QueueAsync();
        (string refused, string exchange) = (Broker.UniqueName(), Broker.UniqueName());
        await tested.Channel.Topology.DeclareQueueAsync(refused).InTime();
        await tested.Channel.Topology
            .DeclareExchangeAsync(exchange, "fanout", new AmqpExchangeOptions { Durable = false, AutoDelete = true })
            .InTime();
        await tested.Channel.Topology.BindQueueAsync(locked, exchange).InTime();
        await tested.Channel.Topology.BindQueueAsync(refused, exchange).InTime();
        DeclaredTopology topology = tested.Connection.Topology;

        await using TestChannel other = await TestChannel.OpenAsync();
        await other.Channel.Topology.DeleteQueueAsync(refused).InTime();
        await other.Channel.Topology.DeclareQueueAsync(refused, new AmqpQueueOptions { Durable = false }).InTime();
        TopologyRestored restored = await topology.RestoreAsync(other.Connection.Link!, CancellationToken.None).InTime();
        Assert.Equal([locked], restored.Locked);
        AmqpChannelException error = Assert.Single(restored.Refused);
        Assert.Equal(406, error.Reason.ReplyCode);
        Assert.Contains(refused, error.Message, StringComparison.Ordinal);

        await tested.DisposeAsync();
        var waiting = Stopwatch.StartNew();
        do
        {
            // RabbitMQ 4.3 answers before the queue is free.
            Assert.True(waiting.Elapsed < Patience.Limit);
            restored = await topology.RestoreAsync(other.Connection.Link!, CancellationToken.None).InTime();
            Assert.Empty(restored.Refused);
        }
        while (restored.Locked.Count > 0);
        await other.Channel.PublishBytesAsync(new BasicPublish { Exchange = exchange }, default, "body"u8.ToArray()).AsTask().InTime();
        Assert.Equal((1u, 1u), (await other.CountAsync(locked), await other.CountAsync(refused)));
        await other.Channel.Topology.DeleteQueueAsync(refused).InTime();
    }

    [Fact]
    public async Task What_has_deleted_itself_after_it_was_declared_anew_is_declared_once_more()
    {
        await using TestChannel tested = await TestChannel.OpenAsync();
        (string exchange, string queue) = (Broker.UniqueName(), Broker.UniqueName());
        await tested.Channel.Topology
            .DeclareExchangeAsync(exchange, "fanout", new AmqpExchangeOptions { Durable = false, AutoDelete = true })
            .InTime();
        await tested.Channel.Topology.DeclareQueueAsync(queue, new AmqpQueueOptions { Durable = false, AutoDelete = true }).InTime();
        await tested.Channel.Topology.BindQueueAsync(queue, exchange).InTime();
        DeclaredTopology topology = tested.Connection.Topology;

        // As if both had been there when they were declared anew.
        await using TestChannel other = await TestChannel.OpenAsync();
        await other.Channel.Topology.DeleteQueueAsync(queue).InTime();
        Assert.False(await other.Channel.Topology.FindExchangeAsync(exchange).InTime());
        Link link = other.Connection.Link!;
        topology.Settle(Assert.Single(topology.ExchangesMissingOn(link)), link);
        topology.Settle(Assert.Single(topology.QueuesMissingOn(link)), queue, link);
        Assert.Empty((await topology.RestoreAsync(link, CancellationToken.None).InTime()).Refused);
        await other.Channel.PublishBytesAsync(new BasicPublish { Exchange = exchange }, default, "body"u8.ToArray()).AsTask().InTime();
        Assert.Equal(1u, await other.CountAsync(queue));
        await other.Channel.Topology.DeleteQueueAsync(queue).InTime();
    }
}
