using System.Threading.Channels;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Client;

/// <summary>
/// What hardly ever happens with a broker, made to happen: confirmations that are very early, and a client that fails in ways it never
/// should.
/// </summary>
public sealed class ClientPublisherTests
{
    private static readonly WirePublisherOptions One = new() { MaxChannels = 1, MaxInFlight = 4 };

    [Fact]
    public async Task A_message_may_be_confirmed_before_the_clients_publish_returns()
    {
        var fake = new FakeChannel();
        ulong number = 0;
        fake.Publish = () =>
        {
            fake.Ack(++number);
            return default;
        };
        await using var publisher = new WirePublisher(fake.Connection.ToWireConnection(), Shop.Serializer, One);
        for (int i = 0; i < 100; i++)
        {
            await publisher.PublishAsync("", "key", i).AsTask().InTime();
        }

        Assert.Equal(100ul, number);
    }

    [Fact]
    public async Task A_message_may_be_confirmed_while_the_clients_publish_waits_and_is_then_another_ones_object()
    {
        var fake = new FakeChannel();
        ulong number = 0;
        fake.Publish = async () =>
        {
            fake.Ack(++number);
            await Task.Yield();
        };
        await using var publisher = new WirePublisher(fake.Connection.ToWireConnection(), Shop.Serializer, One);
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
        {
            for (int i = 0; i < 2000; i++)
            {
                await publisher.PublishAsync("", "key", i);
            }
        }))).InTime();
        Assert.Equal(8000ul, number);
    }

    [Fact]
    public async Task Confirmations_in_any_order_end_the_right_messages_and_numbers_that_mean_nothing_end_none()
    {
        var fake = new FakeChannel();
        await using var publisher = new WirePublisher(fake.Connection.ToWireConnection(), Shop.Serializer, One);
        Task[] tasks = [.. Enumerable.Range(0, 5).Select(i => publisher.PublishAsync("", "key", i).AsTask())];
        fake.Ack(0);
        fake.Ack(99, multiple: true);
        fake.Ack(3);
        await tasks[2].InTime();
        Assert.Equal([false, false, true, false, false], tasks.Select(task => task.IsCompleted));

        fake.Ack(3, multiple: true);
        fake.Ack(3, multiple: true);
        await Task.WhenAll(tasks[..3]).InTime();
        Assert.False(tasks[3].IsCompleted);
        fake.Ack(4);
        await tasks[3].InTime();
        SpinWait.SpinUntil(() => { fake.Ack(5); return tasks[4].IsCompleted; }, Patience.Limit);
        await tasks[4].InTime();
    }

    [Fact]
    public async Task When_the_client_fails_as_it_never_should_the_task_fails_and_the_lane_goes_on()
    {
        var fake = new FakeChannel();
        ulong number = 0;
        await using var publisher = new WirePublisher(fake.Connection.ToWireConnection(), Shop.Serializer, One);
        fake.Publish = () => throw new NotSupportedException("never");
        Assert.Equal("never",
            (await Assert.ThrowsAsync<NotSupportedException>(() => publisher.PublishAsync("", "key", 1).AsTask().InTime())).Message);

        fake.IsOpen = () => throw new InvalidTimeZoneException("neither");
        Assert.Equal("neither",
            (await Assert.ThrowsAsync<InvalidTimeZoneException>(() => publisher.PublishAsync("", "key", 1).AsTask().InTime())).Message);

        fake.IsOpen = () => true;
        fake.Publish = () =>
        {
            fake.Ack(++number);
            return default;
        };
        await publisher.PublishAsync("", "key", 1).AsTask().InTime();
    }

    [Fact]
    public async Task A_publish_that_waits_in_the_client_ends_with_its_channel_whoever_is_first_to_say_so()
    {
        var fake = new FakeChannel();
        await using var publisher = new WirePublisher(fake.Connection.ToWireConnection(), Shop.Serializer, One);
        for (int i = 0; i < 5000; i++)
        {
            var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            fake.Publish = () =>
            {
                begun.SetResult();
                fake.Token.UnsafeRegister(static (state, token) => ((TaskCompletionSource)state!).TrySetCanceled(token), ended);
                return new ValueTask(ended.Task);
            };
            Task published = publisher.PublishAsync("", "key", i).AsTask();
            await begun.Task.InTime();
            await Task.Run(fake.ShutDownAsync).InTime();
            Assert.Equal(
                AmqpPublishFailure.Unconfirmed, (await Assert.ThrowsAsync<AmqpPublishException>(() => published.InTime())).Failure);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => ended.Task.InTime());
        }
    }

    [Fact]
    public async Task A_connection_that_ends_while_a_channel_waits_to_be_opened_is_tried_again()
    {
        var fake = new FakeChannel();
        int opened = 0;
        fake.Create = () => ++opened == 1 ? throw new ChannelClosedException() : Task.FromResult(fake.Channel);
        fake.Publish = () =>
        {
            fake.Ack(1);
            return default;
        };
        await using var publisher = new WirePublisher(fake.Connection.ToWireConnection(), Shop.Serializer, One);
        await publisher.PublishAsync("", "key", 1).AsTask().InTime();
        Assert.Equal(2, opened);
    }

    [Fact]
    public async Task In_steady_state_nothing_is_allocated_for_a_message_that_has_an_id()
    {
        var fake = new FakeChannel();
        ulong number = 0;
        fake.Publish = () =>
        {
            fake.Ack(++number);
            return default;
        };
        await using var publisher = new WirePublisher(fake.Connection.ToWireConnection(), Shop.Serializer, One);
        await publisher.PublishAsync("", "key", 1).AsTask().InTime();

        var message = new OrderPlaced(Guid.NewGuid(), "Ada", 1);
        var named = new PublishOptions { MessageId = "named", OrderingKey = "ordered", Headers = new Dictionary<string, object?>() };
        var idle = new FakeChannel();
        idle.Publish = () =>
        {
            idle.Ack(1);
            return default;
        };
        IChannel channel = idle.Channel;
        channel.BasicAcksAsync += (_, _) => Task.CompletedTask;
        var properties = new BasicProperties();
        byte[] body = new byte[10];
        var published = new Gauge(() =>
        {
            ValueTask task = publisher.PublishAsync("", "key", message, named);
            long begin = Environment.TickCount64;
            while (!task.IsCompleted)
            {
                Assert.True(Environment.TickCount64 - begin < Patience.Limit.TotalMilliseconds);
                Thread.Yield();
            }

            task.GetAwaiter().GetResult();
        });
        var floor = new Gauge(() =>
        {
            ValueTask task = channel.BasicPublishAsync("", "key", true, properties, body, CancellationToken.None);
            Assert.True(task.IsCompletedSuccessfully);
        });

        Gauge.Settle(() => published.BytesOfTenCalls == floor.BytesOfTenCalls, published, floor);
        Assert.Equal(floor.BytesOfTenCalls, published.BytesOfTenCalls);
    }

    [Fact]
    public async Task Messages_whose_callers_have_given_up_are_not_kept_until_their_turn_comes()
    {
        var fake = new FakeChannel();
        var publisher = new WirePublisher(fake.Connection.ToWireConnection(), Shop.Serializer,
            One with { MaxInFlight = 1, RecoveryTimeout = TimeSpan.FromMilliseconds(100) });
        _ = publisher.PublishAsync("", "key", 0).AsTask();
        Task patient = publisher.PublishAsync("", "key", 1).AsTask();
        var kept = new List<WeakReference>();
        for (int i = 0; i < 10_000; i++)
        {
            kept.Add(await GiveUpAsync(publisher));
        }

        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Assert.InRange(kept.Count(each => each.IsAlive), 0, 500);

        // Who has not given up is not forgotten.
        Assert.False(patient.IsCompleted);
        fake.Ack(1);
        while (!patient.IsCompleted)
        {
            fake.Ack(2);
            await Task.Yield();
        }

        await patient;
        await publisher.DisposeAsync();
    }

    private static async Task<WeakReference> GiveUpAsync(WirePublisher publisher)
    {
        using var cancellation = new CancellationTokenSource();
        var message = new OrderPlaced(Guid.NewGuid(), "Ada", 1);
        Task task = publisher.PublishAsync("", "key", message, null, cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => task.InTime());
        return new WeakReference(message);
    }
}
