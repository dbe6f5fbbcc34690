using System.Runtime.Serialization;
using System.Threading.Channels;
using Akka.Actor;
using Akka.Actor.Setup;
using Akka.Configuration;
using Akka.Serialization;
using Akka.Util;
using Wire.Akka;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.Integrations.Actors.Tests.Akka;

/// <summary>The serializer within one actor system: how it is registered, and what it answers to what.</summary>
public sealed class SerializerTests
{
    private const string Bound = """
        akka {
          loglevel = OFF
          stdout-loglevel = OFF
          actor {
            serializers.wire = "Wire.Akka.WireSerializer, Wire.Akka"
            serialization-bindings {
              "Wire.Integrations.Actors.Tests.ShopMessage, Wire.Integrations.Actors.Tests" = wire
              "System.Object" = wire
            }
          }
        }
        """;

    [Fact]
    public async Task With_serialize_messages_an_actor_gets_a_copy()
    {
        using ActorSystem system = Start("akka.actor.serialize-messages = on", WireSetup.Create(Shop.Options, typeof(ShopMessage)));
        Channel<object> arrived = Channel.CreateUnbounded<object>();
        IActorRef actor = TwoSystems.Act(system, (message, _) => arrived.Writer.TryWrite(message));
        OrderPlaced order = Shop.Order();
        actor.Tell(order);
        object copy = await arrived.Reader.ReadAsync().AsTask().InTime();
        Assert.NotSame(order, copy);
        GraphAssert.Same(order, copy, sharing: true);

        actor.Tell(new Parcel { Content = actor });
        Assert.Same(actor, Assert.IsType<Parcel>(await arrived.Reader.ReadAsync().AsTask().InTime()).Content);
    }

    [Fact]
    public void Hocon_registers_the_serializer_and_allows_what_it_binds()
    {
        using ActorSystem system = Start(Bound, new WireOptions(Shop.Options));
        OrderPlaced order = Shop.Order();
        var serializer = Assert.IsType<WireSerializer>(system.Serialization.FindSerializerFor(order));
        byte[] bytes = system.Serialization.Serialize(order);
        GraphAssert.Same(order, system.Serialization.Deserialize(bytes, serializer.Identifier, serializer.Manifest(order)), sharing: true);

        // The binding of object allows no type: too many derive from it.
        byte[] other = system.Serialization.Serialize(new Intruder());
        var refused = Assert.Throws<SerializationException>(() => system.Serialization.Deserialize(other, serializer.Identifier, ""));
        Assert.IsType<TypeRefusedException>(refused.InnerException);
    }

    [Fact]
    public void Hocon_binds_to_the_serializer_that_code_has_registered()
    {
        using ActorSystem system = Start(
            """akka.actor.serialization-bindings { "Wire.Integrations.Actors.Tests.Intruder, Wire.Integrations.Actors.Tests" = wire }""",
            WireSetup.Create(Shop.Options, typeof(ShopMessage)));
        foreach (object message in new object[] { Shop.Order(), new Intruder() })
        {
            var serializer = Assert.IsType<WireSerializer>(system.Serialization.FindSerializerFor(message));
            byte[] bytes = system.Serialization.Serialize(message);
            GraphAssert.Same(message, system.Serialization.Deserialize(bytes, serializer.Identifier, ""), sharing: true);
        }
    }

    [Fact]
    public void Hocon_alone_has_the_default_options()
    {
        using ActorSystem system = ActorSystem.Create("plain", ConfigurationFactory.ParseString(Bound));
        var cancelled = new OrderCancelled { Reason = "none" };
        byte[] bytes = system.Serialization.Serialize(cancelled);
        GraphAssert.Same(cancelled, system.Serialization.Deserialize(bytes, 119, ""));

        // A cycle needs PreserveObjectReferences, which only the program's options can have.
        var failed = Assert.Throws<SerializationException>(() => system.Serialization.Serialize(Shop.Order()));
        Assert.IsType<ObjectGraphException>(failed.InnerException);
    }

    [Fact]
    public void A_manifest_that_comes_in_chooses_nothing()
    {
        using ActorSystem system = Start("", WireSetup.Create(Shop.Options, typeof(ShopMessage)));
        Serializer serializer = new(Shop.Options);
        string intruder = typeof(Intruder).AssemblyQualifiedName!;
        object read = system.Serialization.Deserialize(serializer.Serialize(new OrderCancelled { Reason = "kept" }), 119, intruder);
        Assert.Equal("kept", Assert.IsType<OrderCancelled>(read).Reason);
        Assert.Throws<SerializationException>(
            () => system.Serialization.Deserialize(serializer.Serialize(new Intruder()), 119, intruder));
    }

    [Fact]
    public void Bytes_that_are_no_message_are_one_kind_of_exception_with_its_cause()
    {
        using ActorSystem system = Start("", WireSetup.Create(Shop.Options, typeof(ShopMessage)));
        byte[] whole = system.Serialization.Serialize(Shop.Order());
        for (int length = 0; length < whole.Length; length++)
        {
            var failed = Assert.Throws<SerializationException>(() => system.Serialization.Deserialize(whole[..length], 119, ""));
            Assert.IsType<WireFormatException>(failed.InnerException, exactMatch: false);
        }

        byte[] nothing = new Serializer(Shop.Options).Serialize<object?>(null);
        Assert.Throws<SerializationException>(() => system.Serialization.Deserialize(nothing, 119, ""));
        GraphAssert.Same(Shop.Order(), system.Serialization.Deserialize(whole, 119, ""), sharing: true);
    }

