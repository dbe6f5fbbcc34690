using System.Runtime.Serialization;
using System.Threading.Channels;
using Akka.Actor;
using Akka.Event;
using Akka.Remote;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.Integrations.Actors.Tests.Akka;

/// <summary>Messages between two actor systems over Akka.Remote.</summary>
public sealed class RemotingTests
{
    [Fact]
    public async Task A_polymorphic_message_with_a_cycle_arrives_as_it_was()
    {
        await using var systems = new TwoSystems([typeof(ShopMessage)], [typeof(ShopMessage)]);
        OrderPlaced order = Shop.Order();
        object arrived = await systems.Send(order);
        Assert.NotSame(order, arrived);
        GraphAssert.Same(order, arrived, sharing: true);
    }

    [Fact]
    public async Task Many_messages_of_two_types_arrive_in_order()
    {
        await using var systems = new TwoSystems([typeof(ShopMessage)], [typeof(ShopMessage)]);
        Channel<object> arrived = Channel.CreateUnbounded<object>();
        IActorRef remote = await systems.Reach((message, _) => arrived.Writer.TryWrite(message));
        ShopMessage[] messages = [.. Enumerable.Range(0, 200).Select(i => i % 3 == 0
            ? new OrderCancelled { Reason = $"{i}" }
            : (ShopMessage)Shop.Order($"{i}"))];
        foreach (ShopMessage message in messages)
        {
            remote.Tell(message);
        }

        foreach (ShopMessage message in messages)
        {
            GraphAssert.Same(message, await arrived.Reader.ReadAsync().AsTask().InTime(), sharing: true);
        }
    }

    [Fact]
    public async Task References_in_a_message_lead_back_to_their_actors()
    {
        await using var systems = new TwoSystems([typeof(Call)], [typeof(Call)]);
        Channel<object> answers = Channel.CreateUnbounded<object>();
        IActorRef answered = TwoSystems.Act(systems.Here, (message, _) => answers.Writer.TryWrite(message));
        IActorRef remote = await systems.Reach((message, context) =>
        {
            var call = (Call)message;
            call.ReplyTo!.Tell("to the member");
            call.More[0].Tell("to the element");
            ((IActorRef)call.Any!).Tell("to the object");
            Assert.Same(context.Self, call.More[1]);
            Assert.Same(ActorRefs.Nobody, call.More[2]);
            Assert.Null(call.Missing);
            context.Sender.Tell(call);
        });
        var call = new Call
        {
            ReplyTo = answered,
            Any = answered,
            More = [answered, remote, ActorRefs.Nobody],
            Path = answered.Path,
            Address = Address.Parse("akka.tcp://far@127.0.0.1:4711"),
        };

        var back = await remote.Ask<Call>(call, Patience.Limit);

        Assert.Equal("to the member", await answers.Reader.ReadAsync().AsTask().InTime());
        Assert.Equal("to the element", await answers.Reader.ReadAsync().AsTask().InTime());
        Assert.Equal("to the object", await answers.Reader.ReadAsync().AsTask().InTime());
        Assert.Equal(answered, back.ReplyTo);
        Assert.Same(back.ReplyTo, back.Any);
        Assert.Equal([answered, remote, ActorRefs.Nobody], back.More);
        Assert.Equal(call.Path, back.Path);
        Assert.Equal(call.Address, back.Address);
    }

    [Fact]
    public async Task A_reference_carries_the_address_of_the_transport_that_it_left_by()
    {
        await using var systems = new TwoSystems([typeof(Call)], [typeof(Call)]);
        IActorRef here = TwoSystems.Act(systems.Here, (_, _) => { });
        Assert.Null(here.Path.Address.Host);

        var arrived = (Call)await systems.Send(new Call { ReplyTo = here });

        Assert.Equal(((ExtendedActorSystem)systems.Here).Provider.DefaultAddress, arrived.ReplyTo!.Path.Address);
        Assert.NotNull(arrived.ReplyTo.Path.Address.Port);
    }

    [Fact]
    public async Task A_reference_to_an_actor_that_is_gone_leads_to_dead_letters()
    {
        await using var systems = new TwoSystems([typeof(Call)], [typeof(Call)]);
        IActorRef gone = TwoSystems.Act(systems.Here, (_, _) => { });
        await gone.GracefulStop(Patience.Limit);
        Channel<object> dead = Channel.CreateUnbounded<object>();
        systems.Here.EventStream.Subscribe(
            TwoSystems.Act(systems.Here, (message, _) => dead.Writer.TryWrite(message)), typeof(AllDeadLetters));
        IActorRef remote = await systems.Reach((message, _) => ((Call)message).ReplyTo!.Tell("too late"));

        remote.Tell(new Call { ReplyTo = gone });

        Assert.Equal("too late", ((AllDeadLetters)await dead.Reader.ReadAsync().AsTask().InTime()).Message);
    }

