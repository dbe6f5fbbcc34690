using System.Collections.Immutable;
using System.Runtime.Serialization;
using Akka.Actor;
using Akka.Serialization;
using Akka.Util;

namespace Wire.Akka;

/// <summary>
/// The serializer of an actor system that writes messages with Wire: <see cref="WireSetup"/> and HOCON register it. Thread-safe.
/// </summary>
/// <remarks>
/// <para>A message is of the types that are bound to this serializer, or derives from them. A payload may name them, the declared types of
/// their members, and what <see cref="SerializerOptions.TypeFilter"/> allows, which makes no message of it. Akka's manifest stays empty:
/// Wire's payload names its own types, in fewer bytes than a second name in each envelope would take, and a manifest that comes in is not
/// looked at.</para>
/// <para>An <see cref="IActorRef"/> anywhere in a message is written as its path, with the address of the transport that the message leaves
/// by, and read as the reference that the actor system resolves; one that is gone leads to dead letters. Paths and addresses are written
/// as text, and what else is <see cref="ISurrogated"/> as its <see cref="ISurrogate"/>, whose type the filter has to allow. The surrogates
/// of the options come first, and have the actor system as context unless the options name another.</para>
/// <para>Every failure is a <see cref="SerializationException"/> around its cause: remoting logs it, drops this message and keeps the
/// association.</para>
/// </remarks>
public sealed class WireSerializer : SerializerWithStringManifest
{
    private readonly BoundMessages _bound;
    private readonly Serializer _serializer;

    /// <summary>
    /// Makes the serializer that HOCON asks for, with the options of <see cref="WireOptions"/> if the actor system's setup has them.
    /// </summary>
    /// <param name="system">The actor system.</param>
    public WireSerializer(ExtendedActorSystem system)
        : this(system, BoundMessages.FindOptions(system))
    {
    }

    /// <summary>Makes a serializer for these messages and those that HOCON binds to one of this type.</summary>
    /// <param name="system">The actor system.</param>
    /// <param name="options">The options; immutable.</param>
    /// <param name="messages">The classes, base classes and interfaces of messages that are bound to it in code.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public WireSerializer(ExtendedActorSystem system, SerializerOptions options, params ImmutableArray<Type> messages)
        : base(system)
    {
        _bound = new BoundMessages(system, GetType(), messages);
        _serializer = new Serializer(_bound.Complete(options));
    }

    /// <summary>Gets the number that stands for this serializer in Akka's envelopes.</summary>
    public override int Identifier => 119;

    /// <summary>Gets the empty manifest: the payload names its types itself.</summary>
    public override string Manifest(object o) => "";

    /// <summary>Writes a message.</summary>
    /// <exception cref="SerializationException">The message is not bound, or a value of it cannot be written.</exception>
    public override byte[] ToBinary(object obj)
    {
        _bound.CheckWritten(obj);
        try
        {
            return _serializer.Serialize(obj);
        }
        catch (Exception e) when (e is not SerializationException)
        {
            throw new SerializationException($"Wire cannot write a message of type {obj.GetType()}: {e.Message}", e);
        }
    }

    /// <summary>Reads a message.</summary>
    /// <param name="bytes">The payload.</param>
    /// <param name="manifest">Not looked at.</param>
    /// <exception cref="SerializationException">
    /// The payload is broken, names a type that is not allowed, or holds what is not bound.
    /// </exception>
    public override object FromBinary(byte[] bytes, string manifest)
    {
        try
        {
            return _bound.CheckRead(_serializer.Deserialize<object>(bytes));
        }
        catch (Exception e) when (e is not SerializationException)
        {
            throw new SerializationException($"Wire cannot read the message: {e.Message}", e);
        }
    }
}
