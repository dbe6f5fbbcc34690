using System.Collections.Immutable;
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

/// <summary>Completes the options of a program by what its actor system knows.</summary>
internal static class ActorOptions
{
    /// <summary>Gets the options in an actor system's setup, or else the default ones.</summary>
    public static SerializerOptions Find(ExtendedActorSystem system) =>
        system.Settings.Setup.Get<WireOptions>().Select(setup => setup.Options).GetOrElse(SerializerOptions.Default);

    /// <summary>
    /// Adds surrogates for what belongs to the actor system, the system as context, and the types that HOCON binds to a serializer as
    /// allowed ones.
    /// </summary>
    public static SerializerOptions Complete(this SerializerOptions options, ExtendedActorSystem system, Type serializer) =>
        options.Allow(BoundTypes(system, serializer)) with
        {
            Context = options.Context ?? system,
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

    /// <summary>Allows types and what derives from them; those of the core library, such as object, stand for too many.</summary>
    public static SerializerOptions Allow(this SerializerOptions options, IEnumerable<Type> types) => options with
    {
        TypeFilter = types.Where(type => type.Assembly != typeof(object).Assembly)
            .Aggregate(options.TypeFilter, (filter, type) => filter.AllowDerivedFrom(type)),
    };

    private static IEnumerable<Type> BoundTypes(ExtendedActorSystem system, Type serializer)
    {
        ImmutableHashSet<string> own = [.. system.Settings.Config.GetConfig("akka.actor.serializers").AsEnumerable()
            .Where(entry => Type.GetType(entry.Value.GetString()) == serializer).Select(entry => entry.Key)];
        return system.Settings.Config.GetConfig("akka.actor.serialization-bindings").AsEnumerable()
            .Where(entry => own.Contains(entry.Value.GetString())).Select(entry => Type.GetType(entry.Key)).OfType<Type>();
    }
}
