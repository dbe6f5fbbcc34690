using System.Net.Mime;
using System.Runtime.Serialization;
using System.Text;
using System.Text.Json;
using MassTransit;
using MassTransit.Courier.Contracts;
using MassTransit.MessageData;
using MassTransit.MessageData.Values;
using MassTransit.Serialization;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.MassTransit.Tests;

/// <summary>What has to hold over each transport.</summary>
public abstract class TransportTests
{
    private static readonly Guid Id = new("7c9e6679-7425-40de-944b-e07fc1f90ae7");

    /// <summary>Makes a bus of the transport.</summary>
    protected abstract IBusControl Create(Action<IBusFactoryConfigurator> configure);

    [Fact]
    public async Task A_consumer_of_a_base_class_gets_what_was_published()
    {
        var inbox = new Inbox<OrderEvent>();
        await using RunningBus bus = await Start((_, endpoint) => Consume(endpoint, inbox));

        await bus.Bus.Publish(Shop.Order());
        await bus.Bus.Publish(new OrderShipped { OrderId = Id, Parcels = 2 });

        OrderEvent[] read = [await inbox.Next(), await inbox.Next()];
        GraphAssert.Same(Shop.Order(), read.Single(order => order is OrderPlaced), sharing: true);
        GraphAssert.Same(new OrderShipped { OrderId = Id, Parcels = 2 }, read.Single(order => order is OrderShipped));
        var placed = (OrderPlaced)read.Single(order => order is OrderPlaced);
        Assert.Same(placed.First, placed.Second);
        Assert.Same(placed.First, placed.First!.Next!.Next);
    }

    [Fact]
    public async Task A_consumer_of_an_interface_gets_the_class_that_was_published()
    {
        var inbox = new Inbox<IOrderEvent>();
        await using RunningBus bus = await Start((_, endpoint) => Consume(endpoint, inbox));

        await bus.Bus.Publish(Shop.Order());

        GraphAssert.Same(Shop.Order(), await inbox.Next(), sharing: true);
    }

    [Fact]
    public async Task A_contract_without_a_class_keeps_the_types_of_its_members()
    {
        var inbox = new Inbox<ICustomerRegistered>();
        var bases = new Inbox<ICustomerEvent>();
        await using RunningBus bus = await Start((_, endpoint) =>
        {
            Consume(endpoint, inbox);
            Consume(endpoint, bases);
        });

        await bus.Bus.Publish<ICustomerRegistered>(new
        {
            CustomerId = 7,
            Name = "Ada",
            Deposit = (Payment)new CardPayment(5.00m, "4242"),
            Address = new { City = "London" },
            Others = new[] { new { City = "Paris" }, new { City = "Rome" } },
        });

        ICustomerRegistered read = await inbox.Next();
        Assert.Equal(7, read.CustomerId);
        Assert.Equal("Ada", read.Name);
        GraphAssert.Same(new CardPayment(5.00m, "4242"), read.Deposit);
        Assert.Equal("London", read.Address.City);
        Assert.Equal(["Paris", "Rome"], read.Others.Select(address => address.City));
        ICustomerEvent other = await bases.Next();
        Assert.Equal(7, other.CustomerId);
        Assert.False(other is ICustomerRegistered);
    }

    [Fact]
    public async Task A_contract_may_refer_to_itself_and_to_its_base()
    {
        var inbox = new Inbox<IFolderWithContent>();
        var bases = new Inbox<IFolder>();
        await using RunningBus bus = await Start((_, endpoint) =>
        {
            Consume(endpoint, inbox);
            Consume(endpoint, bases);
        });

        await bus.Bus.Publish<IFolderWithContent>(new
        {
            Name = "mail",
            Parent = new { Name = "home", Parent = new { Name = "root" } },
            Content = new[] { new { Name = "new" } },
        });

        IFolderWithContent read = await inbox.Next();
        Assert.Equal(("mail", "home", "root"), (read.Name, read.Parent.Name, read.Parent.Parent.Name));
        Assert.Equal("new", Assert.Single(read.Content).Name);
        IFolder other = await bases.Next();
        Assert.Equal(("mail", "home", "root"), (other.Name, other.Parent.Name, other.Parent.Parent.Name));
    }

