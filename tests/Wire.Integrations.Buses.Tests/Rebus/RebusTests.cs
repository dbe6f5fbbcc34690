using Rebus.Activation;
using Rebus.Bus;
using Rebus.Config;
using Rebus.Messages;
using Rebus.Persistence.InMem;
using Rebus.Routing.TypeBased;
using Rebus.Serialization;
using Rebus.Transport.InMem;
using Wire.Comparing;
using Wire.Rebus;
using Wire.Testing;

namespace Wire.Integrations.Buses.Tests.Rebus;

/// <summary>The adapter in Rebus, with its transport within a process.</summary>
public sealed class RebusTests
{
    private readonly InMemNetwork _network = new();

    [Fact]
    public async Task A_handler_of_a_base_class_gets_what_was_sent()
    {
        var inbox = new Inbox<OrderEvent>();
        using var activator = new BuiltinHandlerActivator();
        activator.Handle<OrderEvent>(inbox.Add);
        IBus bus = Start(activator, Shop.Options);

        await bus.SendLocal(Shop.Order());

        GraphAssert.Same(Shop.Order(), await inbox.Next(), sharing: true);
    }

    [Fact]
    public async Task A_handler_of_an_interface_gets_what_was_published()
    {
        var inbox = new Inbox<IOrderEvent>();
        using var activator = new BuiltinHandlerActivator();
        activator.Handle<IOrderEvent>(inbox.Add);
        IBus bus = Start(activator, Shop.Options);
        await bus.Subscribe<OrderPlaced>();

        await bus.Publish(Shop.Order());

        GraphAssert.Same(Shop.Order(), await inbox.Next(), sharing: true);
    }

    [Fact]
    public async Task A_refused_message_is_in_the_error_queue_with_the_reason_and_the_next_is_handled()
    {
        var inbox = new Inbox<Parcel>();
        using var activator = new BuiltinHandlerActivator();
        activator.Handle<Parcel>(inbox.Add);
        IBus bus = Start(activator, Shop.Options);

        await bus.SendLocal(new Parcel { Content = new Stranger("somebody") });
        string reason = await NextReason();
        Assert.Contains(
            $"The message cannot be read: The payload names the type '{typeof(Stranger).FullName}", reason, StringComparison.Ordinal);
        Assert.Contains(nameof(TypeRefusedException), reason, StringComparison.Ordinal);
        Assert.StartsWith("1 unhandled exceptions: ", reason, StringComparison.Ordinal); // the first attempt is the last

        await bus.SendLocal(new Parcel { Content = new Box(2.5) });
        GraphAssert.Same(new Parcel { Content = new Box(2.5) }, await inbox.Next());
        Assert.True(inbox.IsEmpty);
    }

    [Fact]
    public async Task The_root_too_is_only_what_the_filter_allows()
    {
        var inbox = new Inbox<Parcel>();
        using var activator = new BuiltinHandlerActivator();
        activator.Handle<Parcel>(inbox.Add);
        IBus bus = Start(activator, new SerializerOptions());

        await bus.SendLocal(new Parcel());

        Assert.Contains($"names the type '{typeof(Parcel).FullName}", await NextReason(), StringComparison.Ordinal);
        Assert.True(inbox.IsEmpty);
    }

