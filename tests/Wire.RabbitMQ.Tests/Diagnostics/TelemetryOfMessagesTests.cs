using System.Diagnostics;
using RabbitMQ.Client;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Diagnostics;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Requests;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using Wire.Testing.Telemetry;

namespace Wire.RabbitMQ.Tests.Diagnostics;

/// <summary>Spans and numbers of messages that go through the broker, also of those that do not arrive.</summary>
public abstract class TelemetryOfMessagesTests(WireTransport transport) : IAsyncLifetime
{
    private const string Wire = "Wire.RabbitMQ";
    private const string ClientPublishes = "RabbitMQ.Client.Publisher";
    private const string ClientDelivers = "RabbitMQ.Client.Subscriber";

    private IConnection _connection = null!;
    private TestConnection _tested = null!;
    private IChannel _channel = null!;
    private string _queue = null!;

    public async Task InitializeAsync()
    {
        _connection = await Broker.Node.ConnectAsync().InTime();
        _channel = await _connection.CreateChannelAsync().InTime();
        _queue = Broker.UniqueName(nameof(TelemetryOfMessagesTests));
        await _channel.QueueDeclareAsync(_queue, durable: false, exclusive: false, autoDelete: false).InTime();
        _tested = await TestConnection.ConnectAsync(transport);
    }

    public async Task DisposeAsync()
    {
        await _tested.DisposeAsync();
        await _channel.QueueDeleteAsync(_queue);
        await _channel.QueueDeleteAsync(_queue + ".error");
        await _channel.DisposeAsync();
        await _connection.DisposeAsync();
    }

    [Fact]
    public async Task A_listener_that_throws_costs_a_message_its_span_and_no_number()
    {
        using var numbers = new NumberListener(Wire);
        int thrown = 0;
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == Wire,
            Sample = (ref ActivityCreationOptions<ActivityContext> options) =>
                options.Name == $"process {_queue}" && Interlocked.Increment(ref thrown) == 1
                ? throw new InvalidOperationException("no span today")
                : ActivitySamplingResult.None,
        };
        ActivitySource.AddActivityListener(listener);
        var handled = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using WireConsumer consumer = await StartAsync(each => each.Handle<int>((_, context) =>
        {
            handled.SetResult(context.Redelivered);
            return Task.CompletedTask;
        }));
        await using var publisher = _tested.Publisher(Shop.Serializer);
        await publisher.PublishAsync("", _queue, 1).AsTask().InTime();

