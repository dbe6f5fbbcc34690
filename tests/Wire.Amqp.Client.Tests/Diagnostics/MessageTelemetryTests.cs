using System.Buffers;
using System.Diagnostics;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;
using Wire.Testing.Telemetry;

namespace Wire.Amqp.Client.Tests.Diagnostics;

/// <summary>Spans and numbers of the messages of a program that uses the client by itself.</summary>
[Collection(nameof(RunAlone))]
public sealed class MessageTelemetryTests
{
    private const string Wire = "Wire.Amqp.Client";
    private const string Sent = "messaging.client.sent.messages";
    private const string Consumed = "messaging.client.consumed.messages";
    private const string OperationDuration = "messaging.client.operation.duration";
    private const string ProcessDuration = "messaging.process.duration";

    private static readonly ActivitySource Own = new("the client of a test");

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task A_message_is_one_trace_from_the_caller_to_the_handler(int concurrency)
    {
        using var spans = new SpanListener(Wire, Own.Name);
        await using TestChannel test = await TestChannel.OpenAsync();
        string queue = await test.QueueAsync();
        var seen = new TaskCompletionSource<(Activity? Current, Dictionary<string, object?> Headers)>(
            TaskCreationOptions.RunContinuationsAsynchronously);
        await test.Channel.ConsumeAsync<OrderPlaced>(
            queue,
            async (_, delivery) =>
            {
                var headers = delivery.Properties.Headers.ToDictionary();
                await Task.Yield();
                seen.SetResult((Activity.Current, headers));
            },
            new AmqpConsumeOptions { Concurrency = concurrency }).InTime();
        using Activity caller = Own.StartActivity("caller")!.AddBaggage("shop", "north");
        caller.TraceStateString = "vendor=1";
        await test.Channel.PublishAsync(
            "",
            queue,
            new OrderPlaced(Guid.Empty, "Ada", 1),
            new BasicProperties
            {
                MessageId = "m1",
                CorrelationId = "c1",
                Headers = FieldTable.Create(new Dictionary<string, object?> { ["own"] = 7 }),
            }).AsTask().InTime();
        Assert.Same(caller, Activity.Current);
        (Activity? current, Dictionary<string, object?> headers) = await seen.Task.InTime();
        Activity publish = await spans.SpanAsync(span => span.OperationName == $"publish {queue}");
        Activity process = await spans.SpanAsync(span => span.OperationName == $"process {queue}");

        Assert.Equal((ActivityKind.Producer, ActivityKind.Consumer), (publish.Kind, process.Kind));
        Assert.Equal((caller.TraceId, caller.SpanId), (publish.TraceId, publish.ParentSpanId));
        Assert.Equal((publish.TraceId, publish.SpanId), (process.TraceId, process.ParentSpanId));
        Assert.Equal(publish.SpanId, Assert.Single(process.Links).Context.SpanId);
        Assert.Same(process, current);
        Assert.Equal(("vendor=1", "north"), (process.TraceStateString, process.GetBaggageItem("shop")));
        Assert.Equal((ActivityStatusCode.Unset, ActivityStatusCode.Unset), (publish.Status, process.Status));
        Assert.Equal(7, headers["own"]);
        Assert.Equal(publish.Id, headers["traceparent"]);
        (string, object)[] common =
        [
            ("messaging.system", "rabbitmq"), ("messaging.destination.name", queue),
            ("messaging.rabbitmq.destination.routing_key", queue), ("messaging.message.id", "m1"),
            ("messaging.message.conversation_id", "c1"), ("server.address", Broker.Node.Uri.Host), ("server.port", Broker.Node.Uri.Port),
        ];
        AssertTags(publish, [.. common, ("messaging.operation.name", "publish"), ("messaging.operation.type", "send")]);
        AssertTags(
            process,
            [
                .. common, ("messaging.operation.name", "process"), ("messaging.operation.type", "process"),
                ("messaging.rabbitmq.message.delivery_tag", 1L),
            ]);
    }

