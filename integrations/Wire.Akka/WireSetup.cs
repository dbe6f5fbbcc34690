using System.Collections.Immutable;
using Akka.Serialization;

namespace Wire.Akka;

/// <summary>Registers <see cref="WireSerializer"/> in code.</summary>
public static class WireSetup
{
    /// <summary>
    /// Makes the setup of an actor system in which Wire writes these messages and what derives from them, and reads no others.
    /// </summary>
    /// <param name="options">The options of the serializer; immutable.</param>
    /// <param name="messages">The classes, base classes and interfaces of messages that Wire writes.</param>
    public static SerializationSetup Create(SerializerOptions options, params ImmutableArray<Type> messages) =>
        SerializationSetup.Create(system =>
        [
            SerializerDetails.Create(BoundMessages.Name, new WireSerializer(system, options, messages), [.. messages]),
        ]);
}
