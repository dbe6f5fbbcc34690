using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Behaviour.Actors;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Actors;

/// <summary>Messages of actors that were damaged, forged, or written for a system with other options; and many at once.</summary>
public class ActorMessageHostileTests
{
    private const string Worker = "actor://north/user/worker";
    private const string Parent = "actor://south/user/parent";

    public static TheoryData<bool, bool, bool> Modes => Configuration.AsTheory();

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_damaged_message_is_read_or_reported(bool references, bool tolerance, bool dynamicCode)
    {
        var north = new ActorSystem("north");
        Serializer writer = Of(north, references, tolerance, dynamicCode);
        Serializer reader = Of(new ActorSystem("south"), references, tolerance, dynamicCode);
        int refused = 0;
        foreach (Envelope message in Messages(north))
        {
            byte[] payload = writer.Serialize(message);
            for (int at = 0; at < payload.Length; at++)
            {
                foreach (byte wrong in new byte[] { 0, 0xFF, (byte)(payload[at] ^ 1) }.Sample(among: 6, at))
                {
                    byte[] damaged = [.. payload[..at], wrong, .. payload[(at + 1)..]];
                    Exception? e = Record.Exception(() => reader.Deserialize<Envelope>(damaged));
                    Assert.True(e is null or WireFormatException, $"Byte {at} of {Convert.ToHexString(payload)} as {wrong:X2}: {e}");
                    refused += e is null ? 0 : 1;
                }
            }
        }

        Assert.NotEqual(0, refused);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Messages_agree_without_their_root_type_and_without_schemas(bool references, bool tolerance, bool dynamicCode)
    {
        ActorSystem north = new("north"), south = new("south");
        Serializer writer = Of(north, references, tolerance, dynamicCode);
        Serializer reader = Of(south, references, tolerance, dynamicCode);
        foreach ((Envelope sent, Envelope expected) in Messages(north).Zip(Messages(south)))
        {
            GraphAssert.Same(expected, reader.DeserializeTyped<Envelope>(writer.SerializeTyped(sent)), references);
            GraphAssert.Same(expected, reader.Deserialize<IMessage>(new TrickleStream(writer.Serialize<IMessage>(sent), 3)), references);
            GraphAssert.Same(sent, writer.Clone(sent), references);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_session_that_has_refused_a_forged_message_goes_on(bool references)
    {
        ActorSystem north = new("north"), south = new("south");
        Serializer writer = Of(north, references);
        Serializer reader = Of(south, references);
        using SerializerSession writing = writer.GetSerializerSession();
        using DeserializerSession reading = reader.GetDeserializerSession();
        foreach ((Props props, string place) in new[]
        {
            (new Props(typeof(DiskEraser)), "Message.Props.Actor"),
            (new Props(typeof(DiskEraser[])), "Message.Props.Actor"),
            (new Props(typeof(Counter), 1, new object?[] { null, new DiskEraser() }), "Message.Props.Arguments[1][1]"),
            (new Props(typeof(Counter), north.Resolve(Worker), typeof(Worker<DiskEraser>)), "Message.Props.Arguments[1]"),
        })
        {
            byte[] forged = writer.Serialize(new Envelope(Nobody.Instance, new Create(props, "x", Nobody.Instance), null));
            TypeRefusedException e = Assert.Throws<TypeRefusedException>(() => reader.Deserialize<object>(forged, reading));
            Assert.Contains(nameof(DiskEraser), e.TypeName, StringComparison.Ordinal);
            Assert.Equal(place, e.MemberPath);

            foreach ((Envelope sent, Envelope expected) in Messages(north).Zip(Messages(south)))
            {
                GraphAssert.Same(expected, reader.Deserialize<Envelope>(writer.Serialize(sent, writing), reading), references);
            }
        }
    }

    [Fact]
    public void A_name_that_is_put_in_the_place_of_an_actors_makes_nothing()
    {
        Serializer reader = Of(new ActorSystem("south"));
        byte[] payload = Of(new ActorSystem("north")).Serialize(
            new Envelope(Nobody.Instance, new Create(new Props(typeof(Counter)), "x", Nobody.Instance), null));
        int at = payload.AsSpan().IndexOf("Actors.Counter"u8) + "Actors.".Length;

        "Sleeper"u8.CopyTo(payload.AsSpan(at));
        Assert.Contains(
            nameof(Sleeper),
            Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Envelope>(payload)).TypeName,
            StringComparison.Ordinal);
        Assert.False(Alarm.HasRung);
        "Missing"u8.CopyTo(payload.AsSpan(at));
        Assert.Throws<TypeRefusedException>(() => reader.Deserialize<Envelope>(payload));
    }

    [Fact]
    public void What_the_reader_lacks_is_named()
    {
        var north = new ActorSystem("north");
        SerializerOptions options = Of(new ActorSystem("south")).Options;
        byte[] pill = Of(north).Serialize(new Envelope(Nobody.Instance, PoisonPill.Instance, null));

        string message =
            Assert.Throws<WireFormatException>(() => new Serializer(options with { Singletons = [] }).Deserialize<Envelope>(pill)).Message;
        Assert.Contains(nameof(SerializerOptions.Singletons), message, StringComparison.Ordinal);
        WireFormatException handle =
            Assert.ThrowsAny<WireFormatException>(() => new Serializer(options with { Surrogates = [] }).Deserialize<Envelope>(pill));
        Assert.Equal("Recipient", handle.MemberPath);
    }

    [Fact]
    public void Threads_share_a_system()
    {
        ActorSystem north = new("north"), south = new("south");
        Serializer writer = Of(north, references: true);
        Serializer reader = Of(south, references: true);
        Parallel.For(0, 64, _ =>
        {
            foreach ((Envelope sent, Envelope expected) in Messages(north).Zip(Messages(south)))
            {
                GraphAssert.Same(expected, reader.Deserialize<Envelope>(writer.Serialize(sent)), sharing: true);
            }
        });
    }

    private static Envelope[] Messages(ActorSystem system)
    {
        IActorRef worker = system.Resolve(Worker);
        IActorRef parent = system.Resolve(Parent);
        var settings = new Settings("a", TimeSpan.FromSeconds(1), [Directive.Restart]);
        var props = new Props(
            typeof(Worker<int>),
            1,
            "text",
            null,
            Directive.Escalate,
            1.5m,
            settings,
            settings,
            new int[][] { [1], [] },
            new IActorRef?[] { parent, null, worker })
        {
            Router = new RoundRobin(3),
            Deploy = new() { ["parent"] = parent, ["pill"] = PoisonPill.Instance },
        };
        return
        [
            new(parent, new Create(props, "worker", parent), worker),
            new(worker, PoisonPill.Instance, Nobody.Instance),
            new(worker, new Batch(
                [PoisonPill.Instance, 'x', props, PoisonPill.Instance, new Watch(worker, parent), null],
                new() { [worker] = 1, [parent] = 2 }), null),
            new(parent, new Envelope(
                worker, new Dictionary<object, object?> { [PoisonPill.Instance] = parent, [parent] = PoisonPill.Instance }, null), parent),
        ];
    }

    private static Serializer Of(ActorSystem system, bool references = false, bool tolerance = true, bool dynamicCode = true) =>
        new(new SerializerOptions
        {
            PreserveObjectReferences = references,
            VersionTolerance = tolerance,
            DynamicCode = dynamicCode,
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<IMessage>().AllowDerivedFrom<Actor>().AllowDerivedFrom<Router>()
                .Allow<Props>().Allow<Settings>().Allow<Directive>(),
            Context = system,
            Surrogates =
            [
                Surrogate.Create<IActorRef, ActorPath, ActorSystem>(
                    (actor, _) => new ActorPath(actor.Path), (path, at) => at.Resolve(path.Path ?? "")),
            ],
            Singletons = [PoisonPill.Instance],
        });
}
