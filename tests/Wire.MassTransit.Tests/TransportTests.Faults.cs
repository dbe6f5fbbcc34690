using System.Net.Mime;
using System.Text.Json;
using MassTransit;
using MassTransit.Serialization;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <content>Requests, and what fails.</content>
public abstract partial class TransportTests
{
    [Fact]
    public async Task A_request_gets_a_response_of_either_kind()
    {
        await using RunningBus bus = await Start((_, endpoint) => endpoint.Handler<GetOrder>(context => context.Message.OrderId == Id
            ? context.RespondAsync(new OrderFound(Id, new CardPayment(1.10m, "1")))
            : context.RespondAsync<IOrderMissing>(new { context.Message.OrderId, Reason = "nobody knows it" })));
        IRequestClient<GetOrder> client = bus.Bus.CreateRequestClient<GetOrder>(bus.Endpoint, RequestTimeout.After(s: 60));

        Response<OrderFound, IOrderMissing> found = await client.GetResponse<OrderFound, IOrderMissing>(new GetOrder(Id));
        Response<OrderFound, IOrderMissing> missing = await client.GetResponse<OrderFound, IOrderMissing>(new GetOrder(Guid.Empty));

        Assert.True(found.Is(out Response<OrderFound>? order));
        GraphAssert.Same(new OrderFound(Id, new CardPayment(1.10m, "1")), order!.Message);
        Assert.True(missing.Is(out Response<IOrderMissing>? reason));
        Assert.Equal((Guid.Empty, "nobody knows it"), (reason!.Message.OrderId, reason.Message.Reason));
    }

    [Fact]
    public async Task A_request_whose_consumer_fails_gets_the_fault()
    {
        await using RunningBus bus = await Start((_, endpoint) =>
            endpoint.Handler<GetOrder>(_ => throw new InvalidOperationException("the shop is closed")));
        IRequestClient<GetOrder> client = bus.Bus.CreateRequestClient<GetOrder>(bus.Endpoint, RequestTimeout.After(s: 60));

        RequestFaultException fault = await Assert.ThrowsAsync<RequestFaultException>(
            () => client.GetResponse<OrderFound>(new GetOrder(Id)));

        Assert.Contains("the shop is closed", fault.Message, StringComparison.Ordinal);
        Assert.Equal(Id, Assert.IsAssignableFrom<Fault<GetOrder>>(fault.Fault).Message.OrderId);
        Assert.Equal(typeof(InvalidOperationException).FullName, Assert.Single(fault.Fault!.Exceptions).ExceptionType);
        Assert.Equal(Environment.MachineName, fault.Fault.Host.MachineName);
    }

