using System.Collections.Immutable;
using System.Threading.Channels;
using Akka.Actor;
using Akka.Actor.Setup;
using Akka.Configuration;
using Akka.Event;
using Wire.Akka;
using Wire.Testing;

namespace Wire.Integrations.Actors.Tests.Akka;

/// <summary>Two actor systems in this process, each behind a port of its own.</summary>
internal sealed class TwoSystems : IAsyncDisposable
{
    public const string Remoting = """
        akka {
          loglevel = WARNING
          stdout-loglevel = OFF
          loggers = []
          actor.provider = remote
          remote.dot-netty.tcp { hostname = "127.0.0.1", port = 0 }
        }
        """;

    public TwoSystems(ImmutableArray<Type> here, ImmutableArray<Type> there)
        : this(WireSetup.Create(Shop.Options, here), WireSetup.Create(Shop.Options, there))
    {
    }

    public TwoSystems(Setup here, Setup there)
    {
        Here = Start("here", here);
        There = Start("there", there);
    }

    public ActorSystem Here { get; }

    public ActorSystem There { get; }

    /// <summary>Starts an actor that does what a test says.</summary>
    public static IActorRef Act(ActorSystem system, Action<object, IActorContext> receive) =>
        system.ActorOf(Props.Create(() => new Acting(receive)));

    /// <summary>Starts an actor at the other side, and gives this side's reference to it.</summary>
    public async Task<IActorRef> Reach(Action<object, IActorContext> receive)
    {
        IActorRef actor = Act(There, receive);
        string path = actor.Path.ToStringWithAddress(((ExtendedActorSystem)There).Provider.DefaultAddress);
        return await Here.ActorSelection(path).ResolveOne(Patience.Limit);
    }

    /// <summary>Sends a message to the other side, and gives the copy that arrives there.</summary>
    public async Task<object> Send(object message)
    {
        Channel<object> arrived = Channel.CreateUnbounded<object>();
        IActorRef remote = await Reach((received, _) => arrived.Writer.TryWrite(received));
        remote.Tell(message);
        return await arrived.Reader.ReadAsync().AsTask().InTime();
    }

    /// <summary>Gives what a system logs from now on.</summary>
    public static ChannelReader<LogEvent> Logged(ActorSystem system)
    {
        Channel<LogEvent> events = Channel.CreateUnbounded<LogEvent>();
        system.EventStream.Subscribe(Act(system, (message, _) => events.Writer.TryWrite((LogEvent)message)), typeof(LogEvent));
        return events.Reader;
    }

    /// <summary>Waits for an event with a cause of a type.</summary>
    public static async Task<LogEvent> Failure<T>(ChannelReader<LogEvent> events)
        where T : Exception
    {
        while (true)
        {
            LogEvent found = await events.ReadAsync().AsTask().InTime();
            if (found.Cause is T)
            {
                return found;
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Here.Terminate();
        await There.Terminate();
    }

    private static ActorSystem Start(string name, Setup setup) => ActorSystem.Create(
        name, BootstrapSetup.Create().WithConfig(ConfigurationFactory.ParseString(Remoting)).And(setup));

    /// <summary>An actor that does what a test says.</summary>
    public sealed class Acting(Action<object, IActorContext> receive) : UntypedActor
    {
        protected override void OnReceive(object message) => receive(message, Context);
    }
}