    [Fact]
    public async Task What_is_fetched_has_a_span_that_is_linked_to_that_of_its_publish()
    {
        using var spans = new SpanListener(Wire);
        using var numbers = new NumberListener(Wire);
        await using TestChannel test = await TestChannel.OpenAsync();
        string queue = await test.QueueAsync();
        Assert.Null(await test.TakeAsync(queue));
        Activity empty = await spans.SpanAsync(span => span.OperationName == $"receive {queue}");
        await test.PublishAsync(queue, "text");
        Assert.Equal("text", await test.TakeAsync(queue));

        Activity publish = await spans.SpanAsync(span => span.OperationName == $"publish {queue}");
        Activity receive = await spans.SpanAsync(span => span.OperationName == $"receive {queue}" && span != empty);
        Assert.Equal(ActivityKind.Client, receive.Kind);
        Assert.Equal(publish.Context.SpanId, Assert.Single(receive.Links).Context.SpanId);
        Assert.Empty(empty.Links);
        AssertTags(receive, ("messaging.operation.type", "receive"), ("messaging.message.body.size", 4));
        Assert.Null(receive.GetTagItem("messaging.batch.message_count"));
        AssertTags(empty, ("messaging.batch.message_count", 0), ("server.address", Broker.Node.Uri.Host));
        Assert.Equal(1, numbers.Sum(Consumed, Of(queue), ("messaging.operation.name", "receive")));
        Assert.Equal(2, numbers.Of(OperationDuration, Of(queue), ("messaging.operation.name", "receive")).Count);

        string missing = Broker.UniqueName();
        await Assert.ThrowsAsync<AmqpChannelException>(() => test.Channel.GetAsync(missing).InTime());
        Activity failed = await spans.SpanAsync(span => span.OperationName == $"receive {missing}");
        Assert.Equal(
            (ActivityStatusCode.Error, typeof(AmqpChannelException).FullName), (failed.Status, failed.GetTagItem("error.type")));
        Assert.Null(failed.GetTagItem("messaging.batch.message_count"));
        Assert.Equal(0, numbers.Sum(Consumed, Of(missing)));
    }

    [Fact]
    public async Task Publishes_are_counted_and_timed_by_what_became_of_them()
    {
        using var spans = new SpanListener(Wire);
        using var numbers = new NumberListener(Wire);
        await using TestChannel test = await TestChannel.OpenAsync(new AmqpChannelOptions { Reopens = true });
        string queue = await test.QueueAsync();
        string nowhere = Broker.UniqueName();
        string missing = Broker.UniqueName();
        await test.PublishAsync(queue, "one", "two");
        await Assert.ThrowsAsync<AmqpPublishException>(() => test.Channel.PublishBytesAsync(
            new BasicPublish { RoutingKey = nowhere, Mandatory = true }, default, new byte[1]).AsTask().InTime());
        await Assert.ThrowsAsync<AmqpPublishException>(
            () => test.Channel.PublishAsync(missing, "key.17", 1).AsTask().InTime());
        await Assert.ThrowsAsync<ArgumentException>(() => test.Channel.PublishAsync(new string('x', 256), queue, 1).AsTask().InTime());

        Assert.Equal(2, numbers.Sum(Sent, Of(queue), ("error.type", null)));
        Assert.Equal(1, numbers.Sum(Sent, Of(nowhere), ("error.type", "returned")));
        Assert.Equal(1, numbers.Sum(Sent, Of(missing), ("error.type", "refused")));
        Assert.Equal(0, numbers.Sum(Sent, Of(new string('x', 256))));
        Number time = Assert.Single(numbers.Of(OperationDuration, Of(new string('x', 256))));
        Assert.Equal("System.ArgumentException", time.Tags["error.type"]);
        Activity returned = await spans.SpanAsync(span => span.OperationName == $"publish {nowhere}");
        Assert.Equal(
            returned.Duration.TotalSeconds,
            Assert.Single(numbers.Of(OperationDuration, Of(nowhere), ("server.port", Broker.Node.Uri.Port))).Value);
        Assert.Equal((ActivityStatusCode.Error, "returned"), (returned.Status, returned.GetTagItem("error.type")));
        Activity refused = await spans.SpanAsync(span => span.OperationName == $"publish {missing}");
        Assert.Equal($"{missing}:key.17", refused.GetTagItem("messaging.destination.name"));
    }