        Assert.False(await handled.Task.InTime());
        await NumberListener.UntilAsync(
            () => numbers.Sum("messaging.client.consumed.messages", ("messaging.destination.name", _queue)) == 1);
    }

    [Fact]
    public async Task A_listener_that_throws_when_a_span_ends_keeps_no_publish_from_its_end()
    {
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == Wire,
            Sample = (ref ActivityCreationOptions<ActivityContext> options) =>
                options.Name == $"publish {_queue}" ? ActivitySamplingResult.AllData : ActivitySamplingResult.None,
            ActivityStopped = span => throw new InvalidOperationException("not this one"),
        };
        ActivitySource.AddActivityListener(listener);
        await using var publisher = _tested.Publisher(Shop.Serializer);

        await Task.WhenAll(Enumerable.Range(0, 200).Select(i => publisher.PublishAsync("", _queue, i).AsTask())).InTime();

        Assert.Equal(200u, await _channel.MessageCountAsync(_queue).InTime());
    }

    [Fact]
    public async Task A_message_is_one_trace_from_the_caller_to_the_handler_and_on()
    {
        using var spans = new SpanListener(Wire);
        var seen = new TaskCompletionSource<(ActivityTraceId Trace, ActivitySpanId Span, string? Baggage)>(
            TaskCreationOptions.RunContinuationsAsynchronously);
        await using WireConsumer consumer = await StartAsync(each => each.Handle<int>((_, _) =>
        {
            seen.SetResult((Activity.Current!.TraceId, Activity.Current.SpanId, Activity.Current.GetBaggageItem("shop")));
            return Task.CompletedTask;
        }));
        await using var publisher = _tested.Publisher(Shop.Serializer);

        using (Activity caller = new Activity("caller").AddBaggage("shop", "north").Start())
        {
            caller.TraceStateString = "vendor=1";
            await publisher.PublishAsync("", _queue, 1, new PublishOptions { MessageId = "m1", CorrelationId = "c1" }).AsTask().InTime();
            Assert.Same(caller, Activity.Current);

            Activity publish = await spans.SpanAsync(span => span.OperationName == $"publish {_queue}");
            Activity process = await spans.SpanAsync(span => span.OperationName == $"process {_queue}");
            (ActivityTraceId trace, ActivitySpanId span, string? baggage) = await seen.Task.InTime();

            Assert.Equal((ActivityKind.Producer, ActivityKind.Consumer), (publish.Kind, process.Kind));
            Assert.Equal((caller.TraceId, caller.SpanId), (publish.TraceId, publish.ParentSpanId));
            Assert.Equal((publish.TraceId, publish.SpanId), (process.TraceId, process.ParentSpanId));
            Assert.Equal(publish.SpanId, Assert.Single(process.Links).Context.SpanId);
            Assert.Equal((process.TraceId, process.SpanId, "north"), (trace, span, baggage));
            Assert.Equal("vendor=1", process.TraceStateString);
            Assert.Equal((ActivityStatusCode.Unset, ActivityStatusCode.Unset), (publish.Status, process.Status));
            AssertTags(publish, ("messaging.operation.name", "publish"), ("messaging.operation.type", "send"));
            AssertTags(
                process,
                ("messaging.operation.name", "process"),
                ("messaging.operation.type", "process"),
                ("messaging.rabbitmq.message.delivery_tag", 1L));
        }

        void AssertTags(Activity span, params (string Name, object Value)[] tags)
        {
            foreach ((string name, object value) in (IEnumerable<(string, object)>)[.. tags,
                ("messaging.system", "rabbitmq"), ("messaging.destination.name", _queue),
                ("messaging.rabbitmq.destination.routing_key", _queue),
                ("messaging.message.id", "m1"), ("messaging.message.conversation_id", "c1"),
                ("server.address", Broker.Node.Uri.Host), ("server.port", Broker.Node.Uri.Port)])
            {
                Assert.Equal(value, span.GetTagItem(name));
            }

            Assert.True((int)span.GetTagItem("messaging.message.body.size")! > 0);
        }
    }

    [Fact]
    public async Task The_context_of_the_caller_travels_also_when_nobody_listens_here_and_what_the_program_wrote_itself_stays()
    {
        await using var publisher = _tested.Publisher(Shop.Serializer);
        string own = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        string callers;
        using (Activity caller = new Activity("caller").SetIdFormat(ActivityIdFormat.W3C).Start())
        {
            callers = caller.Id!;
            await publisher.PublishAsync("", _queue, 1).AsTask().InTime();
            await publisher.PublishAsync(
                "",
                _queue,
                2,
                new PublishOptions { Headers = new Dictionary<string, object?> { ["traceparent"] = own } }).AsTask().InTime();
        }

        await publisher.PublishAsync("", _queue, 3).AsTask().InTime();

        Assert.Equal(callers, await TraceParentAsync());
        Assert.Equal(own, await TraceParentAsync());
        Assert.Null(await TraceParentAsync());
    }

    [Fact]
    public async Task Messages_side_by_side_keep_each_its_own_trace()
    {
        using var spans = new SpanListener(Wire, ClientPublishes);
        await using var publisher = _tested.Publisher(Shop.Serializer, new WirePublisherOptions { MaxChannels = 1, MaxInFlight = 16 });
        var traces = new Dictionary<string, ActivityTraceId>();
        var tasks = new List<Task>();
        for (int i = 0; i < 200; i++)
        {
            using Activity caller = new Activity("caller").SetIdFormat(ActivityIdFormat.W3C).SetParentId(
                ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom()).Start();
            traces.Add($"m{i}", caller.TraceId);
            tasks.Add(publisher.PublishAsync("", _queue, i, new PublishOptions { MessageId = $"m{i}" }).AsTask());
        }

        await Task.WhenAll(tasks).InTime();

        for (int i = 0; i < 200; i++)
        {
            BasicGetResult message = (await _channel.BasicGetAsync(_queue, autoAck: true).InTime())!;
            Assert.Equal(traces[message.BasicProperties.MessageId!],
                TraceContext.Extract(ClientProperties.From(message.BasicProperties).Headers).TraceId);
        }
    }

    [Fact]
    public async Task With_the_spans_of_the_client_as_well_the_message_stays_one_trace()
    {
        using var spans = new SpanListener(Wire, ClientPublishes, ClientDelivers);
        await using WireConsumer consumer = await StartAsync(each => each.Handle<int>((_, _) => Task.CompletedTask));
        await using var publisher = _tested.Publisher(Shop.Serializer);
        using Activity caller = new Activity("caller").SetIdFormat(ActivityIdFormat.W3C).Start();

        await publisher.PublishAsync("", _queue, 1).AsTask().InTime();

        Activity ours = await spans.SpanAsync(span => span.Source.Name == Wire && span.OperationName == $"publish {_queue}");
        Activity process = await spans.SpanAsync(span => span.OperationName == $"process {_queue}");
        if (transport == WireTransport.DirectLane)
        {
            // It has no spans of its own: ours are all there are.
            Assert.Equal((caller.TraceId, ours.SpanId), (process.TraceId, process.ParentSpanId));
            return;
        }

        Activity clients = await spans.SpanAsync(span => span.Source.Name == ClientPublishes && span.TraceId == caller.TraceId);
        Activity deliver = await spans.SpanAsync(span => span.Source.Name == ClientDelivers
            && (span.TraceId == caller.TraceId || span.Links.Any(link => link.Context.TraceId == caller.TraceId)));

        // The client writes its own span over ours, which is its parent; on the way back it makes a trace of its own with a link until 7.1,
        // and ours stays in the trace.
        Assert.Equal(caller.SpanId, ours.ParentSpanId);
        Assert.Equal(ours.SpanId, clients.ParentSpanId);
        Assert.Equal((caller.TraceId, clients.SpanId), (process.TraceId, process.ParentSpanId));
        bool staysInTrace = FileVersionInfo.GetVersionInfo(typeof(IChannel).Assembly.Location).FileMinorPart >= 2;
        Assert.Equal(staysInTrace, caller.TraceId == deliver.TraceId);
    }

    [Fact]
    public async Task What_is_published_is_counted_and_timed_by_what_became_of_it()
    {
        using var numbers = new NumberListener(Wire);
        using var spans = new SpanListener(Wire);
        await using var publisher = _tested.Publisher(Shop.Serializer);
        string nowhere = Broker.UniqueName();
        await publisher.PublishAsync("", _queue, 1).AsTask().InTime();
        await publisher.PublishAsync("", _queue, 2).AsTask().InTime();
        await Assert.ThrowsAsync<AmqpPublishException>(() => publisher.PublishAsync("", nowhere, 1).AsTask().InTime());
        await Assert.ThrowsAsync<UnsupportedTypeException>(
            () => publisher.PublishAsync<object>("", _queue, (Action)(() => { })).AsTask().InTime());

        Assert.Equal(2, numbers.Sum(
            "messaging.client.sent.messages",
            Destination(_queue),
            ("messaging.operation.name", "publish"),
            ("error.type", null),
            ("server.port", Broker.Node.Uri.Port)));
        Assert.Equal(1, numbers.Sum("messaging.client.sent.messages", Destination(nowhere), ("error.type", "returned")));

        // What could not be serialized was never sent.
        Assert.Equal(2, numbers.Sum("messaging.client.sent.messages", Destination(_queue)));
        Number failed = Assert.Single(numbers.Of(
            "messaging.client.operation.duration", Destination(_queue), ("error.type", typeof(UnsupportedTypeException).FullName)));
        Assert.Equal("s", failed.Unit);
        Assert.Equal(2, numbers.Of("messaging.client.operation.duration", Destination(_queue), ("error.type", null)).Count);

        Activity returned = await spans.SpanAsync(span => span.OperationName == $"publish {nowhere}");
        Assert.Equal((ActivityStatusCode.Error, "returned"), (returned.Status, returned.GetTagItem("error.type")));
        Assert.Contains(nowhere, returned.StatusDescription, StringComparison.Ordinal);
        Assert.Equal(
            returned.Duration.TotalSeconds, Assert.Single(numbers.Of("messaging.client.operation.duration", Destination(nowhere))).Value);
    }

    [Fact]
    public async Task What_the_broker_refuses_is_counted_as_that_and_its_channel_as_lost()
    {
        using var numbers = new NumberListener(Wire);
        await using var publisher = _tested.Publisher(Shop.Serializer);
        string missing = Broker.UniqueName();

        await Assert.ThrowsAsync<AmqpPublishException>(() => publisher.PublishAsync(missing, "key", 1).AsTask().InTime());

        Assert.Equal(1, numbers.Sum("messaging.client.sent.messages", Destination(missing), ("error.type", "refused")));
        await NumberListener.UntilAsync(() => numbers.Sum("wire.rabbitmq.channels.lost") == 1);
        Assert.Equal(1, numbers.Sum("wire.rabbitmq.channels.opened"));
    }

    [Fact]
    public async Task What_is_consumed_is_counted_and_timed_once_however_often_it_is_tried()
    {
        using var numbers = new NumberListener(Wire);
        using var spans = new SpanListener(Wire);
        int attempts = 0;
        await using WireConsumer consumer = await StartAsync(each => each.Handle<string>((text, context) =>
            text == "bad" || (text == "twice" && context.Attempt == 1)
                ? throw new InvalidOperationException($"No {Interlocked.Increment(ref attempts)}.")
                : Task.CompletedTask));
        await using var publisher = _tested.Publisher(Shop.Serializer);

        await publisher.PublishAsync("", _queue, "good", new PublishOptions { MessageId = "same" }).AsTask().InTime();
        await NumberListener.UntilAsync(() => numbers.Sum("messaging.client.consumed.messages", Destination(_queue)) == 1);
        await publisher.PublishAsync("", _queue, "good", new PublishOptions { MessageId = "same" }).AsTask().InTime();
        await publisher.PublishAsync("", _queue, "twice").AsTask().InTime();
        await publisher.PublishAsync("", _queue, "bad").AsTask().InTime();
        await publisher.PublishAsync("", _queue, 7).AsTask().InTime();
        await NumberListener.UntilAsync(() => numbers.Sum("messaging.client.consumed.messages", Destination(_queue)) == 5
            && numbers.Sum("wire.rabbitmq.process.error_queued", Destination(_queue)) == 2);

        Assert.Equal(3, numbers.Sum("messaging.client.consumed.messages", Destination(_queue), ("error.type", null)));
        Assert.Equal(1, numbers.Sum("messaging.client.consumed.messages", Destination(_queue), ("error.type", "handler-failed")));
        Assert.Equal(1, numbers.Sum("messaging.client.consumed.messages", Destination(_queue), ("error.type", "no-handler")));
        Assert.Equal(5, numbers.Of("messaging.process.duration", Destination(_queue), ("messaging.operation.name", "process")).Count);
        Assert.Equal(3, numbers.Sum("wire.rabbitmq.process.retries", Destination(_queue)));
        Assert.Equal(1, numbers.Sum("wire.rabbitmq.process.duplicates", Destination(_queue)));
        Assert.Equal(1, numbers.Sum("wire.rabbitmq.process.error_queued", Destination(_queue), ("error.type", "handler-failed")));

        // What goes to the error queue does so in the trace of the message, whose own context it keeps.
        Activity process = await spans.SpanAsync(
            span => span.OperationName == $"process {_queue}" && (string?)span.GetTagItem("error.type") == "handler-failed");
        Activity moved = await spans.SpanAsync(span => span.OperationName == $"publish {_queue}.error" && span.TraceId == process.TraceId);
        Assert.Equal(process.SpanId, moved.ParentSpanId);
        Assert.Equal(ActivityStatusCode.Error, process.Status);
    }

    [Fact]
    public async Task Requests_are_timed_to_their_reply_and_what_is_in_flight_is_told_when_asked()
    {
        using var spans = new SpanListener(Wire);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var arrived = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using WireConsumer consumer = await StartAsync(each => each.Reply<int, int>(async (number, _) =>
        {
            arrived.SetResult();
            await release.Task;
            return number;
        }));
        await using var requester = _tested.Requester(Shop.Serializer);
        Task<int> reply = requester.RequestAsync<int, int>("", _queue, 1);
        await arrived.Task.InTime();

        // Begun late: what is there is told all the same. Handlers of other tests may never end: what their queues have is not asked for.
        using var numbers = new NumberListener(Wire);
        Assert.Equal(1, numbers.Now("wire.rabbitmq.request.in_flight"));
        Assert.Equal(1, numbers.Now("wire.rabbitmq.process.in_flight", Destination(_queue)));
        release.SetResult();
        await reply.InTime();
        await NumberListener.UntilAsync(() => numbers.Now("wire.rabbitmq.request.in_flight") == 0
            && numbers.Now("wire.rabbitmq.process.in_flight", Destination(_queue)) == 0);

        Activity request = await spans.SpanAsync(span => span.OperationName == $"request {_queue}");
        Activity process = await spans.SpanAsync(span => span.OperationName == $"process {_queue}");
        Activity replied = await spans.SpanAsync(span => span.OperationName == "publish amq.rabbitmq.reply-to");
        Assert.Equal((request.TraceId, request.SpanId), (process.TraceId, process.ParentSpanId));
        Assert.Equal((request.TraceId, process.SpanId), (replied.TraceId, replied.ParentSpanId));
        Assert.Equal("request", request.GetTagItem("messaging.operation.name"));
    }

    private static (string, object?) Destination(string name) => ("messaging.destination.name", name);

    private async Task<string?> TraceParentAsync()
    {
        BasicGetResult message = (await _channel.BasicGetAsync(_queue, autoAck: true).InTime())!;
        return ReplyHeaders.Text(ClientProperties.From(message.BasicProperties).Headers, "traceparent");
    }

    private async Task<WireConsumer> StartAsync(Func<WireConsumer, WireConsumer> handlers)
    {
        WireConsumer consumer = handlers(_tested.Consumer(Shop.Serializer, new WireConsumerOptions { Queue = _queue }));
        await consumer.StartAsync().InTime();
        return consumer;
    }
}

/// <inheritdoc/>
[Collection(TelemetryTests.Name)]
public sealed class TelemetryOfMessagesTestsOnClient() : TelemetryOfMessagesTests(WireTransport.Client);

/// <inheritdoc/>
[Collection(TelemetryTests.Name)]
public sealed class TelemetryOfMessagesTestsOnLane() : TelemetryOfMessagesTests(WireTransport.DirectLane);
