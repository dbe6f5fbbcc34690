using System.Buffers;
using Microsoft.Extensions.Logging.Abstractions;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Consuming;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Copies;
using Wire.RabbitMQ.Delays;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>A consumer that is stopped while it is being started.</summary>
public sealed class ConsumerLoopTests : IDisposable
{
    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationTokenSource _handlers = new();
    private readonly CancellationTokenSource _deadline = new();

    public void Dispose()
    {
        _stopping.Dispose();
        _handlers.Dispose();
        _deadline.Dispose();
    }

    [Fact]
    public async Task One_that_its_handler_stops_before_the_broker_s_answer_is_seen_has_been_started_and_stops()
    {
        var settled = new TaskCompletionSource<Settlement>(TaskCreationOptions.RunContinuationsAsynchronously);
        var channel = new FakeMessageChannel
        {
            Consume = async (handler, cancellationToken) =>
            {
                await handler(new Delivery(settled));
                Assert.True(_stopping.IsCancellationRequested);
                await Task.Delay(100, cancellationToken);
            },
        };
        (ConsumerLoop loop, MessageProcessor processor) = Make(channel, async () => await _stopping.CancelAsync());

        Subscription first = await loop.SubscribeAsync(CancellationToken.None).InTime();
        Assert.Null(await loop.RunAsync(first).InTime());
        Assert.Equal(Settlement.Ack, await settled.Task.InTime());
        Assert.Equal(0, processor.Running);
        Assert.True(channel.IsDisposed && channel.IsConsumerDisposed);
    }

    [Fact]
    public async Task One_that_is_stopped_while_an_attempt_to_consume_fails_stops_as_at_any_time()
    {
        var attempted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var channel = new FakeMessageChannel
        {
            Consume = async (_, cancellationToken) =>
            {
                attempted.SetResult();
                while (!_stopping.IsCancellationRequested)
                {
                    await Task.Delay(1, cancellationToken);
                }

                throw new AmqpConnectionException("down");
            },
        };
        (ConsumerLoop loop, _) = Make(channel, () => Task.CompletedTask);
        Task<Exception?> running = loop.RunAsync(null);
        await attempted.Task.InTime();
        await _stopping.CancelAsync();
        Assert.Null(await running.InTime());
        Assert.True(channel.IsDisposed);
    }

    [Fact]
    public async Task Handlers_of_the_consumption_before_count_when_it_has_begun_anew()
    {
        var go = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int begun = 0;
        (_, MessageProcessor processor) = Make(new FakeMessageChannel(), () =>
        {
            Interlocked.Increment(ref begun);
            return go.Task;
        });
        TaskCompletionSource<Settlement>[] settled = [.. Enumerable.Range(0, 3).Select(_ => new TaskCompletionSource<Settlement>())];
        Task[] handled = [.. settled.Select(each => processor.HandleAsync(new Delivery(each)).AsTask())];
        Assert.Equal((1, 1), (begun, processor.Running));

        // What has not begun goes back at once when it is stopped, and what has is waited for.
        await _stopping.CancelAsync();
        Assert.Equal((Settlement.Requeue, Settlement.Requeue), (await settled[1].Task.InTime(), await settled[2].Task.InTime()));
        Task drained = processor.DrainAsync();
        Assert.False(drained.IsCompleted);
        go.SetResult();
        await drained.InTime();
        await Task.WhenAll(handled).InTime();
        Assert.Equal((1, Settlement.Ack), (begun, await settled[0].Task.InTime()));
    }

    [Theory]
    [InlineData(FailureAction.DeadLetter, false)]
    [InlineData(FailureAction.DeadLetter, true)]
    [InlineData(FailureAction.ErrorQueue, false)]
    [InlineData(FailureAction.ErrorQueue, true)]
    public async Task A_message_whose_properties_cannot_be_read_goes_where_failures_go(FailureAction onFailure, bool isInHeaders)
    {
        int published = 0;
        var channel = new FakeMessageChannel
        {
            Publish = _ =>
            {
                published++;
                return default;
            },
        };
        (_, MessageProcessor processor) = Make(channel, () => throw new InvalidOperationException("It is not handled."), onFailure);
        var settled = new TaskCompletionSource<Settlement>();
        await processor.HandleAsync(new Damaged(settled, isInHeaders)).AsTask().InTime();
        Assert.Equal(
            onFailure == FailureAction.DeadLetter ? (Settlement.Reject, 0) : (Settlement.Ack, 1), (await settled.Task.InTime(), published));
    }

    private (ConsumerLoop Loop, MessageProcessor Processor) Make(
        FakeMessageChannel channel, Func<Task> handle, FailureAction onFailure = FailureAction.DeadLetter)
    {
        var connection = new FakeConnection(channel);
        var options = new WireConsumerOptions
        {
            Queue = "q",
            AckDelay = TimeSpan.Zero,
            MaxConcurrency = 1,
            OnFailure = onFailure,
            DeclareErrorQueue = false,
        };
        var handlers = new HandlerTable();
        handlers.Add(typeof(int), (_, _) => handle());
        var copies = new CopyPublisher(connection, new PublishingConnection(connection, null), Shop.Serializer, NullLogger.Instance);
        var position = new StreamPosition(null);
        var settler = new OutcomeSettler(
            options, position, new ErrorQueue(copies, options), new DelayQueues(copies, options.Queue), null, NullLogger.Instance,
            _stopping.Token, _handlers.Token);
        var processor = new MessageProcessor(
            connection, options, position, Shop.Serializer, handlers, new MessagePools(), settler, null, ExecutionContext.Capture()!,
            NullLogger.Instance, _stopping.Token, _handlers.Token);
        var loop = new ConsumerLoop(
            connection, options, null, position, processor, processor.HandleAsync, NullLogger.Instance, _handlers, _deadline,
            _stopping.Token);
        return (loop, processor);
    }

    /// <summary>A message of which the broker says something that is none.</summary>
    private sealed class Damaged(TaskCompletionSource<Settlement> settled, bool isInHeaders) : IDelivery
    {
        public ulong Tag => 1;

        public bool Redelivered => false;

        public string Exchange => "";

        public string RoutingKey => "q";

        // A table that ends within a name.
        public BasicProperties Properties => isInHeaders
            ? new() { Headers = new FieldTable(new byte[] { 9, 1 }) }
            : Header().ReadContentHeader().Properties;

        public ReadOnlySequence<byte> Body => default;

        public long BodySize => 0;

        public CancellationToken Lost => CancellationToken.None;

        public void Settle(Settlement settlement) => settled.SetResult(settlement);

        public void Keep() => throw new NotSupportedException();

        public void Release() => throw new NotSupportedException();

        // Of two bytes, where there are twelve at least.
        private static Frame Header()
        {
            var frames = new FrameReader(new byte[] { 2, 0, 1, 0, 0, 0, 2, 0, 60, 0xCE }, 4096);
            Assert.True(frames.TryRead(out Frame header));
            return header;
        }
    }

    /// <summary>A number.</summary>
    private sealed class Delivery(TaskCompletionSource<Settlement> settled) : IDelivery
    {
        public ulong Tag => 1;

        public bool Redelivered => false;

        public string Exchange => "";

        public string RoutingKey => "q";

        public BasicProperties Properties => default;

        public ReadOnlySequence<byte> Body { get; } = new(Shop.Serializer.Write(7).Memory.ToArray());

        public long BodySize => Body.Length;

        public CancellationToken Lost => CancellationToken.None;

        public void Settle(Settlement settlement) => settled.SetResult(settlement);

        public void Keep() => throw new NotSupportedException();

        public void Release() => throw new NotSupportedException();
    }
}