    [Fact]
    public void What_is_not_bound_is_neither_written_nor_read_even_where_the_filter_allows_it()
    {
        using ActorSystem system = Start("", WireSetup.Create(Shop.Options, typeof(ShopMessage)));
        Serializer serializer = new(Shop.Options with { TypeFilter = Shop.Options.TypeFilter.AllowDerivedFrom<ShopMessage>() });
        WireSerializer wire = (WireSerializer)system.Serialization.FindSerializerForType(typeof(ShopMessage));
        foreach (object message in (object[])["text", 7, new List<ShopMessage>(), new OrderLine("KEY-101", 1, 1m), new Percent(5)])
        {
            var unread = Assert.Throws<SerializationException>(
                () => system.Serialization.Deserialize(serializer.Serialize(message), 119, ""));
            Assert.Equal($"The payload holds {message.GetType()}, which is not bound to Wire here.", unread.Message);
            var unwritten = Assert.Throws<SerializationException>(() => wire.ToBinary(message));
            Assert.Equal($"The message is {message.GetType()}, which is not bound to Wire here.", unwritten.Message);
        }
    }

    [Fact]
    public void What_Hocon_binds_is_a_message_and_what_else_a_payload_may_name_is_none()
    {
        using ActorSystem system = Start(
            Bound.Replace("\"System.Object\" = wire", "\"System.String\" = wire", StringComparison.Ordinal), new WireOptions(Shop.Options));
        Assert.Equal("text", system.Serialization.Deserialize(system.Serialization.Serialize("text"), 119, ""));
        byte[] number = new Serializer(Shop.Options).Serialize<object>(7);
        Assert.Throws<SerializationException>(() => system.Serialization.Deserialize(number, 119, ""));
    }

    [Fact]
    public void A_value_with_a_surrogate_of_Akka_is_written_as_that_and_needs_a_rule()
    {
        SerializerOptions allowing = Shop.Options with { TypeFilter = Shop.Options.TypeFilter.Allow<Ticket.Stub>() };
        using ActorSystem system = Start("", WireSetup.Create(allowing, typeof(Parcel)));
        byte[] bytes = system.Serialization.Serialize(new Parcel { Content = new Ticket(7) });
        var parcel = Assert.IsType<Parcel>(system.Serialization.Deserialize(bytes, 119, ""));
        Assert.Equal((7, system), (Assert.IsType<Ticket>(parcel.Content).Number, ((Ticket)parcel.Content!).System));

        using ActorSystem closed = Start("", WireSetup.Create(Shop.Options, typeof(Parcel)));
        var refused = Assert.Throws<SerializationException>(() => closed.Serialization.Deserialize(bytes, 119, ""));
        Assert.IsType<TypeRefusedException>(refused.InnerException);
    }

    [Fact]
    public void A_value_with_a_surrogate_of_Akka_is_not_read_member_by_member()
    {
        using ActorSystem system = Start("", WireSetup.Create(Shop.Options, typeof(Parcel)));
        byte[] bytes = new Serializer(Shop.Options).Serialize(new Parcel { Content = new Ticket(7) });
        var refused = Assert.Throws<SerializationException>(() => system.Serialization.Deserialize(bytes, 119, ""));
        Assert.IsType<WireFormatException>(refused.InnerException, exactMatch: false);
    }

    [Fact]
    public void A_recipe_for_actors_is_refused_unless_it_is_allowed()
    {
        using ActorSystem system = Start("", WireSetup.Create(Shop.Options, typeof(Parcel)));
        byte[] bytes = system.Serialization.Serialize(new Parcel { Content = Props.Create<TwoSystems.Acting>() });
        var refused = Assert.Throws<SerializationException>(() => system.Serialization.Deserialize(bytes, 119, ""));
        Assert.IsType<TypeRefusedException>(refused.InnerException);
    }

    [Fact]
    public void The_surrogates_of_the_program_come_first_and_have_the_actor_system()
    {
        Surrogate own = Surrogate.Create<Ticket, int, ExtendedActorSystem>(
            (ticket, _) => ticket.Number, (number, system) => new Ticket(number + 1000) { System = system });
        using ActorSystem system = Start("", WireSetup.Create(Shop.Options with { Surrogates = [own] }, typeof(Parcel)));
        byte[] bytes = system.Serialization.Serialize(new Parcel { Content = new Ticket(7) });
        var ticket = Assert.IsType<Ticket>(Assert.IsType<Parcel>(system.Serialization.Deserialize(bytes, 119, "")).Content);
        Assert.Equal((1007, system), (ticket.Number, ticket.System));
    }

    private static ActorSystem Start(string config, Setup setup) => ActorSystem.Create(
        "one",
        BootstrapSetup.Create().WithConfig(
            ConfigurationFactory.ParseString(config).WithFallback("akka.loglevel = OFF, akka.stdout-loglevel = OFF")).And(setup));

    public sealed class Ticket(int number) : ISurrogated
    {
        public int Number { get; } = number;

        public ActorSystem? System { get; init; }

        public ISurrogate ToSurrogate(ActorSystem system) => new Stub { Number = Number };

        public sealed class Stub : ISurrogate
        {
            public int Number { get; set; }

            public ISurrogated FromSurrogate(ActorSystem system) => new Ticket(Number) { System = system };
        }
    }
}