    [Fact]
    public async Task Messages_that_are_handled_are_counted_and_timed_with_what_their_handlers_throw()
    {
        using var spans = new SpanListener(Wire);
        using var numbers = new NumberListener(Wire);
        await using TestChannel test = await TestChannel.OpenAsync();
        string queue = await test.QueueAsync();
        await test.Channel.ConsumeAsync(
            queue,
            async delivery =>
            {
                string text = TestChannel.TextOf(delivery);
                if (text == "late")
                {
                    await Task.Yield();
                }

                if (text != "good")
                {
                    throw new FormatException($"not this one: {text}");
                }
            },
            new AmqpConsumeOptions { OnError = (_, _) => { } }).InTime();
        await test.PublishAsync(queue, "good", "at once", "late", "good");
        await NumberListener.UntilAsync(() => numbers.Sum(Consumed, Of(queue)) == 4);

        Assert.Equal(2, numbers.Sum(Consumed, Of(queue), ("error.type", null)));
        Assert.Equal(2, numbers.Sum(Consumed, Of(queue), ("error.type", "System.FormatException")));
        await NumberListener.UntilAsync(() => numbers.Of(ProcessDuration, Of(queue)).Count == 4);
        Assert.All(numbers.Of(ProcessDuration, Of(queue)), number => Assert.Equal("process", number.Tags["messaging.operation.name"]));
        Activity failed = await spans.SpanAsync(
            span => span.OperationName == $"process {queue}" && span.Status == ActivityStatusCode.Error);
        Assert.StartsWith("not this one: ", failed.StatusDescription, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Numbers_alone_add_nothing_to_a_message_and_an_observer_is_still_called()
    {
        await using TestChannel test = await TestChannel.OpenAsync();
        string queue = await test.QueueAsync();
        using var numbers = new NumberListener(Wire);
        using Activity caller = new Activity("caller").Start();
        var observer = new Observer();
        await test.Channel.PublishBytesAsync(new BasicPublish { RoutingKey = queue }, default, new byte[5], observer: observer)
            .AsTask().InTime();

        Assert.Equal([5L], observer.Sizes);
        using AmqpDelivery? delivery = await test.Channel.GetAsync(queue, noAck: true).InTime();
        Assert.True(delivery!.Value.Properties.Headers.IsNull);
        Assert.Equal(1, numbers.Sum(Sent, Of(queue)));
    }

    [Fact]
    public async Task Without_listeners_nothing_is_added_to_a_message()
    {
        await using TestChannel test = await TestChannel.OpenAsync();
        string queue = await test.QueueAsync();
        using Activity caller = new Activity("caller").Start();
        await test.PublishAsync(queue, "text");
        using AmqpDelivery? delivery = await test.Channel.GetAsync(queue, noAck: true).InTime();
        Assert.True(delivery!.Value.Properties.Headers.IsNull);
    }

    [Fact]
    public async Task A_context_that_the_program_has_set_is_kept()
    {
        const string Parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        using var spans = new SpanListener(Wire, Own.Name);
        await using TestChannel test = await TestChannel.OpenAsync();
        string queue = await test.QueueAsync();

        // Another trace, no part of which belongs to that context.
        using Activity caller = Own.StartActivity("caller")!.AddBaggage("shop", "north");
        caller.TraceStateString = "vendor=1";
        var headers = FieldTable.Create(new Dictionary<string, object?> { ["traceparent"] = Parent });
        await test.Channel.PublishAsync("", queue, 1, new BasicProperties { Headers = headers }).AsTask().InTime();
        using AmqpDelivery? delivery = await test.Channel.GetAsync(queue, noAck: true).InTime();
        Assert.Equal(Parent, delivery!.Value.Properties.Headers["traceparent"].AsString());
        Assert.Equal(1, delivery.Value.Properties.Headers.Count);
    }

    [Fact]
    public async Task A_listener_that_throws_costs_no_message_and_no_number()
    {
        using var numbers = new NumberListener(Wire);
        await using TestChannel test = await TestChannel.OpenAsync();
        string queue = await test.QueueAsync();
        int thrown = 0;
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == Wire,
            Sample = (ref ActivityCreationOptions<ActivityContext> options) => Interlocked.Increment(ref thrown) % 2 == 0
                ? throw new InvalidOperationException("no span today")
                : ActivitySamplingResult.AllData,
            ActivityStopped = _ => throw new InvalidOperationException("not this one"),
        };
        ActivitySource.AddActivityListener(listener);
        var handled = new Countdown(20);
        await test.Channel.ConsumeAsync(
            queue,
            delivery =>
            {
                Assert.False(delivery.Redelivered);
                handled.Signal();
                return default;
            }).InTime();
        await test.PublishAsync(queue, [.. Enumerable.Range(0, 20).Select(i => $"{i}")]);
        await handled.Task.InTime();

        Assert.Equal(0u, await test.CountAsync(queue));
        Assert.InRange(thrown, 40, int.MaxValue);
        await NumberListener.UntilAsync(() => numbers.Of(ProcessDuration, Of(queue)).Count == 20);
        Assert.Equal((20, 20), (numbers.Sum(Sent, Of(queue)), numbers.Sum(Consumed, Of(queue))));
        Assert.Equal(20, numbers.Of(OperationDuration, Of(queue), ("messaging.operation.name", "publish")).Count);

        // Two fetches, as each second one throws when its span begins.
        string shelf = await test.QueueAsync();
        Assert.Null(await test.TakeAsync(shelf));
        Assert.Null(await test.TakeAsync(shelf));
        Assert.Equal(2, numbers.Of(OperationDuration, Of(shelf)).Count);
    }

    [Fact]
    public async Task A_message_whose_headers_are_damaged_is_handled_without_a_context()
    {
        using var spans = new SpanListener(Wire);
        await using var broker = new AmqpServer();
        await using AmqpConnection connection = await broker.ConnectAsync().InTime();
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        var seen = new TaskCompletionSource<AmqpFormatException>(TaskCreationOptions.RunContinuationsAsynchronously);
        await channel.ConsumeAsync(
            "queue",
            delivery =>
            {
                seen.SetResult(Assert.Throws<AmqpFormatException>(() => delivery.Properties.Headers.ToDictionary()));
                return default;
            }).InTime();
        await broker.SendAsync((output, number, tag) =>
        {
            FrameWriter.Write(output, number, new BasicDeliver { ConsumerTag = tag, DeliveryTag = 1 });
            var header = new ArrayBufferWriter<byte>();
            var headers = FieldTable.Create(new Dictionary<string, object?> { ["traceparent"] = "00" });
            FrameWriter.WriteContentHeader(header, number, 0, new BasicProperties { Headers = headers });
            byte[] damaged = header.WrittenSpan.ToArray();
            damaged[damaged.AsSpan().IndexOf("traceparent"u8) - 1] = 200;
            output.Write(damaged);
        });
        await seen.Task.InTime();

        Activity process = await spans.SpanAsync(span => span.OperationName == "process queue");
        Assert.Empty(process.Links);
        Assert.Equal(1L, process.GetTagItem("messaging.rabbitmq.message.delivery_tag"));
    }

    private static (string, object?) Of(string destination) => ("messaging.destination.name", destination);

    private static void AssertTags(Activity span, params (string Name, object Value)[] tags) =>
        Assert.All(tags, tag => Assert.Equal(tag.Value, span.GetTagItem(tag.Name)));

    private sealed class Observer : IAmqpPublishObserver
    {
        public List<long> Sizes { get; } = [];

        public void Written(long bodySize) => Sizes.Add(bodySize);
    }
}
