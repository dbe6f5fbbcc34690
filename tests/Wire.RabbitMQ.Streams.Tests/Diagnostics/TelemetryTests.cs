using System.Diagnostics;
using Wire.Amqp;
using Wire.Amqp.V10;
using Wire.RabbitMQ.Streams.Protocol;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Testing.Telemetry;

namespace Wire.RabbitMQ.Streams.Tests.Diagnostics;

/// <summary>Spans and numbers of messages, while someone listens.</summary>
[Collection(nameof(RunAlone))]
public sealed class TelemetryTests
{
    private const string Wire = "Wire.RabbitMQ.Streams";
    private const string Sent = "messaging.client.sent.messages";
    private const string Duration = "messaging.client.operation.duration";
    private const string Consumed = "messaging.client.consumed.messages";
    private const string ProcessDuration = "messaging.process.duration";
    private const string InFlight = "wire.rabbitmq.streams.publish.in_flight";
    private const string Lag = "wire.rabbitmq.streams.consumer.lag";

    private static readonly ActivitySource Own = new("streams of a test");

    [Fact]
    public async Task A_message_is_one_trace_from_the_caller_to_the_handler()
    {
        using var spans = new SpanListener(Wire, Own.Name);
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name);
        using Activity caller = Own.StartActivity("caller")!;
        caller.TraceStateString = "a=b";
        await producer.SendAsync("one").AsTask().WaitAsync(Patience.Limit);
        await producer.SendMessageAsync(
            "two",
            new Properties { Subject = "subject" },
            new ApplicationProperties { Map = AmqpValue.Map(("own", 7)) }).AsTask().WaitAsync(Patience.Limit);
        await producer.EnqueueAsync("three").AsTask().WaitAsync(Patience.Limit);
        Assert.Same(caller, Activity.Current);

        var seen = new List<(string? Text, Activity? Current, int Properties)>();
        await using StreamConsumer consumer = await stream.Client.ConsumeAsync<string>(
            stream.Name,
            async (text, message) =>
            {
                int properties = message.ReadApplicationProperties().Count;
                if (text == "two")
                {
                    Assert.Equal(7, message.ReadApplicationProperties()["own"].As<int>());
                    Assert.Equal("subject", message.ReadProperties().Subject.ToString());
                }

                await Task.Yield();
                lock (seen)
                {
                    seen.Add((text, Activity.Current, properties));
                }
            },
            new StreamConsumerOptions { Offset = StreamOffset.First, Name = "readers" });
        Activity[] published = await spans.SpansAsync($"publish {stream.Name}", 3);
        Activity[] processed = await spans.SpansAsync($"process {stream.Name}", 3);

