using System.Collections.Immutable;
using Akka.Actor.Setup;
using Akka.Serialization;

namespace Wire.Akka;

/// <summary>Registers <see cref="WireSerializer"/> in code.</summary>
public static class WireSetup
{
    /// <summary>
    /// Makes the setup of an actor system in which Wire writes these messages. Payloads may name them and what derives from them.
    /// </summary>
    /// <param name="options">The options of the serializer; immutable.</param>
    /// <param name="messages">The classes, base classes and interfaces of messages that Wire writes.</param>
    public static SerializationSetup Create(SerializerOptions options, params ImmutableArray<Type> messages) =>
        SerializationSetup.Create(system =>
        [
            SerializerDetails.Create("wire", new WireSerializer(system, Allow(options, messages)), [.. messages]),
        ]);

    /// <summary>Allows types and what derives from them; those of the core library, such as object, stand for too many.</summary>
    internal static SerializerOptions Allow(SerializerOptions options, IEnumerable<Type> types) => options with
    {
        TypeFilter = types.Where(type => type.Assembly != typeof(object).Assembly)
            .Aggregate(options.TypeFilter, (filter, type) => filter.AllowDerivedFrom(type)),
    };
}

/// <summary>The options for a <see cref="WireSerializer"/> that HOCON registers: a part of the actor system's setup.</summary>
/// <param name="options">The options; immutable.</param>
public sealed class WireOptions(SerializerOptions options) : Setup
{
    /// <summary>Gets the options.</summary>
    public SerializerOptions Options { get; } = options;
}