    [Fact]
    public async Task Bytes_that_are_no_message_are_in_the_error_queue()
    {
        using var activator = new BuiltinHandlerActivator();
        Start(activator, Shop.Options);
        var headers = new Dictionary<string, string>
        {
            [Headers.MessageId] = "1",
            [Headers.ContentType] = "application/x-wire",
        };

        _network.Deliver("orders", new InMemTransportMessage(new TransportMessage(headers, [1, 2, 3])));

        Assert.Contains("is not the header of a payload", await NextReason(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Messages_of_other_content_types_are_refused()
    {
        var inbox = new Inbox<Stranger>();
        using var activator = new BuiltinHandlerActivator();
        activator.Handle<Stranger>(inbox.Add);
        IBus bus = Start(activator, Shop.Options with { TypeFilter = Shop.Options.TypeFilter.Allow<Stranger>() });
        using var other = new BuiltinHandlerActivator();

        await Json(other).Advanced.Routing.Send("orders", new Stranger("somebody"));
        string reason = await NextReason();
        Assert.Contains("has another content type than 'application/x-wire'", reason);
        Assert.StartsWith("1 unhandled exceptions: ", reason, StringComparison.Ordinal);

        await bus.SendLocal(new Stranger("next"));
        Assert.Equal("next", (await inbox.Next()).Name);
        Assert.True(inbox.IsEmpty);
    }

    [Fact]
    public async Task Messages_in_JSON_may_be_read_too()
    {
        var inbox = new Inbox<Parcel>();
        using var activator = new BuiltinHandlerActivator();
        activator.Handle<Parcel>(inbox.Add);
        IBus bus = Start(activator, with => with.UseWire(Shop.Options, readOthers: true));
        using var other = new BuiltinHandlerActivator();

        await Json(other).Advanced.Routing.Send("orders", new Parcel());
        await bus.SendLocal(new Parcel { Content = new Box(2.5) });

        Parcel[] read = [await inbox.Next(), await inbox.Next()];
        Assert.Contains(read, parcel => parcel.Content is null);
        Assert.Contains(read, parcel => parcel.Content is Box);
    }

    [Fact]
    public async Task A_bus_may_only_read_Wire()
    {
        var inbox = new Inbox<string>();
        using var activator = new BuiltinHandlerActivator();
        activator.Handle<Parcel>((_, context, _) => inbox.Add(context.Headers[Headers.ContentType]));
        IBus bus = Start(activator, with => with.UseWire(Shop.Options, isDefault: false));
        using var other = new BuiltinHandlerActivator();
        IBus writing = Client(other, with => with.UseWire(Shop.Options));

        await bus.SendLocal(new Parcel());
        await writing.Advanced.Routing.Send("orders", new Parcel { Content = new Box(2.5) });

        string[] read = [await inbox.Next(), await inbox.Next()];
        Assert.Equal(["application/json;charset=utf-8", "application/x-wire"], read.Order());
    }

    [Fact]
    public async Task A_subscription_at_the_publisher_is_read_without_a_line_in_the_filter()
    {
        var inbox = new Inbox<OrderEvent>();
        using var publishing = new BuiltinHandlerActivator();
        IBus publisher = Configure.With(publishing)
            .Logging(log => log.None())
            .Transport(to => to.UseInMemoryTransport(_network, "orders", registerSubscriptionStorage: false))
            .Subscriptions(store => store.StoreInMemory())
            .Serialization(with => with.UseWire(Shop.Options))
            .Start();
        using var activator = new BuiltinHandlerActivator();
        activator.Handle<OrderEvent>(inbox.Add);
        IBus subscriber = Configure.With(activator)
            .Logging(log => log.None())
            .Transport(to => to.UseInMemoryTransport(_network, "subscriber", registerSubscriptionStorage: false))
            .Routing(map => map.TypeBased().Map<OrderPlaced>("orders"))
            .Serialization(with => with.UseWire(Shop.Options))
            .Start();

        await subscriber.Subscribe<OrderPlaced>();
        for (int i = 0; i < 1000 && inbox.IsEmpty; i++)
        {
            await publisher.Publish(Shop.Order()); // the subscription takes a moment
            await Task.Delay(5);
        }

        GraphAssert.Same(Shop.Order(), await inbox.Next(), sharing: true);
    }

    [Fact]
    public async Task A_reply_comes_back()
    {
        var inbox = new Inbox<Payment>();
        using var activator = new BuiltinHandlerActivator();
        activator.Handle<OrderEvent>((bus, order) => bus.Reply(((OrderPlaced)order).Payment));
        activator.Handle<Payment>(inbox.Add);
        IBus bus = Start(activator, Shop.Options);

        await bus.SendLocal(Shop.Order());

        GraphAssert.Same(new CardPayment(19.90m, "4242"), await inbox.Next());
    }

    private IBus Start(BuiltinHandlerActivator activator, SerializerOptions options) => Start(activator, with => with.UseWire(options));

    private IBus Start(BuiltinHandlerActivator activator, Action<StandardConfigurer<ISerializer>> serialization) =>
        Configure.With(activator)
            .Logging(log => log.None())
            .Transport(to => to.UseInMemoryTransport(_network, "orders"))
            .Serialization(serialization)
            .Start();

    private IBus Json(BuiltinHandlerActivator activator) => Client(activator, _ => { });

    private IBus Client(BuiltinHandlerActivator activator, Action<StandardConfigurer<ISerializer>> serialization) =>
        Configure.With(activator)
            .Logging(log => log.None())
            .Transport(to => to.UseInMemoryTransportAsOneWayClient(_network))
            .Serialization(serialization)
            .Start();

    private async Task<string> NextReason()
    {
        for (long start = Environment.TickCount64; Environment.TickCount64 - start < Patience.Limit.TotalMilliseconds; await Task.Delay(5))
        {
            if (_network.GetNextOrNull("error") is { } message)
            {
                return message.Headers[Headers.ErrorDetails];
            }
        }

        throw new TimeoutException("No message came to the error queue.");
    }
}
