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
public abstract partial class TransportTests
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