    [Fact]
    public async Task A_fault_has_the_message_with_its_type()
    {
        var classes = new Inbox<Fault<OrderEvent>>();
        var contracts = new Inbox<Fault<ICustomerRegistered>>();
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            endpoint.Handler<OrderEvent>(_ => throw new InvalidOperationException("not today"));
            endpoint.Handler<ICustomerRegistered>(_ => throw new InvalidOperationException("not now"));
            Consume(bus, classes);
            Consume(bus, contracts);
        });

        await bus.Send(Shop.Order());
        await bus.Bus.Publish<ICustomerRegistered>(new { CustomerId = 7, Name = "Ada", Deposit = (Payment)new CardPayment(5m, "4") });

        Fault<OrderEvent> fault = await classes.Next();
        GraphAssert.Same(Shop.Order(), fault.Message, sharing: true);
        Assert.Equal("not today", Assert.Single(fault.Exceptions).Message);
        Fault<ICustomerRegistered> other = await contracts.Next();
        Assert.Equal((7, "Ada"), (other.Message.CustomerId, other.Message.Name));
        GraphAssert.Same(new CardPayment(5m, "4"), other.Message.Deposit);
    }

    [Fact]
    public async Task A_fault_arrives_whatever_data_its_exception_has()
    {
        await using RunningBus bus = await Start((_, endpoint) => endpoint.Handler<GetOrder>(_ => throw new InvalidOperationException(
            "the shop is closed")
        {
            Data =
            {
                ["Number"] = 5,
                ["At"] = DateTime.UnixEpoch,
                ["Stranger"] = new Stranger("somebody"),
                ["Client"] = typeof(Stranger),
                ["Node"] = Shop.Order().First,
                ["Getter"] = new Wordless(hasText: true),
                ["Text"] = new Wordless(hasText: false),
            },
        }));
        IRequestClient<GetOrder> client = bus.Bus.CreateRequestClient<GetOrder>(bus.Endpoint, RequestTimeout.After(s: 10));

        RequestFaultException fault = await Assert.ThrowsAsync<RequestFaultException>(
            () => client.GetResponse<OrderFound>(new GetOrder(Id)));

        IDictionary<string, object> data = Assert.Single(fault.Fault!.Exceptions).Data!;
        Assert.Equal((5, DateTime.UnixEpoch), (data["number"], data["At"]));
        Assert.Equal("""{"name":"somebody"}""", JsonSerializer.Serialize(data["Stranger"]));
        Assert.Equal(typeof(Stranger).ToString(), data["Client"]); // which is no JSON
        Assert.Equal(typeof(Node).ToString(), data["Node"]); // nor is a cycle
        Assert.Equal(("hidden", typeof(Wordless).ToString()), (data["Getter"], data["Text"]));
    }

    [Fact]
    public async Task A_consumer_of_the_faults_of_a_base_class_gets_the_message_with_its_type()
    {
        var classes = new Inbox<Fault<OrderEvent>>();
        var interfaces = new Inbox<Fault<IOrderEvent>>();
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            endpoint.Handler<OrderPlaced>(_ => throw new InvalidOperationException("not today"));
            Consume(bus, classes);
            Consume(bus, interfaces);
        });

        await bus.Send(Shop.Order());

        GraphAssert.Same(Shop.Order(), (await classes.Next()).Message, sharing: true);
        GraphAssert.Same(Shop.Order(), (await interfaces.Next()).Message, sharing: true);
    }

    [Fact]
    public async Task A_consumer_of_all_faults_gets_those_of_messages_that_its_filter_allows()
    {
        var inbox = new Inbox<Fault>();
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            endpoint.Handler<OrderEvent>(_ => throw new InvalidOperationException("not today"));
            Consume(bus, inbox);
        });

        await bus.Send(Shop.Order());

        Fault fault = await inbox.Next();
        Assert.Equal("not today", Assert.Single(fault.Exceptions).Message);
        Assert.Contains(MessageUrn.ForTypeString<OrderPlaced>(), fault.FaultMessageTypes);
    }

    [Fact]
    public async Task A_body_that_nobody_can_read_is_a_fault_too()
    {
        var inbox = new Inbox<ReceiveFault>();
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            Consume(endpoint, new Inbox<Parcel>());
            Consume(bus, inbox);
        });

        await bus.Send(new Parcel(), context => context.Serializer = new Damage(_ => [1, 2, 3]));

        ReceiveFault fault = await inbox.Next();
        Assert.Equal(WireSerializerFactory.WireContentType.MediaType, fault.ContentType);
        Assert.Contains("is not the header of a payload", Assert.Single(fault.Exceptions).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_fault_of_an_internal_class_has_the_message()
    {
        var inbox = new Inbox<Fault<Hidden>>();
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            endpoint.Handler<Hidden>(_ => throw new InvalidOperationException("not today"));
            Consume(bus, inbox);
        });

        await bus.Send(new Hidden(7));

        Fault<Hidden> fault = await inbox.Next();
        Assert.Equal((new Hidden(7), "not today"), (fault.Message, Assert.Single(fault.Exceptions).Message));
    }
}
