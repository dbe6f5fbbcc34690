using System.Net.Mime;
using System.Text.Json;
using MassTransit;
using MassTransit.Serialization;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <content>Messages in JSON beside those in Wire, and what is passed on.</content>
public abstract partial class TransportTests
{
    [Fact]
    public async Task Messages_in_JSON_are_read_beside_those_in_Wire()
    {
        var inbox = new Inbox<ConsumeContext<OrderShipped>>();
        await using RunningBus bus = await Start((_, endpoint) => endpoint.Handler<OrderShipped>(inbox.Add));

        await bus.Send(new OrderShipped { OrderId = Id, Parcels = 1 }, context =>
        {
            context.Serializer = new SystemTextJsonMessageSerializer();
            context.Headers.Set("Place", (object)new { City = "London" });
        });
        await bus.Send(new OrderShipped { OrderId = Id, Parcels = 2 });

        ConsumeContext<OrderShipped>[] read = [await inbox.Next(), await inbox.Next()];
        Assert.Equal(
            ["application/vnd.masstransit+json 1", "application/vnd.masstransit+wire 2"],
            read.Select(context => $"{context.ReceiveContext.ContentType.MediaType} {context.Message.Parcels}").Order());
    }

    [Fact]
    public async Task An_endpoint_may_write_with_Wire_where_its_bus_does_not()
    {
        var inbox = new Inbox<ConsumeContext<OrderShipped>>();
        string queue = Broker.UniqueName("orders");
        IBusControl control = Create(bus => bus.ReceiveEndpoint(queue, endpoint =>
        {
            Note(endpoint);
            endpoint.UseWireSerializer(Shop.Options);
            endpoint.Handler<GetOrder>(context => context.Send(Address(queue), new OrderShipped { OrderId = context.Message.OrderId }));
            endpoint.Handler<OrderShipped>(inbox.Add);
        }));
        await using RunningBus bus = await RunningBus.Start(control, Address(queue));

        await bus.Send(new GetOrder(Id));
        ConsumeContext<OrderShipped> read = await inbox.Next();

        Assert.Equal((WireSerializerFactory.WireContentType, Id), (read.ReceiveContext.ContentType, read.Message.OrderId));
    }

    [Fact]
    public async Task A_bus_may_only_read_Wire()
    {
        var inbox = new Inbox<ConsumeContext<OrderShipped>>();
        string queue = Broker.UniqueName("orders");
        IBusControl control = Create(bus =>
        {
            bus.UseWireSerializer(Shop.Options, isDefault: false);
            bus.ReceiveEndpoint(queue, endpoint =>
            {
                Note(endpoint);
                endpoint.Handler<OrderShipped>(inbox.Add);
            });
        });
        await using RunningBus bus = await RunningBus.Start(control, Address(queue));

        await bus.Send(new OrderShipped { Parcels = 1 });
        await bus.Send(new OrderShipped { Parcels = 2 }, context => context.Serializer = new Damage(bytes => bytes));

        ConsumeContext<OrderShipped>[] read = [await inbox.Next(), await inbox.Next()];
        Assert.Equal(
            ["application/vnd.masstransit+json 1", "application/vnd.masstransit+wire 2"],
            read.Select(context => $"{context.ReceiveContext.ContentType.MediaType} {context.Message.Parcels}").Order());
    }

    [Fact]
    public async Task A_header_that_came_as_JSON_goes_on_in_Wire()
    {
        var inbox = new Inbox<ConsumeContext<GetOrder>>();
        await using RunningBus bus = await Start((_, endpoint) =>
        {
            endpoint.Handler<OrderShipped>(context => context.Send(
                context.DestinationAddress!, new GetOrder(Id), next =>
                {
                    next.Headers.Set("Place", context.Headers.GetAll().Single(header => header.Key == "Place").Value);
                    next.Headers.Set("Other", (object)JsonSerializer.SerializeToElement(new { City = "Paris" }));
                }));
            endpoint.Handler<GetOrder>(inbox.Add);
        });

        await bus.Send(new OrderShipped { OrderId = Id }, context =>
        {
            context.Serializer = new SystemTextJsonMessageSerializer();
            context.Headers.Set("Place", (object)new Dictionary<string, object> { ["city"] = "London" });
        });

        ConsumeContext<GetOrder> read = await inbox.Next();
        Assert.Equal(WireSerializerFactory.WireContentType, read.ReceiveContext.ContentType);
        Assert.Equal("London", read.Headers.Get<IAddress>("Place")!.City);
        Assert.Equal("""{"City":"Paris"}""", Assert.IsType<JsonElement>(read.Headers.Get<object>("Other")).GetRawText());
    }

    [Fact]
    public async Task A_forwarded_message_is_what_it_was_and_has_its_types()
    {
        var inbox = new Inbox<ConsumeContext<OrderEvent>>();
        string next = Broker.UniqueName("next");
        await using RunningBus bus = await Start(
            (_, endpoint) => endpoint.Handler<OrderPlaced>(context =>
                context.Forward(Address(next))),
            (bus, _) => bus.ReceiveEndpoint(next, endpoint =>
            {
                Note(endpoint);
                endpoint.Handler<OrderEvent>(inbox.Add);
            }));

        await bus.Send(Shop.Order(), context =>
        {
            context.CorrelationId = Id;
            context.Headers.Set("Text", "kept");
        });

        ConsumeContext<OrderEvent> read = await inbox.Next();
        GraphAssert.Same(Shop.Order(), read.Message, sharing: true);
        Assert.Equal((Id, "kept"), (read.CorrelationId, read.Headers.Get<string>("Text")));
        Assert.Contains(MessageUrn.ForTypeString<OrderPlaced>(), read.SupportedMessageTypes);
        Assert.Contains(next, read.DestinationAddress!.ToString(), StringComparison.Ordinal);
    }
}
