using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>A message that fails says why, and the others do not.</summary>
public abstract class PublishFailureTests(WireTransport transport) : PublisherTest(transport)
{
    [Fact]
    public async Task What_cannot_be_routed_comes_back_and_only_that_fails()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxChannels = 1 });
        string nowhere = Broker.UniqueName();
        Task[] tasks = [.. Enumerable.Range(0, 300).Select(
            i => OrderAsync(publisher, i % 3 == 0 ? nowhere : Queue, new PublishOptions { MessageId = $"id {i}" }))];

        for (int i = 0; i < tasks.Length; i++)
        {
            if (i % 3 != 0)
            {
                await tasks[i].InTime();
                continue;
            }

            AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => tasks[i].InTime());
            Assert.Equal((AmqpPublishFailure.Returned, "", nowhere, $"id {i}", 312, "NO_ROUTE"),
                (error.Failure, error.Exchange, error.RoutingKey, error.MessageId, error.ReplyCode, error.ReplyText));
            Assert.Contains(nowhere, error.Message, StringComparison.Ordinal);
        }

        await AssertCountAsync(200);
    }

    [Fact]
    public async Task What_cannot_be_routed_is_dropped_where_that_is_asked_for()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer, new WirePublisherOptions { Mandatory = false });
        await OrderAsync(publisher, Broker.UniqueName()).InTime();
        AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(
            () => OrderAsync(publisher, Broker.UniqueName(), new PublishOptions { Mandatory = true }).InTime());
        Assert.Equal(AmqpPublishFailure.Returned, error.Failure);
    }

    [Fact]
    public async Task Of_two_with_the_same_id_the_one_that_came_back_fails()
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        var same = new PublishOptions { MessageId = "same" };
        string nowhere = Broker.UniqueName();
        Task dropped = OrderAsync(publisher, nowhere, same with { Mandatory = false });
        Task returned = OrderAsync(publisher, nowhere, same);
        Task there = OrderAsync(publisher, Queue, same);

        await dropped.InTime();
        await Assert.ThrowsAsync<AmqpPublishException>(() => returned.InTime());
        await there.InTime();
    }

    [Fact]
    public async Task What_a_full_queue_rejects_is_nacked_and_only_that()
    {
        string full = Broker.UniqueName();
        await Watching.QueueDeclareAsync(
            full,
            durable: false,
            exclusive: true,
            autoDelete: false,
            new Dictionary<string, object?> { ["x-max-length"] = 10, ["x-overflow"] = "reject-publish" }).InTime();
        await using var publisher = Connection.Publisher(Shop.Serializer);
        for (int i = 0; i < 10; i++)
        {
            await OrderAsync(publisher, full).InTime();
        }

        Task[] tasks = [.. Enumerable.Range(0, 100).Select(i => OrderAsync(publisher, i % 2 == 0 ? full : Queue))];
        for (int i = 0; i < tasks.Length; i++)
        {
            if (i % 2 == 0)
            {
                AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => tasks[i].InTime());
                Assert.Equal((AmqpPublishFailure.Nacked, full), (error.Failure, error.RoutingKey));
            }
            else
            {
                await tasks[i].InTime();
            }
        }

        await AssertCountAsync(50);
    }

    [Fact]
    public async Task An_exchange_that_is_not_there_fails_its_message_with_the_reason_and_publishing_goes_on()
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        string missing = Broker.UniqueName();
        for (int i = 0; i < 3; i++)
        {
            AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(
                () => publisher.PublishAsync(missing, "key", 1).AsTask().InTime());
            Assert.Equal((AmqpPublishFailure.Refused, missing, 404), (error.Failure, error.Exchange, error.ReplyCode));
            Assert.Contains(missing, error.ReplyText, StringComparison.Ordinal);
            Assert.Contains("NOT_FOUND", error.Message, StringComparison.Ordinal);
            await OrderAsync(publisher, Queue).InTime();
        }

        await AssertCountAsync(3);
    }

    [Fact]
    public async Task A_user_id_of_somebody_else_fails_its_message_with_the_reason_and_publishing_goes_on()
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        for (int i = 0; i < 3; i++)
        {
            AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(
                () => OrderAsync(publisher, Queue, new PublishOptions { UserId = "somebody else" }).InTime());
            Assert.Equal((AmqpPublishFailure.Refused, Queue, 406), (error.Failure, error.RoutingKey, error.ReplyCode));
            Assert.Contains("somebody else", error.ReplyText, StringComparison.Ordinal);
            await OrderAsync(publisher, Queue, new PublishOptions { UserId = "guest" }).InTime();
        }

        await AssertCountAsync(3);
    }

    [Fact]
    public async Task While_a_channel_is_closed_again_and_again_every_message_that_was_confirmed_is_there_and_every_task_ends()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxChannels = 2, MaxInFlight = 16 });
        string missing = Broker.UniqueName();
        (string Id, Task Task)[] tasks = [.. Enumerable.Range(0, 2000).Select(i => ($"{i}", i % 100 == 50
            ? publisher.PublishAsync(missing, "key", i).AsTask()
            : publisher.PublishAsync("", Queue, i, new PublishOptions { MessageId = $"{i}" }).AsTask()))];
        await Task.WhenAll(tasks.Select(task => task.Task)).ContinueWith(_ => { }, TaskScheduler.Default).InTime();

        Assert.All(tasks.Index(), each => Assert.True(
            each.Item.Task.IsCompletedSuccessfully
            || (each.Item.Task.Exception!.InnerException is AmqpPublishException { ReplyCode: 404 } e
                && e.Failure == (each.Index % 100 == 50 ? AmqpPublishFailure.Refused : AmqpPublishFailure.Unconfirmed))));
        string[] confirmed = [.. tasks.Where(task => task.Task.IsCompletedSuccessfully).Select(task => task.Id)];
        Assert.True(confirmed.Length > 1000);
        var there = new HashSet<string?>();
        while (await Watching.BasicGetAsync(Queue, autoAck: true).InTime() is { } got)
        {
            Assert.True(there.Add(got.BasicProperties.MessageId));
        }

        Assert.Subset(there, confirmed.ToHashSet<string?>());
    }

    [Fact]
    public async Task What_cannot_be_serialized_fails_alone()
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        await AssertFailsAloneAsync<UnsupportedTypeException>(
            publisher, () => publisher.PublishAsync("", Queue, new object[] { 1, (Action)(() => { }) }).AsTask());
    }

    [Fact]
    public async Task A_routing_key_or_exchange_that_is_too_long_fails_alone()
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        await OrderAsync(publisher, Queue).InTime();
        await AssertFailsAloneAsync<ArgumentException>(publisher, () => publisher.PublishAsync("", new string('k', 300), 1).AsTask());
        await AssertFailsAloneAsync<ArgumentException>(publisher, () => publisher.PublishAsync(new string('é', 128), "key", 1).AsTask());
    }

    [Fact]
    public async Task A_header_of_another_type_fails_alone()
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        var options = new PublishOptions { Headers = new Dictionary<string, object?> { ["when"] = new Uri("http://localhost") } };
        ArgumentException error = await AssertFailsAloneAsync<ArgumentException>(publisher, () => OrderAsync(publisher, Queue, options));
        Assert.Contains(nameof(Uri), error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(PublishOptions.Headers), error.Message, StringComparison.Ordinal);
    }

    // With others before and after it on the same channel, which is not closed: that would fail those in flight.
    private async Task<T> AssertFailsAloneAsync<T>(WirePublisher publisher, Func<Task> publish)
        where T : Exception
    {
        await Watching.QueuePurgeAsync(Queue).InTime();
        Proxy.ToClient.Pause();
        Task[] before = [.. Enumerable.Range(0, 3).Select(_ => OrderAsync(publisher, Queue))];
        Task failing = publish();
        Task[] after = [.. Enumerable.Range(0, 3).Select(_ => OrderAsync(publisher, Queue))];
        await AssertCountAsync(6);
        Proxy.ToClient.Resume();
        T error = await Assert.ThrowsAnyAsync<T>(() => failing.InTime());
        await Task.WhenAll([.. before, .. after]).InTime();
        return error;
    }

    [Fact]
    public async Task Texts_with_half_a_character_are_refused_since_what_comes_back_would_not_be_known_again()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer, Small);
        const string Half = "half \uD83D of it";
        Assert.Throws<ArgumentException>(() => new PublishOptions { MessageId = Half });
        await Assert.ThrowsAsync<ArgumentException>(() => OrderAsync(publisher, Half).InTime());
        await Assert.ThrowsAsync<ArgumentException>(() => publisher.PublishAsync(Half, "key", 1).AsTask().InTime());
        AmqpPublishException returned = await Assert.ThrowsAsync<AmqpPublishException>(
            () => OrderAsync(publisher, "whole \U0001F600", new PublishOptions { MessageId = "\U0001F600" }).InTime());
        Assert.Equal(AmqpPublishFailure.Returned, returned.Failure);
    }
}

/// <inheritdoc/>
public sealed class PublishFailureTestsOnClient() : PublishFailureTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class PublishFailureTestsOnLane() : PublishFailureTests(WireTransport.DirectLane);
