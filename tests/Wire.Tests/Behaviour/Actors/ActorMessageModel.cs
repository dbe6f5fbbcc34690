using System.Collections.Concurrent;

namespace Wire.Tests.Behaviour.Actors;

/// <summary>A handle to an actor, wherever it lives.</summary>
public interface IActorRef
{
    string Path { get; }
}

/// <summary>An actor of the system itself.</summary>
public sealed class LocalActorRef(ActorSystem system, string path) : IActorRef
{
    public ActorSystem System { get; } = system;

    public string Path { get; } = path;
}

/// <summary>An actor of another system, seen from here.</summary>
public sealed class RemoteActorRef(ActorSystem from, string path) : IActorRef
{
    public ActorSystem From { get; } = from;

    public string Path { get; } = path;
}

/// <summary>Nobody's handle, which every system has.</summary>
public sealed class Nobody : IActorRef
{
    private Nobody()
    {
    }

    public static Nobody Instance { get; } = new();

    public string Path => "";
}

/// <summary>What is written of a handle.</summary>
public readonly record struct ActorPath(string Path);

/// <summary>A system resolves paths to handles: the same path is always the same handle.</summary>
public sealed class ActorSystem(string name)
{
    private readonly ConcurrentDictionary<string, IActorRef> _actors = new();

    public string Name { get; } = name;

    public IActorRef Resolve(string path) => path.Length == 0 ? Nobody.Instance : _actors.GetOrAdd(
        path,
        static (path, system) => path.StartsWith($"actor://{system.Name}/", StringComparison.Ordinal)
            ? new LocalActorRef(system, path)
            : new RemoteActorRef(system, path),
        this);
}

public abstract class Actor;

public sealed class Counter : Actor;

public sealed class Worker<TJob> : Actor;

/// <summary>No actor, and nothing that a payload should have made.</summary>
public sealed class DiskEraser;

public enum Directive : byte
{
    Resume,
    Restart = 7,
    Escalate = 200,
}

/// <summary>How to make an actor: its type, and its constructor's arguments.</summary>
public sealed class Props(Type actor, params object?[] arguments)
{
    public Type Actor { get; } = actor;

    public object?[] Arguments { get; } = arguments;

    public Router? Router { get; init; }

    public Dictionary<string, object?> Deploy { get; init; } = [];
}

public abstract record Router(int Routees);

public sealed record RoundRobin(int Routees) : Router(Routees);

public sealed record Broadcasting(int Routees, TimeSpan Within) : Router(Routees);

public sealed record Settings(string Name, TimeSpan Timeout, List<Directive> Directives)
{
    public Settings? Fallback { get; init; }
}

public interface IMessage;

public sealed record Envelope(IActorRef Recipient, object Message, IActorRef? Sender) : IMessage;

public sealed record Create(Props Props, string Name, IActorRef Supervisor) : IMessage;

public sealed record Watch(IActorRef Watchee, IActorRef Watcher) : IMessage;

public sealed record Terminated(IActorRef Actor, bool Confirmed, bool AddressTerminated) : IMessage;

public sealed record Failed(IActorRef Child, Exception Cause, long Uid) : IMessage;

public sealed record Batch(object?[] Messages, Dictionary<IActorRef, int> Counts) : IMessage;

public sealed record Ask<T>(T Question, IActorRef ReplyTo) : IMessage;

/// <summary>Ends an actor: of system messages there is one instance each.</summary>
public sealed class PoisonPill : IMessage
{
    private PoisonPill()
    {
    }

    public static PoisonPill Instance { get; } = new();
}

public sealed class ReceiveTimeout : IMessage
{
    private ReceiveTimeout()
    {
    }

    public static ReceiveTimeout Instance { get; } = new();
}

public sealed class ActorInitializationException(string message, IActorRef actor, Exception cause) : Exception(message, cause)
{
    public IActorRef Actor { get; } = actor;
}

/// <summary>Gets whether a type that payloads must not touch has been touched.</summary>
public static class Alarm
{
    public static bool HasRung { get; set; }
}

/// <summary>Rings when it is first used. Its name is as long as Counter's.</summary>
public sealed class Sleeper
{
    static Sleeper() => Alarm.HasRung = true;
}
