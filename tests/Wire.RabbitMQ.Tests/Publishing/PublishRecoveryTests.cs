using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>
/// Channels and connections that are lost: what was sent and not confirmed fails visibly, what was not sent goes out later.
/// </summary>
public abstract class PublishRecoveryTests(WireTransport transport) : PublisherTest(transport)
{
    [Theory]
    [InlineData(Cut.Finish)]
    [InlineData(Cut.Reset)]
    public async Task When_the_connection_is_cut_what_is_in_flight_fails_and_what_waits_is_published_when_it_is_back(Cut how)
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        for (int round = 0; round < 3; round++)
        {
            Proxy.ToClient.Pause();
            Task[] tasks =
                [.. Enumerable.Range(0, 20).Select(i => OrderAsync(publisher, Queue, new PublishOptions { MessageId = $"{i}" }))];
            await AssertCountAsync(8);
            Proxy.CutAll(how);
            Proxy.ToClient.Resume();

            for (int i = 0; i < tasks.Length; i++)
            {
                if (i < 8)
                {
                    AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => tasks[i].InTime());
                    Assert.Equal((AmqpPublishFailure.Unconfirmed, $"{i}"), (error.Failure, error.MessageId));
                    Assert.Contains("may or may not have arrived", error.Message, StringComparison.Ordinal);
                }
                else
                {
                    await tasks[i].InTime();
                }
            }