        Assert.Equal(["one", "two", "three"], seen.Select(each => each.Text));
        Assert.Equal([2, 3, 2], seen.Select(each => each.Properties));
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal((caller.TraceId, caller.SpanId), (published[i].TraceId, published[i].ParentSpanId));
            Assert.Equal((caller.TraceId, published[i].SpanId), (processed[i].TraceId, processed[i].ParentSpanId));
            Assert.Equal(published[i].SpanId, Assert.Single(processed[i].Links).Context.SpanId);
            Assert.Equal("a=b", processed[i].TraceStateString);
            Assert.Equal((ActivityKind.Producer, ActivityKind.Consumer), (published[i].Kind, processed[i].Kind));
            Assert.Same(processed[i], seen[i].Current);
            Assert.Equal((long)i, processed[i].GetTagItem("messaging.rabbitmq.stream.offset"));
            Assert.Equal("readers", processed[i].GetTagItem("messaging.consumer.group.name"));
        }

        Assert.Equal(
            new Dictionary<string, object?>
            {
                ["messaging.system"] = "rabbitmq",
                ["messaging.operation.name"] = "publish",
                ["messaging.operation.type"] = "send",
                ["messaging.destination.name"] = stream.Name,
            },
            published[0].TagObjects.ToDictionary());
    }

    [Fact]
    public async Task What_has_no_place_for_a_context_stays_as_it_is_and_batches_have_one_span()
    {
        using var spans = new SpanListener(Wire);
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using (StreamProducer producer = await stream.Client.CreateProducerAsync(
            stream.Name, new StreamProducerOptions { Format = StreamFormat.Wire }))
        {
            await producer.SendBytesAsync(new byte[] { 1, 2, 3 }).AsTask().WaitAsync(Patience.Limit);
            await producer.SendAsync(42).AsTask().WaitAsync(Patience.Limit);
        }

        Assert.Equal([[1, 2, 3], new Serializer().Serialize(42)], await stream.ReadAsync());
        var read = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamConsumer consumer = await stream.Client.ConsumeBatchesAsync(
            stream.Name,
            _ =>
            {
                if (read.TrySetResult())
                {
                    throw new InvalidOperationException("not these");
                }
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        await read.Task.WaitAsync(Patience.Limit);
        await Assert.ThrowsAsync<StreamConsumerException>(() => consumer.Completion.WaitAsync(Patience.Limit));

        // Before it, each message of the reader above had a span.
        Activity[] processed = await spans.SpansAsync($"process {stream.Name}", 4);
        Activity batch = Assert.Single(processed, span => span.GetTagItem("messaging.batch.message_count") is not null);
        Assert.Equal(ActivityStatusCode.Error, batch.Status);
        Assert.Equal("System.InvalidOperationException", batch.GetTagItem("error.type"));
        Assert.All(processed, span => Assert.Empty(span.Links));
    }

    [Fact]
    public async Task Outcomes_are_counted_and_confirms_are_timed()
    {
        await using var server = new StrictStreamServer();
        server.Create("counted");
        await using var client = new StreamClient(server.Options);
        using var numbers = new StreamNumbers();
        await using StreamProducer producer = await client.CreateProducerAsync(
            "counted", new StreamProducerOptions { ConfirmTimeout = TimeSpan.FromSeconds(2) });
        server.HoldsConfirms = true;
        Task[] sends = [.. Enumerable.Range(0, 5).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask())];
        Assert.Equal([5], numbers.Now(InFlight, "counted"));
        server.HoldsConfirms = false;
        await Task.WhenAll(sends).WaitAsync(Patience.Limit);
        await Until.HoldsAsync(() => numbers.Of(Sent, "counted").Sum() == 5, "five messages");
        await Until.HoldsAsync(() => numbers.Of(Duration, "counted").Length > 0, "a time");
        Assert.All(numbers.Of(Duration, "counted"), seconds => Assert.InRange(seconds, 0.000_001, 60));

        server.HoldsConfirms = true;
        await Assert.ThrowsAsync<StreamPublishException>(
            () => producer.SendBytesAsync(ProducerStream.Body(5)).AsTask().WaitAsync(Patience.Limit));
        await Until.HoldsAsync(() => numbers.Of(Sent, "counted", "timeout").Sum() == 1, "the one that was late");
        Assert.Equal("publish", numbers.Tags(Sent, "counted")["messaging.operation.name"]);
        await producer.CloseAsync().WaitAsync(Patience.Limit);
        Assert.Empty(numbers.Now(InFlight, "counted"));
        server.HoldsConfirms = false;
    }

    [Fact]
    public async Task A_message_that_is_confirmed_before_an_older_one_is_counted_at_once()
    {
        await using var server = new StrictStreamServer();
        server.Create("overtaken");
        await using var client = new StreamClient(server.Options);
        using var numbers = new StreamNumbers();
        await using StreamProducer producer = await client.CreateProducerAsync(
            "overtaken", new StreamProducerOptions { ConfirmTimeout = TimeSpan.FromSeconds(3) });
        server.When(CommandKey.Publish, Reaction.Silence);
        Task lost = producer.SendBytesAsync(ProducerStream.Body(0)).AsTask();
        await server.ReceivedAsync(CommandKey.Publish);
        await producer.SendBytesAsync(ProducerStream.Body(1)).AsTask().WaitAsync(Patience.Limit);
        await Until.HoldsAsync(() => numbers.Of(Sent, "overtaken").Sum() == 1, "the second message");
        Assert.False(lost.IsCompleted);
        await Assert.ThrowsAsync<StreamPublishException>(() => lost.WaitAsync(Patience.Limit));
        await Until.HoldsAsync(() => numbers.Of(Sent, "overtaken", "timeout").Sum() == 1, "the first message");
        Assert.Equal(1, numbers.Of(Sent, "overtaken").Sum());
    }

    [Fact]
    public async Task A_refusal_is_counted_with_the_answer_of_the_broker()
    {
        await using var server = new StrictStreamServer();
        server.Create("refused");
        server.RefuseMessage = (_, _) => StreamResponseCode.AccessRefused;
        await using var client = new StreamClient(server.Options);
        using var numbers = new StreamNumbers();
        await using StreamProducer producer = await client.CreateProducerAsync("refused");
        await Assert.ThrowsAsync<StreamPublishException>(
            () => producer.SendBytesAsync(ProducerStream.Body(0)).AsTask().WaitAsync(Patience.Limit));
        await Until.HoldsAsync(() => numbers.Of(Sent, "refused", "AccessRefused").Sum() == 1, "the one that was refused");
        Assert.Empty(numbers.Of(Sent, "refused"));
    }

    [Fact]
    public async Task What_was_never_sent_is_timed_with_its_error_and_does_not_count_as_sent()
    {
        await using var server = new StrictStreamServer();
        server.Create("unsent");
        await using var client = new StreamClient(server.Options);
        using var numbers = new StreamNumbers();
        await using StreamProducer producer = await client.CreateProducerAsync(
            "unsent", new StreamProducerOptions { ConfirmTimeout = TimeSpan.FromSeconds(1) });
        server.HoldsConfirms = true;
        await Assert.ThrowsAsync<StreamPublishException>(
            () => producer.SendBytesAsync(ProducerStream.Body(0)).AsTask().WaitAsync(Patience.Limit));
        await Until.HoldsAsync(() => numbers.Of(Duration, "unsent", "timeout").Length == 1, "the one that was sent");
        Assert.Equal([1], numbers.Of(Sent, "unsent", "timeout"));

        server.Always(CommandKey.DeclarePublisher, Reaction.Refuse(StreamResponseCode.AccessRefused));
        server.Forget("unsent", StreamResponseCode.StreamNotAvailable);
        await Until.HoldsAsync(() => producer.Interruption is not null, "the loss");
        Task[] sends = [.. Enumerable.Range(1, 3).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask())];
        await Assert.ThrowsAsync<StreamPublishException>(() => Task.WhenAll(sends).WaitAsync(Patience.Limit));
        await Until.HoldsAsync(() => numbers.Of(Duration, "unsent", "timeout").Length == 4, "those that were not sent");
        Assert.All(numbers.Of(Duration, "unsent", "timeout"), seconds => Assert.InRange(seconds, 0.9, 60));
        Assert.Equal([1], numbers.Of(Sent, "unsent", "timeout"));
        server.HoldsConfirms = false;
        server.Always(CommandKey.DeclarePublisher, null);
    }

    [Fact]
    public async Task A_context_that_the_program_has_set_is_kept_without_parts_of_another()
    {
        const string Parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        using var spans = new SpanListener(Wire, Own.Name);
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name);
        using Activity caller = Own.StartActivity("caller")!.AddBaggage("shop", "north");
        caller.TraceStateString = "a=b";
        await producer.SendMessageAsync(1, default, new ApplicationProperties { Map = AmqpValue.Map(("traceparent", Parent)) })
            .AsTask().WaitAsync(Patience.Limit);
        var seen = new TaskCompletionSource<(int Count, string Parent)>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamConsumer consumer = await stream.Client.ConsumeAsync(
            stream.Name,
            message =>
            {
                AmqpMap properties = message.ReadApplicationProperties();
                seen.SetResult((properties.Count, properties["traceparent"].As<string>()));
                return default;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First });
        Assert.Equal((1, Parent), await seen.Task.WaitAsync(Patience.Limit));
    }

    [Fact]
    public async Task The_lag_is_what_is_left()
    {
        await using var server = new StrictStreamServer();
        server.Create("read");
        for (int i = 0; i < 5; i++)
        {
            server.Append("read", [.. Enumerable.Range(10 * i, 10).Select(number => ProducerStream.Body(number))]);
        }

        await using var client = new StreamClient(server.Options);
        using var numbers = new StreamNumbers();
        var held = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var reached = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using StreamConsumer consumer = await client.ConsumeAsync(
            "read",
            async message =>
            {
                if (message.Offset == 15)
                {
                    reached.SetResult();
                    await held.Task;
                }
            },
            new StreamConsumerOptions { Offset = StreamOffset.First, Name = "readers" });
        await reached.Task.WaitAsync(Patience.Limit);

        // From the one that is handled to the beginning of the last chunk, 40, with it.
        await Until.HoldsAsync(() => numbers.Now(Lag, "read") is [26], "the lag");
        Assert.Equal("readers", numbers.Tags(Lag, "read")["messaging.consumer.group.name"]);
        held.SetResult();
        await Until.HoldsAsync(() => numbers.Now(Lag, "read") is [0], "the end");
        await consumer.CloseAsync();
        Assert.Empty(numbers.Now(Lag, "read"));
    }

    [Fact]
    public async Task Handled_messages_are_counted_with_their_errors()
    {
        await using var server = new StrictStreamServer();
        server.Create("handled");
        server.Append("handled", [.. Enumerable.Range(0, 10).Select(number => ProducerStream.Body(number))]);
        await using var client = new StreamClient(server.Options);
        using var numbers = new StreamNumbers();
        await using (StreamConsumer skipping = await client.ConsumeAsync(
            "handled",
            message => message.Offset == 4 ? throw new FormatException("not this one") : default,
            new StreamConsumerOptions { Offset = StreamOffset.First, OnFailure = _ => StreamFailedMessage.Skip }))
        {
            await Until.HoldsAsync(() => numbers.Of(Consumed, "handled").Sum() == 9, "nine messages");
            Assert.Equal(1, numbers.Of(Consumed, "handled", "System.FormatException").Sum());
        }

        await using StreamConsumer ending = await client.ConsumeAsync(
            "handled",
            message => message.Offset == 4 ? throw new FormatException("not this one") : default,
            new StreamConsumerOptions { Offset = StreamOffset.First });
        await Assert.ThrowsAsync<StreamConsumerException>(() => ending.Completion.WaitAsync(Patience.Limit));
        Assert.Equal(9 + 4, numbers.Of(Consumed, "handled").Sum());
        Assert.Equal(2, numbers.Of(Consumed, "handled", "System.FormatException").Sum());
    }

    [Fact]
    public async Task Handlers_are_timed_once_for_a_chunk_by_the_message()
    {
        const int Messages = 10;
        var pause = TimeSpan.FromMilliseconds(20);
        await using var server = new StrictStreamServer();
        server.Create("timed");
        server.Append("timed", [.. Enumerable.Range(0, Messages).Select(number => ProducerStream.Body(number))]);
        await using var client = new StreamClient(server.Options);
        using var numbers = new StreamNumbers();
        long start = Stopwatch.GetTimestamp();
        await using (StreamConsumer each = await client.ConsumeAsync(
            "timed",
            async _ => await Task.Delay(pause),
            new StreamConsumerOptions { Name = "each", Offset = StreamOffset.First }))
        {
            await Until.HoldsAsync(() => numbers.Of(ProcessDuration, "timed").Length == 1, "the time of the chunk");
        }

        // A timer may fire a little early.
        Assert.InRange(
            numbers.Of(ProcessDuration, "timed")[0],
            pause.TotalSeconds / 2,
            Stopwatch.GetElapsedTime(start).TotalSeconds / Messages);
        Assert.Equal("each", numbers.Tags(ProcessDuration, "timed")["messaging.consumer.group.name"]);
    }

    [Fact]
    public async Task A_listener_that_throws_costs_no_message()
    {
        await using var server = new StrictStreamServer();
        server.Create("thrown");
        await using var client = new StreamClient(server.Options);
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
        await using StreamProducer producer = await client.CreateProducerAsync("thrown");
        await Task.WhenAll(Enumerable.Range(0, 20).Select(i => producer.SendBytesAsync(ProducerStream.Body(i)).AsTask()))
            .WaitAsync(Patience.Limit);
        var read = new Numbers();
        await using StreamConsumer consumer =
            await client.ConsumeAsync("thrown", read.Add, new StreamConsumerOptions { Offset = StreamOffset.First });
        await read.ReachAsync(20);
        Assert.Equal(Enumerable.Range(0, 20), read.All);
        Assert.InRange(thrown, 40, int.MaxValue);
    }

    [Fact]
    public async Task Without_listeners_nothing_is_added_to_a_message()
    {
        await using ProducerStream stream = await ProducerStream.CreateAsync();
        await using (StreamProducer producer = await stream.Client.CreateProducerAsync(stream.Name))
        {
            using Activity caller = new Activity("caller").Start();
            await producer.SendAsync(42).AsTask().WaitAsync(Patience.Limit);
        }

        byte[] payload = new Serializer().Serialize(42);
        Assert.Equal([[0, 0x53, 0x75, 0xa0, (byte)payload.Length, .. payload]], await stream.ReadAsync());
    }
}
