using System.Buffers;
using System.Collections.Immutable;
using System.Runtime.Serialization;
using Akka.Actor;
using Akka.Serialization;
using Akka.Util;
using Wire.Akka;

namespace Wire.Akka16;

/// <summary>
/// The serializer of an actor system of Akka.NET 1.6 that writes messages with Wire, straight into the transport's memory and from it.
/// Thread-safe.
/// </summary>
/// <remarks>
/// <para>It writes the same bytes under the same number as the one for Akka.NET 1.5, and follows the same rules: a message is of the types
/// that are bound to this serializer, here or by HOCON, or derives from them. A payload may name them, the declared types of their members,
/// and what <see cref="SerializerOptions.TypeFilter"/> allows, which makes no message of it. The manifest stays empty, and one that comes
/// in is not looked at. References to actors are written as paths with the address of the transport, and what else is <see
/// cref="ISurrogated"/> as its <see cref="ISurrogate"/>.</para>
/// <para>Every failure is a <see cref="SerializationException"/> around its cause, but for those of Akka's own: a writer that is full says
/// so itself. The size of a message is no hint: to know it costs what writing it costs.</para>
/// </remarks>
public sealed class WireSerializer : SerializerV2
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

    /// <summary>Gets false: there is no manifest.</summary>
    public override bool IncludeManifest => false;

    /// <summary>Gets the empty manifest: the payload names its types itself.</summary>
    public override string Manifest(object obj) => "";

    /// <summary>Writes a message.</summary>
    /// <returns>The number of bytes written.</returns>
    /// <exception cref="SerializationException">The message is not bound, or a value of it cannot be written.</exception>
    public override int Serialize(object obj, IBufferWriter<byte> writer)
    {
        _bound.CheckWritten(obj);
        try
        {
            return checked((int)_serializer.Serialize(obj, writer));
        }
        catch (Exception e) when (e is not (SerializationException or AkkaException))
        {
            throw Unwritable(obj, e);
        }
    }

    /// <summary>Reads a message.</summary>
    /// <param name="bytes">The payload.</param>
    /// <param name="manifest">Not looked at.</param>
    /// <exception cref="SerializationException">
    /// The payload is broken, names a type that is not allowed, or holds what is not bound.
    /// </exception>
    public override object Deserialize(ReadOnlySequence<byte> bytes, string manifest)
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

    /// <summary>Writes a message to an array of its size.</summary>
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
            throw Unwritable(obj, e);
        }
    }

    /// <inheritdoc cref="Deserialize"/>
    public override object FromBinary(byte[] bytes, string manifest) => Deserialize(new ReadOnlySequence<byte>(bytes), manifest);

    /// <inheritdoc cref="Deserialize"/>
    /// <param name="bytes">The payload.</param>
    /// <param name="type">Not looked at.</param>
    public override object FromBinary(byte[] bytes, Type? type) => Deserialize(new ReadOnlySequence<byte>(bytes), "");

    private static SerializationException Unwritable(object obj, Exception cause) =>
        new($"Wire cannot write a message of type {obj.GetType()}: {cause.Message}", cause);
}