            await OrderAsync(publisher, Queue).InTime();
            await AssertCountAsync(21);
            await Watching.QueuePurgeAsync(Queue).InTime();
        }
    }

    [Fact]
    public async Task While_the_connection_is_cut_at_random_every_confirmed_message_is_there_and_every_task_ends()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxChannels = 3, MaxInFlight = 32 });
        var random = new Random(5);
        var tasks = new List<(string Id, Task Task)>();
        Task all = Task.CompletedTask;
        for (int round = 0; round < 5; round++)
        {
            Task cut = Proxy.ToBroker.CutAfter(random.Next(20_000, 60_000), round % 2 == 0 ? Cut.Reset : Cut.Finish);
            for (int i = 0; i < 500; i++)
            {
                string id = $"{round}/{i}";
                tasks.Add((id, OrderAsync(publisher, Queue, new PublishOptions { MessageId = id })));
            }

            all = Task.WhenAll(tasks.Select(task => task.Task)).ContinueWith(_ => { }, TaskScheduler.Default);
            await all.InTime();
            await cut.InTime();
        }

        Assert.All(tasks,
            task => Assert.True(
                task.Task.IsCompletedSuccessfully
                || task.Task.Exception!.InnerException is AmqpPublishException { Failure: AmqpPublishFailure.Unconfirmed }));
        Assert.Contains(tasks, task => task.Task.IsFaulted);
        var there = new HashSet<string?>();
        while (await Watching.BasicGetAsync(Queue, autoAck: true).InTime() is { } got)
        {
            there.Add(got.BasicProperties.MessageId);
        }

        Assert.Subset(there, tasks.Where(task => task.Task.IsCompletedSuccessfully).Select(task => task.Id).ToHashSet<string?>());
    }

    [Fact]
    public async Task A_connection_that_does_not_come_back_in_time_fails_what_waits_for_it()
    {
        await using WirePublisher publisher = await WarmAsync(Small with { RecoveryTimeout = TimeSpan.FromSeconds(1) });
        Proxy.Refusing = true;
        Proxy.CutAll(Cut.Reset);
        Task<AmqpConnectionException>[] tasks =
            [.. Enumerable.Range(0, 20).Select(_ => Assert.ThrowsAsync<AmqpConnectionException>(async () =>
        {
            try
            {
                await OrderAsync(publisher, Queue);
            }
            catch (AmqpPublishException e) when (e.Failure == AmqpPublishFailure.Unconfirmed)
            {
                // Sent before the client saw the cut.
                await OrderAsync(publisher, Queue);
            }
        }))];
        Assert.All(await Task.WhenAll(tasks).InTime(), error => Assert.Contains("1 s", error.Message, StringComparison.Ordinal));

        Proxy.Refusing = false;
        await UntilPublishedAsync(publisher);
    }

    [Fact]
    public async Task A_connection_that_the_program_has_closed_is_said_to_be()
    {
        await using WirePublisher publisher = await WarmAsync();
        await Connection.CloseAsync().InTime();
        ObjectDisposedException error = await Assert.ThrowsAsync<ObjectDisposedException>(() => OrderAsync(publisher, Queue).InTime());
        Assert.Contains("closed by the program", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_publisher_may_be_disposed_of_after_its_connection()
    {
        WirePublisher publisher = await WarmAsync();
        await Connection.DisposeAsync().AsTask().InTime();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => OrderAsync(publisher, Queue).InTime());
        await publisher.DisposeAsync().AsTask().InTime();
    }

    [Fact]
    public async Task Disposal_waits_for_what_is_in_flight_and_for_what_waits()
    {
        WirePublisher publisher = await WarmAsync(Small);
        Proxy.ToClient.Pause();
        Task[] tasks = [.. Enumerable.Range(0, 20).Select(_ => OrderAsync(publisher, Queue))];
        await AssertCountAsync(8);
        Task disposal = publisher.DisposeAsync().AsTask();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => OrderAsync(publisher, Queue).InTime());
        Assert.False(disposal.IsCompleted);

        Proxy.ToClient.Resume();
        await disposal.InTime();
        await Task.WhenAll(tasks).InTime();
        await AssertCountAsync(20);
        await publisher.DisposeAsync().AsTask().InTime();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => OrderAsync(publisher, Queue).InTime());
    }

    [Fact]
    public async Task Disposal_does_not_wait_for_ever_and_says_what_became_of_each()
    {
        WirePublisher publisher = await WarmAsync(Small with { RecoveryTimeout = TimeSpan.FromMilliseconds(500) });
        Proxy.ToClient.Pause();
        Task[] tasks = [.. Enumerable.Range(0, 20).Select(_ => OrderAsync(publisher, Queue))];
        await AssertCountAsync(8);
        Task disposal = publisher.DisposeAsync().AsTask();
        for (int i = 0; i < tasks.Length; i++)
        {
            if (i < 8)
            {
                AmqpPublishException error = await Assert.ThrowsAsync<AmqpPublishException>(() => tasks[i].InTime());
                Assert.Equal(AmqpPublishFailure.Unconfirmed, error.Failure);
            }
            else
            {
                await Assert.ThrowsAsync<ObjectDisposedException>(() => tasks[i].InTime());
            }
        }

        Proxy.ToClient.Resume();
        await disposal.InTime();
        await AssertCountAsync(8);
    }

    [Fact]
    public async Task Disposal_that_races_with_publishing_leaves_no_task_open()
    {
        for (int round = 0; round < 20; round++)
        {
            var publisher = Connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxChannels = 2, MaxInFlight = 4 });
            Task<int>[] workers = [.. Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
            {
                for (int published = 0; ; published++)
                {
                    try
                    {
                        await OrderAsync(publisher, Queue);
                    }
                    catch (ObjectDisposedException)
                    {
                        return published;
                    }
                }
            }))];
            await OrderAsync(publisher, Queue).InTime();
            await publisher.DisposeAsync().AsTask().InTime();
            int confirmed = (await Task.WhenAll(workers).InTime()).Sum();
            await AssertCountAsync((uint)confirmed + 1);
            await Watching.QueuePurgeAsync(Queue).InTime();
        }
    }

    private async Task UntilPublishedAsync(WirePublisher publisher)
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        while (true)
        {
            try
            {
                await OrderAsync(publisher, Queue, null, limit.Token).InTime();
                return;
            }
            catch (Exception e) when (e is AmqpConnectionException or AmqpPublishException)
            {
                limit.Token.ThrowIfCancellationRequested();
            }
        }
    }
}

/// <inheritdoc/>
public sealed class PublishRecoveryTestsOnClient() : PublishRecoveryTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class PublishRecoveryTestsOnLane() : PublishRecoveryTests(WireTransport.DirectLane);
