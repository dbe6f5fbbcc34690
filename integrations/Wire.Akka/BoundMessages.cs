using System.Collections.Immutable;
using System.Runtime.Serialization;
using Akka.Actor;
using Akka.Actor.Setup;
using Akka.Serialization;
using Akka.Util;

namespace Wire.Akka;

/// <summary>The options for a serializer that HOCON registers: a part of the actor system's setup.</summary>
/// <param name="options">The options; immutable.</param>
public sealed class WireOptions(SerializerOptions options) : Setup
{
    /// <summary>Gets the options.</summary>
    public SerializerOptions Options { get; } = options;
}

/// <summary>
/// The messages that are bound to a serializer, those that HOCON binds to its type among them: what it writes and reads, and allows.
/// </summary>
internal sealed class BoundMessages(ExtendedActorSystem system, Type serializer, ImmutableArray<Type> messages)
{
    /// <summary>The name by which code registers the serializer.</summary>
    public const string Name = "wire";

    private readonly ImmutableArray<Type> _types = [.. messages, .. InHocon(system, serializer)];

    /// <summary>Gets the options in an actor system's setup, or else the default ones.</summary>
    public static SerializerOptions FindOptions(ExtendedActorSystem system) =>
        system.Settings.Setup.Get<WireOptions>().Select(setup => setup.Options).GetOrElse(SerializerOptions.Default);

    /// <summary>
    /// Adds surrogates for what belongs to the actor system, the system as context, and the bound types as allowed ones. Those of the core
    /// library, such as object, stand for too many.
    /// </summary>
    public SerializerOptions Complete(SerializerOptions options) => options with
    {
        Context = options.Context ?? system,
        TypeFilter = _types.Where(type => type.Assembly != typeof(object).Assembly)
            .Aggregate(options.TypeFilter, (filter, type) => filter.AllowDerivedFrom(type)),
        Surrogates =
        [
            .. options.Surrogates,
            Surrogate.Create<IActorRef, string>(
                reference => reference is Nobody ? "" : Serialization.SerializedActorPath(reference),
                path => path.Length == 0 ? ActorRefs.Nobody : system.Provider.ResolveActorRef(path)),
            Surrogate.Create<ActorPath, string>(path => path.ToSerializationFormat(), ActorPath.Parse),
            Surrogate.Create<Address, string>(address => address.ToString(), Address.Parse),
            Surrogate.Create<ISurrogated, ISurrogate>(value => value.ToSurrogate(system), value => value.FromSurrogate(system)),
        ],
    };

    /// <summary>Refuses to write what is not bound.</summary>
    /// <exception cref="SerializationException">The message is not bound.</exception>
    public void CheckWritten(object message)
    {
        if (!Contain(message))
        {
            throw new SerializationException($"The message is {message.GetType()}, which is not bound to Wire here.");
        }
    }

    /// <summary>Gives the message that a payload holds: what members may be is not yet a message.</summary>
    /// <exception cref="SerializationException">The payload holds null, or what is not bound.</exception>
    public object CheckRead(object? message) => message is not null && Contain(message)
        ? message
        : throw new SerializationException(
            $"The payload holds {message?.GetType().ToString() ?? "null"}, which is not bound to Wire here.");

    private bool Contain(object message)
    {
        foreach (Type type in _types)
        {
            if (type.IsInstanceOfType(message))
            {
                return true;
            }
        }

        return false;
    }

    private static IEnumerable<Type> InHocon(ExtendedActorSystem system, Type serializer)
    {
        Dictionary<string, bool> names = system.Settings.Config.GetConfig("akka.actor.serializers").AsEnumerable()
            .ToDictionary(entry => entry.Key, entry => Type.GetType(entry.Value.GetString()) == serializer);

        // HOCON may bind to the name that code has registered.
        names.TryAdd(Name, true);
        return system.Settings.Config.GetConfig("akka.actor.serialization-bindings").AsEnumerable()
            .Where(entry => names.GetValueOrDefault(entry.Value.GetString())).Select(entry => Type.GetType(entry.Key)).OfType<Type>();
    }
}
