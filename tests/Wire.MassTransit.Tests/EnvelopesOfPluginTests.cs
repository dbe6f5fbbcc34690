using System.Text;
using MassTransit;
using RabbitMQ.Client;
using Wire.RabbitMQ;
using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <summary>Services of MassTransit and of Wire.RabbitMQ that send messages to each other while a system moves.</summary>
public sealed class EnvelopesOfPluginTests : IAsyncLifetime
{
    private static readonly JsonBodyFormat Json = new();

    private readonly string _queue = $"wire.moving.{Guid.NewGuid():N}";
    private WireConnection _connection = null!;

    /// <summary>A name that a service of Wire takes over: exchanges are those of MassTransit.</summary>
    private sealed class Names : WireConventions
    {
        public override string ExchangeOf(Type type) => $"{type.Namespace}:{type.DeclaringType!.Name}-{type.Name}";
    }

    public interface IMoved
    {
        Guid Id { get; }
    }

    public record Moved(Guid Id, string Where, int[] Steps) : IMoved;

    public sealed record MovedFast(Guid Id, string Where, int[] Steps, double Speed) : Moved(Id, Where, Steps);

    public sealed record Holder<T>(T Held);

    public async Task InitializeAsync() => _connection = await WireConnection.ConnectAsync(Broker.Node.Uri.ToString());

    public async Task DisposeAsync()
    {
        await _connection.DisposeAsync();
        await using IConnection connection = await new ConnectionFactory { Uri = Broker.Node.Uri }.CreateConnectionAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        foreach (string name in (string[])[_queue, $"{_queue}.error", $"{_queue}_error", $"{_queue}_skipped"])
        {
            await channel.QueueDeleteAsync(name).InTime();
            await channel.ExchangeDeleteAsync(name).InTime();
        }

        foreach (Type type in (Type[])[typeof(IMoved), typeof(Moved), typeof(MovedFast)])
        {
            await channel.ExchangeDeleteAsync(new Names().ExchangeOf(type)).InTime();
        }
    }

    [Fact]
    public async Task What_MassTransit_publishes_comes_to_the_handler_of_its_type()
    {
        var inbox = new Inbox<(object Message, string? ContentType, string? Id)>();
        var options = new WireConsumerOptions { Queue = _queue, Conventions = new Names() };
        await using var consumer = new WireConsumer(_connection, Serializer(), options);
        consumer.Handle<Moved>((message, context) => inbox.Add((message, context.ContentType, context.MessageId)));
        consumer.Handle<MovedFast>((message, context) => inbox.Add((message, context.ContentType, context.MessageId)));
        await consumer.StartAsync().InTime();
        IBusControl bus = Bus.Factory.CreateUsingRabbitMq(factory => factory.Host(Broker.Node.Uri));
        await bus.StartAsync().InTime();
        try
        {
            var moved = new Moved(Guid.NewGuid(), "Köln", [1, 2]);
            await bus.Publish(moved).InTime();
            (object message, string? contentType, string? id) = await inbox.Next();
            Assert.Equivalent(moved, Assert.IsType<Moved>(message), strict: true);
            Assert.Equal("application/vnd.masstransit+json", contentType);
            Assert.True(Guid.TryParse(id, out _));

            var fast = new MovedFast(Guid.NewGuid(), "Kiel", [], 1.5);
            await bus.Publish(fast).InTime();

            // Its exchanges are bound to those of the bases: once by its own and once by that of Moved, from one queue one time.
            Assert.Equivalent(fast, Assert.IsType<MovedFast>((await inbox.Next()).Message), strict: true);
            await consumer.StopAsync().InTime();
            Assert.True(inbox.IsEmpty);
        }
        finally
        {
            await bus.StopAsync(TimeSpan.FromSeconds(30));
        }
    }

    [Fact]
    public async Task What_is_published_here_comes_to_consumers_of_MassTransit_by_class_and_by_interface()
    {
        var byClass = new Inbox<(Moved Message, Guid? Id)>();
        var byInterface = new Inbox<Guid>();
        IBusControl bus = Bus.Factory.CreateUsingRabbitMq(factory =>
        {
            factory.Host(Broker.Node.Uri);
            factory.ReceiveEndpoint(_queue, endpoint =>
            {
                endpoint.Handler<Moved>(context => byClass.Add((context.Message, context.MessageId)));
                endpoint.Handler<IMoved>(context => byInterface.Add(context.Message.Id));
            });
        });
        await bus.StartAsync().InTime();
        try
        {
            var publisher = new WirePublisher(_connection, Serializer());
            await using (publisher)
            {
                var id = Guid.NewGuid();
                var moved = new Moved(id, "Köln", [3, 4]);
                await publisher.PublishAsync("", _queue, moved, new PublishOptions { MessageId = id.ToString() }).AsTask().InTime();
                (Moved message, Guid? messageId) = await byClass.Next();
                Assert.Equivalent(moved, message, strict: true);
                Assert.Equal(id, messageId);
                Assert.Equal(id, await byInterface.Next());
            }
        }
        finally
        {
            await bus.StopAsync(TimeSpan.FromSeconds(30));
        }
    }

    [Theory]
    [InlineData(typeof(Moved))]
    [InlineData(typeof(IMoved))]
    [InlineData(typeof(IOrderEvent))]
    [InlineData(typeof(Holder<Moved>))]
    [InlineData(typeof(Dictionary<string, IOrderEvent>))]
    public void Types_have_the_names_that_MassTransit_gives_them(Type type)
    {
        byte[] envelope = Encoding.UTF8.GetBytes(
            $$"""{"messageType":["urn:message:Other:Thing","{{MessageUrn.ForType(type)}}"],"message":null}""");
        var serializer = new WireBodySerializer(new SerializerOptions()).Reading(new MassTransitBodyFormat(Json.Allow(type)));
        var properties = new BasicProperties { ContentType = "application/vnd.masstransit+json" };
        Assert.Null(serializer.Read<object>(properties, envelope));

        // The type was found: one that is not is refused.
        var other = new WireBodySerializer(new SerializerOptions()).Reading(new MassTransitBodyFormat(Json));
        BodyTypeException refused = Assert.Throws<BodyTypeException>(() => other.Read<object>(properties, envelope));
        Assert.Contains("urn:message:Other:Thing", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("{\"messageType\":[],\"message\"")]
    [InlineData("{\"messageType\":\"urn:message:A:B\",\"message\":{}}")]
    public void What_is_no_envelope_is_an_error(string text) => Assert.ThrowsAny<System.Text.Json.JsonException>(
        () => Serializer().Read<object>(
            new BasicProperties { ContentType = "application/vnd.masstransit+json" }, Encoding.UTF8.GetBytes(text)));

    private static WireBodySerializer Serializer() => new WireBodySerializer(new SerializerOptions())
        .Writing<IMoved>(new MassTransitBodyFormat(Json));
}
