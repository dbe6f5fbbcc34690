using System.Collections.Concurrent;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Faults;

/// <summary>
/// A queue that is there and does not answer, as when its node has not started it yet: the broker says 404 as of one that is missing, and
/// nobody takes it for that.
/// </summary>
public abstract class QueueDownTests(WireTransport transport, PrivateNode node)
{
    private static readonly Dictionary<string, object?> Next = new() { ["x-stream-offset"] = "next" };

    [Theory]
    [InlineData("crashed")]
    [InlineData("403")]
    public async Task A_consumer_of_a_stream_that_is_refused_when_its_connection_is_back_goes_on_behind_what_is_settled(string reason)
    {
        await using var proxy = new FaultProxy(node.Node.Uri);
        await using TestConnection connection = await TestConnection.ConnectAsync(transport, proxy.Route(node.Node.Factory()));
        await using DownQueue queue = await DownQueue.DeclareAsync(node, "stream");
        ConcurrentQueue<int> handled = [];
        ConcurrentQueue<string> told = [];
        connection.RecoveryFailed += error => told.Enqueue(error.Message);
        var options = new WireConsumerOptions { Queue = queue.Name, MaxConcurrency = 1, Arguments = Next };
        await using WireConsumer consumer = connection.Consumer(Shop.Serializer, options, new LineLogger(told));
        consumer.Handle<int>((number, _) =>
        {
            handled.Enqueue(number);
            return Task.CompletedTask;
        });
        await consumer.StartAsync().InTime();
        await consumer.Subscription!.AnswerAsync().InTime();
        await queue.PublishAsync(0, 5);
        await ConsumerBench.Until(() => Task.FromResult(handled.Count == 5));

        proxy.Refusing = true;
        proxy.CutAll();
        Task RefuseAsync(bool refuses) =>
            reason == "403" ? queue.ForbidAsync(refuses) : refuses ? queue.TakeDownAsync() : queue.BringUpAsync();
        await RefuseAsync(true);
        await queue.PublishAsync(5, 10);
        proxy.Refusing = false;
        await ConsumerBench.Until(() => Task.FromResult(told.Any(line => line.Contains(reason, StringComparison.Ordinal))));
        await RefuseAsync(false);
        await queue.PublishAsync(10, 15);
        await ConsumerBench.Until(() => Task.FromResult(handled.Count >= 15));
        Assert.Equal(Enumerable.Range(0, 15), handled);
    }

    [Theory]
    [InlineData("classic")]
    [InlineData("quorum")]
    [InlineData("stream")]
    public async Task It_is_not_called_missing(string kind)
    {
        await using TestConnection connection = await TestConnection.ConnectAsync(transport, node.Node.Factory());
        await using DownQueue queue = await DownQueue.DeclareAsync(node, kind);
        await queue.TakeDownAsync();
        await using WireConsumer consumer = connection.Consumer(Shop.Serializer, new WireConsumerOptions { Queue = queue.Name });
        consumer.Handle<int>((_, _) => Task.CompletedTask);
        InvalidOperationException error =
            await Assert.ThrowsAsync<InvalidOperationException>(() => consumer.StartAsync().InTime());
        Assert.Contains($"'{queue.Name}'", error.Message, StringComparison.Ordinal);
        Assert.True(IsOfQueueThatIsDown(error.Message), error.Message);
        Assert.EndsWith(
            "The queue is there: start it again when the broker's node that has it is up.", error.Message, StringComparison.Ordinal);
        Assert.Equal(404, Assert.IsType<AmqpChannelException>(error.InnerException).Reason.ReplyCode);
    }

    private static bool IsOfQueueThatIsDown(string text) => text.Contains("has crashed and failed to restart", StringComparison.Ordinal);

    private sealed class DownQueue(PrivateNode node, IConnection connection, IChannel channel, string name) : IAsyncDisposable
    {
        private static readonly CreateChannelOptions Confirmed =
            new(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true);

        public string Name => name;

        public static async Task<DownQueue> DeclareAsync(PrivateNode node, string kind)
        {
            IConnection connection = await node.Node.Factory().CreateConnectionAsync().InTime();
            IChannel channel = await connection.CreateChannelAsync(Confirmed).InTime();
            string name = Broker.UniqueName(kind);
            var arguments = new Dictionary<string, object?> { ["x-queue-type"] = kind };
            await channel.QueueDeclareAsync(name, durable: true, exclusive: false, autoDelete: false, arguments).InTime();
            return new DownQueue(node, connection, channel, name);
        }

        public async Task PublishAsync(int first, int end)
        {
            for (int i = first; i < end; i++)
            {
                await channel.PublishAsync(Shop.Serializer, "", name, i, new BasicProperties(), mandatory: true).AsTask().InTime();
            }
        }

        public Task TakeDownAsync() => MarkAsync("crashed");

        public Task BringUpAsync() => MarkAsync("live");

        public Task ForbidAsync(bool isForbidden) =>
            node.ControlAsync("set_permissions", "guest", ".*", ".*", isForbidden ? "" : ".*");

        public async ValueTask DisposeAsync()
        {
            await BringUpAsync();
            await channel.QueueDeleteAsync(name).InTime();
            await connection.DisposeAsync();
        }

        // Which the broker does itself when the process of a queue cannot be started.
        private Task MarkAsync(string state) => node.ControlAsync("eval", $$"""
            Name = rabbit_misc:r(<<"/">>, queue, <<"{{name}}">>),
            Mark = fun(Queue) -> amqqueue:set_state(Queue, {{state}}) end,
            case erlang:function_exported(rabbit_db_queue, update, 2) of
              true -> rabbit_db_queue:update(Name, Mark);
              false -> rabbit_misc:execute_mnesia_transaction(fun() -> rabbit_amqqueue:update(Name, Mark) end)
            end.
            """);
    }
}

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class QueueDownTestsOnClient(PrivateNode node) : QueueDownTests(WireTransport.Client, node);

/// <inheritdoc/>
[Collection(nameof(PrivateNode))]
public sealed class QueueDownTestsOnLane(PrivateNode node) : QueueDownTests(WireTransport.DirectLane, node);
