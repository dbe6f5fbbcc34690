using Wire.Comparing;
using Wire.Tests.Behaviour.Actors;
using Xunit;

namespace Wire.Tests.Behaviour.Actors;

/// <summary>
/// What two actor systems say to each other over long-lived sessions: creation messages, handles that only a system can
/// resolve, system messages of which there is one, and failures.
/// </summary>
public class ActorMessageTests
{
    private const string Worker = "actor://north/user/worker";
    private const string Parent = "actor://south/user/parent";

    private static readonly WireTypeFilter Allowed = WireTypeFilter.Default
        .AllowDerivedFrom<IMessage>()
        .AllowDerivedFrom<Actor>()
        .AllowDerivedFrom<Router>()
        .Allow<Settings>()
        .Allow<Directive>()
        .Allow<ActorInitializationException>();

    public static TheoryData<bool, bool> Modes => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    [Theory]
    [MemberData(nameof(Modes))]
    public void Messages_go_both_ways_and_handles_belong_to_the_system_that_reads_them(bool dynamicCode, bool references)
    {
        var north = new ActorSystem("north");
        var south = new ActorSystem("south");
        Serializer ofNorth = Of(north, dynamicCode, references);
        Serializer ofSouth = Of(south, dynamicCode, references);
        using var there = new Connection(ofNorth, ofSouth);
        using var back = new Connection(ofSouth, ofNorth);
        for (int round = 0; round < 3; round++)
        {
            foreach (Func<ActorSystem, object> message in Messages)
            {
                GraphAssert.Same(message(south), there.Send(message(north)), sharing: references);
                GraphAssert.Same(message(north), back.Send(message(south)), sharing: references);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Handles_are_resolved_and_system_messages_are_the_one_instance(bool dynamicCode, bool references)
    {
        var north = new ActorSystem("north");
        var south = new ActorSystem("south");
        using var connection = new Connection(Of(north, dynamicCode, references), Of(south, dynamicCode, references));

        var envelope = (Envelope)connection.Send(new Envelope(north.Resolve(Parent), PoisonPill.Instance, north.Resolve(Worker)));
        Assert.Same(south.Resolve(Parent), envelope.Recipient);
        Assert.IsType<LocalActorRef>(envelope.Recipient);
        Assert.Same(south.Resolve(Worker), envelope.Sender);
        Assert.IsType<RemoteActorRef>(envelope.Sender);
        Assert.Same(PoisonPill.Instance, envelope.Message);

        envelope = (Envelope)connection.Send(
            new Envelope(Nobody.Instance, new object?[] { ReceiveTimeout.Instance, PoisonPill.Instance, null }, null));
        Assert.Same(Nobody.Instance, envelope.Recipient);
        Assert.Null(envelope.Sender);
        Assert.Equal(new object?[] { ReceiveTimeout.Instance, PoisonPill.Instance, null }, (object?[])envelope.Message);
        Assert.Same(south.Resolve(Worker), connection.Send(north.Resolve(Worker)));
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Failures_arrive_with_their_causes(bool dynamicCode, bool references)
    {
        var north = new ActorSystem("north");
        var south = new ActorSystem("south");
        using var connection = new Connection(Of(north, dynamicCode, references), Of(south, dynamicCode, references));
        Exception cause = Thrown(north.Resolve(Worker));
        for (int round = 0; round < 3; round++)
        {
            var sent = new Failed(north.Resolve(Worker), cause, long.MaxValue - round);
            var failed = (Failed)connection.Send(sent);

            Assert.Same(south.Resolve(Worker), failed.Child);
            Assert.Equal(sent.Uid, failed.Uid);
            Assert.Equal(cause.ToString(), failed.Cause.ToString());
            var initialization = Assert.IsType<ActorInitializationException>(failed.Cause);
            Assert.Same(south.Resolve(Worker), initialization.Actor);
            var inner = Assert.IsType<AggregateException>(initialization.InnerException);
            Assert.Equal(
                new[] { typeof(TimeoutException), typeof(ArgumentOutOfRangeException) }, inner.InnerExceptions.Select(e => e.GetType()));
            Assert.Equal("actor", ((ArgumentException)inner.InnerExceptions[1]).ParamName);
            Assert.Equal(Worker, initialization.Data["path"]);
            Assert.Contains(nameof(Thrown), failed.Cause.StackTrace, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_session_names_each_type_once_and_a_known_type_never()
    {
        var north = new ActorSystem("north");
        var south = new ActorSystem("south");
        using var connection = new Connection(Of(north, true, references: false), Of(south, true, references: false));
        var message = new Envelope(north.Resolve(Parent), new Watch(north.Resolve(Parent), north.Resolve(Worker)), null);
        connection.Send(message);
        int first = connection.LastLength;
        connection.Send(message);

        // Both messages carry the three paths; of the types only the first says more than a few bytes.
        Assert.True(connection.LastLength < first - 30, $"{first} bytes, then {connection.LastLength}.");
        Assert.InRange(connection.LastLength, Parent.Length * 2 + Worker.Length, (Parent.Length * 2) + Worker.Length + 16);
        byte[] payload = Of(north, true, references: false).Serialize<object>(message);
        Assert.Equal(-1, payload.AsSpan().IndexOf("IActorRef"u8));
        Assert.Equal(-1, payload.AsSpan().IndexOf("Actors.Envelope"u8));
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void An_actor_type_that_is_not_allowed_is_refused(bool dynamicCode, bool references)
    {
        var north = new ActorSystem("north");
        var south = new ActorSystem("south");
        Serializer hostile = Of(north, dynamicCode, references);
        Serializer reader = Of(south, dynamicCode, references);
        object[] payloads =
        [
            new Create(new Props(typeof(DiskEraser)), "x", Nobody.Instance),
            new Create(new Props(typeof(Worker<DiskEraser>)), "x", Nobody.Instance),
            new Create(new Props(typeof(Worker<DiskEraser[]>[])), "x", Nobody.Instance),
            new Create(new Props(typeof(Counter), 1, new object[] { new DiskEraser() }), "x", Nobody.Instance),
            new Create(new Props(typeof(Counter), typeof(DiskEraser)), "x", Nobody.Instance),
            new Envelope(Nobody.Instance, new DiskEraser(), null),
            new Ask<DiskEraser>(new DiskEraser(), Nobody.Instance),
        ];
        foreach (object payload in payloads)
        {
            using var connection = new Connection(hostile, reader);
            Assert.Contains(
                nameof(DiskEraser), Assert.Throws<TypeRefusedException>(() => connection.Send(payload)).TypeName, StringComparison.Ordinal);
            Assert.Throws<TypeRefusedException>(() => reader.Deserialize<IMessage>(hostile.Serialize(payload)));
        }

        // System.Diagnostics.Process is in nobody's list, and nothing is loaded to find that out.
        Assert.Throws<TypeRefusedException>(() =>
            reader.Deserialize<object>(hostile.Serialize(new Create(new Props(typeof(System.Diagnostics.Process)), "x", Nobody.Instance))));
        Assert.IsType<Create>(
            reader.Deserialize<object>(hostile.Serialize(Messages[0](north))) is Envelope envelope ? envelope.Message : null);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_cut_message_is_refused_wherever_it_is_cut(bool references)
    {
        Serializer reader = Of(new ActorSystem("south"), true, references);
        byte[] payload = Of(new ActorSystem("north"), true, references).Serialize(Messages[0](new ActorSystem("north")));
        for (int length = 0; length < payload.Length; length++)
        {
            Assert.ThrowsAny<WireFormatException>(() => reader.Deserialize<object>(payload.AsSpan(0, length)));
        }
    }

    [Fact]
    public void A_system_is_needed_to_read_and_write_handles()
    {
        ArgumentException e =
            Assert.Throws<ArgumentException>(() => new Serializer(Of(new ActorSystem("x"), true, false).Options with { Context = null }));
        Assert.Contains(nameof(SerializerOptions.Context), e.Message, StringComparison.Ordinal);
    }

    /// <summary>The messages as one system sees them: each makes the same message with that system's handles.</summary>
    private static readonly Func<ActorSystem, object>[] Messages =
    [
        system =>
        {
            var settings = new Settings(
                "a",
                TimeSpan.FromSeconds(1.5),
                [Directive.Restart, Directive.Escalate]) { Fallback = new Settings("b", TimeSpan.MaxValue, []) };
            var props = new Props(
                typeof(Counter),
                1, -2L, 2.5, 3.25f, 1.10m, 'x', "text", null, true, (byte)5, Directive.Escalate, Guid.Empty, DateTime.UnixEpoch,
                TimeSpan.Zero,
                settings, settings, typeof(Worker<int>), system.Resolve(Worker), Nobody.Instance,
                new object?[] { 1, new object?[] { null, "deep", new object[] { settings } }, Array.Empty<object>() },
                new[] { 1, 2 }, new[] { "a", null }, new[] { Directive.Resume }, new byte[] { 1, 2, 3 }, new IActorRef?[]
                {
                    system.Resolve(Parent),
                    null,
                })
            {
                Router = new Broadcasting(3, TimeSpan.FromDays(1)),
                Deploy = new() { ["dispatcher"] = "pinned", ["parent"] = system.Resolve(Parent), ["nothing"] = null },
            };
            return new Envelope(system.Resolve(Parent), new Create(props, "counter", system.Resolve(Parent)), system.Resolve(Worker));
        },
        system => new Create(new Props(typeof(Worker<Dictionary<string, Settings>>)) { Router = new RoundRobin(1) }, "w", Nobody.Instance),
        system => new Envelope(system.Resolve(Worker), PoisonPill.Instance, null),
        system => new Envelope(system.Resolve(Worker), 42, system.Resolve(Worker)),
        system => new Watch(system.Resolve(Worker), system.Resolve(Parent)),
        system => new Terminated(system.Resolve(Worker), true, false),
        system => new Ask<string>("who?", system.Resolve(Parent)),
        system => new Ask<IActorRef[]>([system.Resolve(Parent), Nobody.Instance], system.Resolve(Parent)),
        system =>
        {
            var message = new Envelope(system.Resolve(Parent), "twice", null);
            return new Batch(
                [message, PoisonPill.Instance, message, ReceiveTimeout.Instance, null, 1, Directive.Restart],
                new Dictionary<IActorRef, int> { [system.Resolve(Worker)] = 1, [system.Resolve(Parent)] = 2 });
        },
    ];

    private static Serializer Of(ActorSystem system, bool dynamicCode, bool references) => new(new SerializerOptions
    {
        DynamicCode = dynamicCode,
        PreserveObjectReferences = references,
        TypeFilter = Allowed,
        Context = system,
        Surrogates = [Surrogate.Create<IActorRef, ActorPath, ActorSystem>(
            (actor, _) => new ActorPath(actor.Path), (path, at) => at.Resolve(path.Path))],
        Singletons = [PoisonPill.Instance, ReceiveTimeout.Instance],
        KnownTypes =
        [
            new(1, typeof(Envelope)),
            new(2, typeof(Create)),
            new(3, typeof(Props)),
            new(4, typeof(IActorRef)),
            new(5, typeof(PoisonPill)),
        ],
    });

    private static ActorInitializationException Thrown(IActorRef actor)
    {
        try
        {
            var causes =
                new AggregateException(new TimeoutException("slow"), new ArgumentOutOfRangeException(nameof(actor), 3, "too many"));
            var failure = new ActorInitializationException("no start", actor, causes);
            failure.Data["path"] = actor.Path;
            throw failure;
        }
        catch (ActorInitializationException e)
        {
            return e;
        }
    }

    /// <summary>One direction between two systems: messages in order, over a session on each side.</summary>
    private sealed class Connection(Serializer from, Serializer to) : IDisposable
    {
        private readonly SerializerSession _writing = from.GetSerializerSession();
        private readonly DeserializerSession _reading = to.GetDeserializerSession();

        public int LastLength { get; private set; }

        public object Send(object message)
        {
            byte[] payload = from.Serialize(message, _writing);
            LastLength = payload.Length;
            return to.Deserialize<object>(payload, _reading)!;
        }

        public void Dispose()
        {
            _writing.Dispose();
            _reading.Dispose();
        }
    }
}
