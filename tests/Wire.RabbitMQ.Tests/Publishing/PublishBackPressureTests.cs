using RabbitMQ.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Publishing;

/// <summary>What the broker has not confirmed holds back what comes after it, and cancellation meets a message where it is.</summary>
public abstract class PublishBackPressureTests(WireTransport transport) : PublisherTest(transport)
{
    [Fact]
    public async Task No_more_than_the_limit_is_in_flight_and_the_rest_follows()
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        for (int round = 1; round <= 3; round++)
        {
            Proxy.ToClient.Pause();
            Task[] tasks = [.. Enumerable.Range(0, 50).Select(_ => OrderAsync(publisher, Queue))];
            await AssertCountAsync(8);
            Assert.DoesNotContain(tasks, task => task.IsCompleted);

            Proxy.ToClient.Resume();
            await Task.WhenAll(tasks).InTime();
            await AssertCountAsync(50);
            await Watching.QueuePurgeAsync(Queue).InTime();
        }
    }

    [Fact]
    public async Task No_more_bytes_than_the_limit_are_in_flight_and_one_that_is_larger_goes_alone()
    {
        await using WirePublisher publisher = await WarmAsync(new WirePublisherOptions { MaxChannels = 1, MaxBytesInFlight = 10_000 });
        foreach ((int size, uint atOnce) in ((int, uint)[])[(4_000, 3), (50_000, 1)])
        {
            Proxy.ToClient.Pause();
            Task[] tasks = [.. Enumerable.Range(0, 10).Select(
                _ => publisher.PublishAsync("", Queue, new Parcels(Guid.NewGuid(), new byte[size])).AsTask())];
            await AssertCountAsync(atOnce);
            Proxy.ToClient.Resume();
            await Task.WhenAll(tasks).InTime();
            await AssertCountAsync(10);
            await Watching.QueuePurgeAsync(Queue).InTime();
        }
    }

    [Fact]
    public async Task The_limit_is_that_of_each_channel_and_no_more_channels_are_opened_than_allowed()
    {
        await using WirePublisher publisher = await WarmAsync(Small with { MaxChannels = 2 });
        Task[] opening =
            [.. Enumerable.Range(0, 100).Select(i => OrderAsync(publisher, Queue, new PublishOptions { OrderingKey = $"{i}" }))];
        await Task.WhenAll(opening).InTime();
        await Watching.QueuePurgeAsync(Queue).InTime();

        Proxy.ToClient.Pause();
        Task[] tasks = [.. Enumerable.Range(0, 50).Select(_ => OrderAsync(publisher, Queue))];
        await AssertCountAsync(16);
        Proxy.ToClient.Resume();
        await Task.WhenAll(tasks).InTime();
        await AssertCountAsync(50);
    }

    [Fact]
    public async Task What_is_cancelled_while_it_waits_is_never_published()
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        using var cancellation = new CancellationTokenSource();
        Proxy.ToClient.Pause();
        Task[] inFlight = [.. Enumerable.Range(0, 8).Select(_ => OrderAsync(publisher, Queue))];
        Task[] cancelled = [.. Enumerable.Range(0, 10).Select(
            _ => OrderAsync(publisher, Queue, new PublishOptions { Type = "cancelled" }, cancellation.Token))];
        Task after = OrderAsync(publisher, Queue);
        await AssertCountAsync(8);

        await cancellation.CancelAsync();
        foreach (Task task in cancelled)
        {
            OperationCanceledException error = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task.InTime());
            Assert.Equal(cancellation.Token, error.CancellationToken);
            Assert.True(task.IsCanceled);
        }

        Proxy.ToClient.Resume();
        await Task.WhenAll([.. inFlight, after]).InTime();
        await AssertCountAsync(9);
        IReadOnlyList<string?> types = await TakeAsync(9, delivery => delivery.BasicProperties.Type);
        Assert.DoesNotContain("cancelled", types);
    }

    [Fact]
    public async Task What_is_cancelled_in_flight_ends_at_once_and_keeps_its_place_until_it_is_confirmed()
    {
        await using WirePublisher publisher = await WarmAsync(Small);
        using var cancellation = new CancellationTokenSource();
        Proxy.ToClient.Pause();
        Task[] cancelled = [.. Enumerable.Range(0, 4).Select(_ => OrderAsync(publisher, Queue, null, cancellation.Token))];
        Task[] others = [.. Enumerable.Range(0, 20).Select(_ => OrderAsync(publisher, Queue))];
        await AssertCountAsync(8);

        await cancellation.CancelAsync();
        foreach (Task task in cancelled)
        {
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task.InTime());
        }

        await AssertCountAsync(8);
        Proxy.ToClient.Resume();
        await Task.WhenAll(others).InTime();
        await AssertCountAsync(24);
    }

    [Fact]
    public async Task A_token_that_is_cancelled_before_publishes_nothing()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => OrderAsync(publisher, Queue, null, new CancellationToken(canceled: true)).InTime());
        await OrderAsync(publisher, Queue).InTime();
        await AssertCountAsync(1);
    }

    [Fact]
    public async Task Cancellation_that_races_with_confirmation_ends_each_task_once_and_meets_no_other_message()
    {
        await using var publisher = Connection.Publisher(Shop.Serializer, new WirePublisherOptions { MaxChannels = 2, MaxInFlight = 32 });
        int confirmed = 0;
        int cancelled = 0;
        await Task.WhenAll(Enumerable.Range(0, 4).Select(worker => Task.Run(async () =>
        {
            var random = new Random(worker);
            for (int round = 0; round < 100; round++)
            {
                using var cancellation = new CancellationTokenSource();
                Task[] some = [.. Enumerable.Range(0, 5).Select(_ => OrderAsync(publisher, Queue, null, cancellation.Token))];
                Task sure = OrderAsync(publisher, Queue);
                await Task.WhenAny(some[random.Next(5)], Task.Delay(random.Next(2)));
                await cancellation.CancelAsync();
                await sure;
                foreach (Task task in some)
                {
                    try
                    {
                        await task;
                        Interlocked.Increment(ref confirmed);
                    }
                    catch (OperationCanceledException)
                    {
                        Interlocked.Increment(ref cancelled);
                    }
                }
            }
        }))).InTime();

        Assert.Equal(2000, confirmed + cancelled);
        uint there = await Watching.MessageCountAsync(Queue).InTime();
        Assert.InRange(there, 400u + (uint)confirmed, 2400u);
    }
}

/// <inheritdoc/>
public sealed class PublishBackPressureTestsOnClient() : PublishBackPressureTests(WireTransport.Client);

/// <inheritdoc/>
public sealed class PublishBackPressureTestsOnLane() : PublishBackPressureTests(WireTransport.DirectLane);