    [Fact]
    public async Task A_type_that_is_not_allowed_is_logged_and_the_next_message_arrives_over_the_same_association()
    {
        await using var systems = new TwoSystems([typeof(ShopMessage)], [typeof(ShopMessage)]);
        ChannelReader<LogEvent> logged = TwoSystems.Logged(systems.There);
        Channel<object> arrived = Channel.CreateUnbounded<object>();
        Channel<object> ended = Channel.CreateUnbounded<object>();
        IActorRef remote = await systems.Reach((message, _) => arrived.Writer.TryWrite(message));
        systems.Here.EventStream.Subscribe(
            TwoSystems.Act(systems.Here, (message, _) => ended.Writer.TryWrite(message)), typeof(DisassociatedEvent));

        remote.Tell(new Parcel { Content = new Intruder { Text = "let me in" } });
        remote.Tell(new Parcel { Content = "a text" });

        LogEvent refused = await TwoSystems.Failure<SerializationException>(logged);
        var cause = Assert.IsType<TypeRefusedException>(refused.Cause.InnerException);
        Assert.StartsWith(typeof(Intruder).FullName!, cause.TypeName, StringComparison.Ordinal);
        Assert.Equal("a text", Assert.IsType<Parcel>(await arrived.Reader.ReadAsync().AsTask().InTime()).Content);
        Assert.False(arrived.Reader.TryRead(out _));
        Assert.False(ended.Reader.TryRead(out _));
    }

    [Fact]
    public async Task A_message_that_is_bound_on_one_side_only_is_refused_by_the_other()
    {
        await using var systems = new TwoSystems([typeof(ShopMessage), typeof(Intruder)], [typeof(ShopMessage)]);
        ChannelReader<LogEvent> logged = TwoSystems.Logged(systems.There);
        Channel<object> arrived = Channel.CreateUnbounded<object>();
        IActorRef remote = await systems.Reach((message, _) => arrived.Writer.TryWrite(message));

        remote.Tell(new Intruder());
        remote.Tell(new OrderCancelled { Reason = "next" });

        LogEvent refused = await TwoSystems.Failure<SerializationException>(logged);
        Assert.IsType<TypeRefusedException>(refused.Cause.InnerException);
        Assert.Equal("next", Assert.IsType<OrderCancelled>(await arrived.Reader.ReadAsync().AsTask().InTime()).Reason);
    }

    [Fact]
    public async Task What_payloads_may_hold_in_members_is_no_message_unless_it_is_bound()
    {
        await using var systems = new TwoSystems(
            [typeof(ShopMessage), typeof(string), typeof(List<ShopMessage>), typeof(OrderLine), typeof(IActorRef)], [typeof(ShopMessage)]);
        ChannelReader<LogEvent> logged = TwoSystems.Logged(systems.There);
        Channel<object> arrived = Channel.CreateUnbounded<object>();
        IActorRef remote = await systems.Reach((message, _) => arrived.Writer.TryWrite(message));

        foreach (object message in (object[])["text", new List<ShopMessage> { Shop.Order() }, new OrderLine("KEY-101", 1, 1m), remote])
        {
            remote.Tell(message);
            remote.Tell(new OrderCancelled { Reason = "next" });
            Assert.Equal("next", Assert.IsType<OrderCancelled>(await arrived.Reader.ReadAsync().AsTask().InTime()).Reason);
            LogEvent refused = await TwoSystems.Failure<SerializationException>(logged);
            Assert.Contains("which is not bound to Wire here", refused.Cause.Message, StringComparison.Ordinal);
        }

        Assert.False(arrived.Reader.TryRead(out _));
    }

    [Fact]
    public async Task A_message_that_cannot_be_written_is_logged_and_the_next_one_leaves()
    {
        await using var systems = new TwoSystems([typeof(ShopMessage)], [typeof(ShopMessage)]);
        ChannelReader<LogEvent> logged = TwoSystems.Logged(systems.Here);
        Channel<object> arrived = Channel.CreateUnbounded<object>();
        IActorRef remote = await systems.Reach((message, _) => arrived.Writer.TryWrite(message));

        remote.Tell(new Unwritable());
        remote.Tell(new OrderCancelled { Reason = "next" });

        LogEvent failed = await TwoSystems.Failure<SerializationException>(logged);
        Assert.IsType<UnsupportedTypeException>(failed.Cause.InnerException);
        Assert.Equal("next", Assert.IsType<OrderCancelled>(await arrived.Reader.ReadAsync().AsTask().InTime()).Reason);
    }

    /// <summary>A message with references to actors wherever one can be.</summary>
    public sealed class Call
    {
        public IActorRef? ReplyTo { get; set; }

        public IActorRef? Missing { get; set; }

        public object? Any { get; set; }

        public IActorRef[] More { get; set; } = [];

        public ActorPath? Path { get; set; }

        public Address? Address { get; set; }
    }
}
