using System.Collections.Concurrent;
using System.Text;
using System.Text.Json;
using RabbitMQ.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;
using BasicProperties = RabbitMQ.Client.BasicProperties;

namespace Wire.RabbitMQ.Tests.Bodies;

/// <summary>Messages of several content types in one queue, published and consumed.</summary>
public abstract class BodyFormatOverBrokerTests(WireTransport transport)
{
    private static readonly OrderPlaced Order = new(Guid.NewGuid(), "Ada Lovelace", 12.5m);
    private static readonly GiftPlaced Gift = new(Guid.NewGuid(), "Bob", 1m, "Hello");

    [Fact]
    public async Task One_consumer_reads_all_of_them_and_what_is_published_says_what_it_is()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireBodySerializer serializer = Shop.Serializer
            .Writing<GiftPlaced>(new JsonBodyFormat().Allow(typeof(GiftPlaced), "gift"))
            .Writing<string>(new TextBodyFormat())
            .Writing<byte[]>(new BytesBodyFormat());
        var seen = new ConcurrentBag<(string?, string?, object)>();
        var all = new TaskCompletionSource();
        WireConsumer consumer = bench.Consumer(serializer: serializer);
        Task Handle(object message, MessageContext context)
        {
            seen.Add((context.ContentType, context.Type, message is byte[] bytes ? Convert.ToHexString(bytes) : message));
            if (seen.Count == 5)
            {
                all.TrySetResult();
            }

            return Task.CompletedTask;
        }

        consumer.Handle<Message>(Handle);
        consumer.Handle<string>(Handle);
        consumer.Handle<byte[]>(Handle);
        consumer.Handle<OrderPlaced>(Handle);
        await consumer.StartAsync().InTime();

        await using var publisher = new WirePublisher(bench.Connection.Connection, serializer);
        await publisher.PublishAsync<Message>("", bench.Queue, Order).AsTask().InTime();
        await publisher.PublishAsync<Message>("", bench.Queue, Gift).AsTask().InTime();
        await publisher.PublishAsync("", bench.Queue, "Grüße").AsTask().InTime();
        await publisher.PublishAsync("", bench.Queue, new byte[] { 1, 254 }, new PublishOptions { Type = "raw" }).AsTask().InTime();
        await bench.PublishRawAsync(
            JsonSerializer.SerializeToUtf8Bytes(Order),
            new BasicProperties { ContentType = "application/json", Type = "Wire.RabbitMQ.Tests.OrderPlaced, Wire.RabbitMQ.Tests" });
        await all.Task.InTime();

        Assert.Equivalent(
            new (string?, string?, object)[]
            {
                ("application/x-wire", "Wire.RabbitMQ.Tests.OrderPlaced", Order),
                ("application/json", "gift", Gift),
                ("text/plain; charset=utf-8", "System.String", "Grüße"),
                ("application/octet-stream", "raw", "01FE"),
                ("application/json", "Wire.RabbitMQ.Tests.OrderPlaced, Wire.RabbitMQ.Tests", Order),
            },
            seen,
            strict: true);
        Assert.Equal(1, seen.Count(each => each.Item3.Equals(Gift)));
        Assert.Equal(2, seen.Count(each => each.Item3.Equals(Order)));
        await consumer.StopAsync().InTime();
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
        Assert.Equal(0u, (await bench.LookAsync(bench.ErrorQueue)).MessageCount);
    }

    [Theory]
    [InlineData("application/json", "System.IO.FileInfo", "{}", FailureReason.TypeRefused)]
    [InlineData("application/json", "Wire.RabbitMQ.Tests.OrderPlaced", "{", FailureReason.Undecodable)]
    [InlineData("application/json", "Wire.RabbitMQ.Tests.OrderPlaced", "null", FailureReason.NoHandler)]
    [InlineData("application/xml", "Wire.RabbitMQ.Tests.OrderPlaced", "<a/>", FailureReason.Undecodable)]
    public async Task What_cannot_be_read_is_kept_as_it_came_with_the_reason(string contentType, string type, string body, string reason)
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        WireConsumer consumer = bench.Consumer(serializer: Shop.Serializer.Reading(new JsonBodyFormat()));
        consumer.Handle<OrderPlaced>((_, _) => Task.FromException(new InvalidOperationException("It has no handler.")));
        await consumer.StartAsync().InTime();
        await bench.PublishRawAsync(Encoding.UTF8.GetBytes(body), new BasicProperties { ContentType = contentType, Type = type });

        BasicGetResult kept = await bench.TakeAsync(bench.ErrorQueue);
        Assert.Equal(reason, kept.ErrorHeader("reason"));
        Assert.Equal((contentType, type, body), (
            kept.BasicProperties.ContentType, kept.BasicProperties.Type, Encoding.UTF8.GetString(kept.Body.Span)));
    }

    [Fact]
    public async Task Requests_and_replies_are_of_any_format()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        var json = new JsonBodyFormat();
        WireBodySerializer serializer = Shop.Serializer.Writing<Message>(json).Writing<string>(new TextBodyFormat());
        WireConsumer consumer = bench.Consumer(serializer: serializer);
        consumer.Reply<OrderPlaced, string>((order, context) => Task.FromResult($"{context.ContentType} of {order.Customer}"));
        await consumer.StartAsync().InTime();
        await using var requester = new WireRequester(bench.Connection.Connection, serializer);
        Assert.Equal(
            "application/json of Ada Lovelace", await requester.RequestAsync<Message, string>("", bench.Queue, Order).InTime());
    }

    [Fact]
    public async Task An_object_that_its_format_cannot_write_fails_alone_and_nothing_is_sent()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await using var publisher = new WirePublisher(
            bench.Connection.Connection, Shop.Serializer.Writing<object>(new TextBodyFormat()));
        await Assert.ThrowsAsync<ArgumentException>(() => publisher.PublishAsync<object>("", bench.Queue, Order).AsTask().InTime());
        await publisher.PublishAsync<object>("", bench.Queue, "text").AsTask().InTime();
        Assert.Equal("text", Encoding.UTF8.GetString((await bench.TakeAsync(bench.Queue)).Body.Span));
        Assert.Equal(0u, (await bench.LookAsync(bench.Queue)).MessageCount);
    }

    [Fact]
    public async Task Many_at_a_time_have_each_their_own_body()
    {
        await using ConsumerBench bench = await ConsumerBench.MakeAsync(transport);
        await using var publisher = new WirePublisher(
            bench.Connection.Connection,
            Shop.Serializer.Writing<string>(new TextBodyFormat()),
            new WirePublisherOptions { MaxInFlight = 8 });
        string[] texts = [.. Enumerable.Range(0, 500).Select(i => $"{i}:{new string((char)('a' + (i % 26)), i)}")];
        await Task.WhenAll(texts.Select(text => publisher.PublishAsync("", bench.Queue, text).AsTask())).InTime();
        var read = new HashSet<string>();
        while (await bench.Channel.BasicGetAsync(bench.Queue, autoAck: true) is { } got)
        {
            Assert.True(read.Add(Encoding.UTF8.GetString(got.Body.Span)));
        }

        Assert.Equal(texts.ToHashSet(), read);
    }
}

/// <inheritdoc/>
public sealed class BodyFormatOverBrokerTestsOnLane() : BodyFormatOverBrokerTests(WireTransport.DirectLane);

/// <inheritdoc/>
public sealed class BodyFormatOverBrokerTestsOnClient() : BodyFormatOverBrokerTests(WireTransport.Client);