    [Fact]
    public async Task A_contract_may_be_generic()
    {
        var inbox = new Inbox<IChanged<IAddress>>();
        var nested = new Inbox<IChanged<IChanged<IAddress>>>();
        await using RunningBus bus = await Start((_, endpoint) =>
        {
            Consume(endpoint, inbox);
            Consume(endpoint, nested);
        });

        await bus.Bus.Publish<IChanged<IAddress>>(new { Before = new { City = "Paris" }, After = new { City = "Rome" } });
        await bus.Bus.Publish<IChanged<IChanged<IAddress>>>(new { After = new { After = new { City = "London" } } });

        IChanged<IAddress> read = await inbox.Next();
        Assert.Equal(("Paris", "Rome"), (read.Before.City, read.After.City));
        Assert.Equal("London", (await nested.Next()).After.After.City);
    }

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

    [Fact]
    public async Task A_refused_type_is_in_the_error_queue_with_the_reason_and_the_next_message_is_consumed()
    {
        var inbox = new Inbox<Parcel>();
        ErrorQueue? errors = null;
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, inbox), (bus, queue) => errors = ErrorQueue.Of(bus, queue));

        await bus.Send(new Parcel { Content = new Stranger("somebody") });
        string reason = await errors!.NextReason();
        Assert.StartsWith($"The payload names the type '{typeof(Stranger).FullName}", reason, StringComparison.Ordinal);
        Assert.Contains(".Allow", reason, StringComparison.Ordinal);

        await bus.Send(new Parcel { Content = new Box(2.5) });
        GraphAssert.Same(new Parcel { Content = new Box(2.5) }, await inbox.Next());
        Assert.True(inbox.IsEmpty);
    }

    [Fact]
    public async Task A_derived_type_that_nobody_allowed_is_refused()
    {
        var inbox = new Inbox<OrderEvent>();
        ErrorQueue? errors = null;
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, inbox), (bus, queue) => errors = ErrorQueue.Of(bus, queue), new SerializerOptions());

        await bus.Send(new OrderShipped { OrderId = Id });

        Assert.Contains($"names the type '{typeof(OrderShipped).FullName}", await errors!.NextReason(), StringComparison.Ordinal);
        Assert.True(inbox.IsEmpty);
    }

    [Fact]
    public async Task A_refused_type_in_a_header_is_refused_too()
    {
        var inbox = new Inbox<Parcel>();
        ErrorQueue? errors = null;
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, inbox), (bus, queue) => errors = ErrorQueue.Of(bus, queue));

        await bus.Send(new Parcel(), context => context.Headers.Set("Stranger", (object)new Stranger("somebody")));

        Assert.StartsWith($"The payload names the type '{typeof(Stranger).FullName}", await errors!.NextReason(), StringComparison.Ordinal);
        Assert.True(inbox.IsEmpty);
    }

    [Fact]
    public async Task Bytes_that_are_no_message_are_in_the_error_queue_and_the_next_message_is_consumed()
    {
        var inbox = new Inbox<Parcel>();
        ErrorQueue? errors = null;
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, inbox), (bus, queue) => errors = ErrorQueue.Of(bus, queue));

        await bus.Send(new Parcel(), context => context.Serializer = new Damage(_ => [1, 2, 3]));
        await bus.Send(new Parcel(), context => context.Serializer = new Damage(bytes => bytes[..^1]));
        await bus.Send(new Parcel(), context => context.Serializer = new Damage(bytes => [.. bytes, 0]));
        await bus.Send(new Parcel { Content = "last" });

        Assert.Equal("last", (await inbox.Next()).Content);
        string[] reasons = [await errors!.NextReason(), await errors.NextReason(), await errors.NextReason()];
        Assert.Single(reasons, reason => reason.Contains("is not the header of a payload", StringComparison.Ordinal));
        Assert.Single(reasons, reason => reason.Contains("The input ends inside a value", StringComparison.Ordinal));
        Assert.Single(reasons, reason => reason.Contains("follow the end of the value", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_error_queue_has_the_bytes_that_came()
    {
        byte[] sent = [];
        ErrorQueue? errors = null;
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, new Inbox<Parcel>()), (bus, queue) => errors = ErrorQueue.Of(bus, queue));

        await bus.Send(
            new Parcel { Content = new Stranger("somebody") }, context => context.Serializer = new Damage(bytes => sent = bytes));

        ReceiveContext moved = await errors!.Next();
        Assert.Equal(sent, moved.GetBody());
        Assert.Equal(WireSerializerFactory.WireContentType, moved.ContentType);
    }

    [Fact]
    public async Task Messages_come_in_batches()
    {
        var inbox = new Inbox<Batch<OrderEvent>>();
        await using RunningBus bus = await Start((_, endpoint) =>
        {
            endpoint.PrefetchCount = 8;
            endpoint.Batch<OrderEvent>(batch =>
            {
                batch.MessageLimit = 2;
                batch.Consumer(() => new Batches(inbox));
            });
        });

        await bus.Bus.Publish(Shop.Order());
        await bus.Bus.Publish(Shop.Order());

        Batch<OrderEvent> read = await inbox.Next();
        Assert.Equal(2, read.Length);
        Assert.All(read, context => GraphAssert.Same(Shop.Order(), context.Message, sharing: true));
    }

    [Fact]
    public async Task What_a_context_says_arrives()
    {
        var inbox = new Inbox<ConsumeContext<OrderShipped>>();
        await using RunningBus bus = await Start((_, endpoint) => endpoint.Handler<OrderShipped>(inbox.Add));
        var sent = new DateTime(2026, 11, 26, 10, 0, 0, DateTimeKind.Utc);

        await bus.Send(new OrderShipped { OrderId = Id }, context =>
        {
            context.MessageId = Id;
            context.CorrelationId = Id;
            context.ConversationId = Id;
            context.InitiatorId = Id;
            context.RequestId = Id;
            context.ResponseAddress = new Uri("queue:answers");
            context.FaultAddress = new Uri("queue:faults");
            context.TimeToLive = TimeSpan.FromHours(1);
            context.Headers.Set("Text", "Grüße");
            context.Headers.Set("Number", (object)42);
            context.Headers.Set("Id", (object)Id);
            context.Headers.Set("At", (object)sent);
            context.Headers.Set("Payment", (object)new CardPayment(1m, "1"));
        });

        ConsumeContext<OrderShipped> read = await inbox.Next();
        Assert.Equal([Id, Id, Id, Id, Id], [read.MessageId, read.CorrelationId, read.ConversationId, read.InitiatorId, read.RequestId]);
        Assert.Equal(bus.Bus.Address, read.SourceAddress);
        Assert.EndsWith("answers", read.ResponseAddress!.ToString(), StringComparison.Ordinal);
        Assert.EndsWith("faults", read.FaultAddress!.ToString(), StringComparison.Ordinal);
        Assert.InRange(read.ExpirationTime!.Value - read.SentTime!.Value, TimeSpan.FromMinutes(59), TimeSpan.FromMinutes(61));
        Assert.Equal(DateTimeKind.Utc, read.SentTime.Value.Kind);
        Assert.Equal("Grüße", read.Headers.Get<string>("text"));
        Assert.Equal(42, read.Headers.Get<int>("Number"));
        Assert.Equal(Id, read.Headers.Get<Guid>("Id"));
        Assert.Equal(sent, read.Headers.Get<DateTime>("At"));
        GraphAssert.Same(new CardPayment(1m, "1"), read.Headers.Get<Payment>("Payment"));
        Assert.Equal(Environment.ProcessId, read.Host.ProcessId);
        Assert.Equal(Environment.MachineName, read.Host.MachineName);
        Assert.NotNull(read.Host.MassTransitVersion);
        Assert.Equal(
            [MessageUrn.ForTypeString<OrderShipped>(), MessageUrn.ForTypeString<OrderEvent>(), MessageUrn.ForTypeString<IOrderEvent>()],
            read.SupportedMessageTypes);
        Assert.Equal(WireSerializerFactory.WireContentType, read.ReceiveContext.ContentType);
    }

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
    public async Task A_routing_slip_takes_its_variables_along()
    {
        var inbox = new Inbox<RoutingSlipCompleted>();
        string activity = Broker.UniqueName("activity");
        await using RunningBus bus = await Start(
            (_, endpoint) => Consume(endpoint, inbox),
            (bus, _) => bus.ReceiveEndpoint(activity, endpoint =>
            {
                Note(endpoint);
                endpoint.ExecuteActivityHost<Charging, ChargingArguments>(_ => new Charging());
            }));
        var slip = new RoutingSlipBuilder(Id);
        slip.AddActivity("Charge", Address(activity), new { Amount = 5.00m });
        slip.AddVariable("Deposit", new CardPayment(1.10m, "1"));
        slip.AddSubscription(bus.Endpoint, RoutingSlipEvents.Completed);

        await bus.Bus.Execute(slip.Build());

        RoutingSlipCompleted read = await inbox.Next();
        Assert.Equal(Id, read.TrackingNumber);
        GraphAssert.Same(new CardPayment(1.10m, "1"), read.Variables["Deposit"]);
        Assert.Equal(5.00m, read.Variables["Charged"]);
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

    [Fact]
    public async Task Message_data_is_in_the_repository_or_in_the_message()
    {
        var inbox = new Inbox<string[]>();
        var repository = new InMemoryMessageDataRepository();
        string large = new('x', 100_000);
        await using RunningBus bus = await Start((bus, endpoint) =>
        {
            bus.UseMessageData(repository);
            endpoint.Handler<Archive>(async context =>
            {
                Archive archive = context.Message;
                using Stream file = await archive.File!.Value;
                using var reader = new StreamReader(file);
                await inbox.Add(
                [
                    await archive.Text!.Value, Encoding.UTF8.GetString(await archive.Bytes!.Value), await reader.ReadToEndAsync(),
                    (await archive.Node!.Value).Name, archive.Missing is null or { HasValue: false } ? "missing" : "there",
                ]);
            });
        });

        foreach (string text in (string[])["short", large])
        {
            await bus.Send(new Archive
            {
                Text = await repository.PutString(text),
                Bytes = await repository.PutBytes(Encoding.UTF8.GetBytes(text)),
                File = await repository.PutStream(new MemoryStream(Encoding.UTF8.GetBytes(text))),
                Node = new PutMessageData<Node>(new Node { Name = text }),
            });

            Assert.Equal([text, text, text, text, "missing"], await inbox.Next());
        }
    }

    [Fact]
    public async Task What_a_consumer_sends_is_sent_by_its_outbox()
    {
        var inbox = new Inbox<ICustomerRegistered>();
        var orders = new Inbox<OrderEvent>();
        await using RunningBus bus = await Start((_, endpoint) =>
        {
            endpoint.Handler<GetOrder>(async context =>
            {
                await context.Publish<ICustomerRegistered>(new { CustomerId = 7, Deposit = (Payment)new CardPayment(5m, "4") });
                await context.Publish(Shop.Order());
#pragma warning disable CS0618 // The one that is not obsolete needs a container, and does the same.
            }, handler => handler.UseInMemoryOutbox());
#pragma warning restore CS0618
            Consume(endpoint, inbox);
            Consume(endpoint, orders);
        });

        await bus.Send(new GetOrder(Id));

        GraphAssert.Same(new CardPayment(5m, "4"), (await inbox.Next()).Deposit);
        GraphAssert.Same(Shop.Order(), await orders.Next(), sharing: true);
    }

    private static Uri Address(string queue) => new($"queue:{queue}");

    /// <summary>Notes an endpoint that has to go when the test is done.</summary>
    protected virtual void Note(IReceiveEndpointConfigurator endpoint)
    {
    }

    /// <summary>Starts a bus with one endpoint.</summary>
    private protected async Task<RunningBus> Start(
        Action<IBusFactoryConfigurator, IReceiveEndpointConfigurator> configure,
        Action<IBusFactoryConfigurator, string>? others = null,
        SerializerOptions? options = null)
    {
        string queue = Broker.UniqueName("orders");
        IBusControl bus = Create(bus =>
        {
            bus.UseWireSerializer(options ?? Shop.Options);
            bus.ReceiveEndpoint(queue, endpoint =>
            {
                Note(endpoint);
                configure(bus, endpoint);
            });
            others?.Invoke(bus, queue);
        });
        return await RunningBus.Start(bus, Address(queue));
    }

    private protected static void Consume<T>(IReceiveEndpointConfigurator endpoint, Inbox<T> inbox)
        where T : class => endpoint.Handler<T>(context => inbox.Add(context.Message));

    private void Consume<T>(IBusFactoryConfigurator bus, Inbox<T> inbox)
        where T : class => bus.ReceiveEndpoint(Broker.UniqueName("faults"), endpoint =>
        {
            Note(endpoint);
            endpoint.Handler<T>(context => inbox.Add(context.Message));
        });

    private sealed class Charging : IExecuteActivity<ChargingArguments>
    {
        public Task<ExecutionResult> Execute(ExecuteContext<ChargingArguments> context) =>
            Task.FromResult(context.CompletedWithVariables(new { Charged = context.Arguments.Amount }));
    }

    private sealed class Batches(Inbox<Batch<OrderEvent>> inbox) : IConsumer<Batch<OrderEvent>>
    {
        public Task Consume(ConsumeContext<Batch<OrderEvent>> context) => inbox.Add(context.Message);
    }

    /// <summary>Changes what Wire writes.</summary>
    private sealed class Damage(Func<byte[], byte[]> change) : IMessageSerializer
    {
        private readonly IMessageSerializer _serializer = new WireSerializerFactory(Shop.Options).CreateSerializer();

        public ContentType ContentType => WireSerializerFactory.WireContentType;

        public MessageBody GetMessageBody<T>(SendContext<T> context)
            where T : class => new BytesMessageBody(change(_serializer.GetMessageBody(context).GetBytes()));
    }
}
