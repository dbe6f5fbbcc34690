using System.Collections.Concurrent;
using System.Collections.Immutable;
using Google.Protobuf;
using Microsoft.Extensions.Logging;
using Proto;
using Proto.Remote;

namespace Wire.ProtoActor;

/// <summary>
/// The serializer of Proto.Remote that writes messages with Wire: <see cref="WireSerialization.WithWireSerializer"/> registers it.
/// Thread-safe.
/// </summary>
/// <remarks>
/// Payloads may name the types that the serializer is registered for, what derives from them, the declared types of their members, and what
/// <see cref="SerializerOptions.TypeFilter"/> allows. The name that Proto.Actor carries in front of them loads nothing; it has to be that
/// of the message, because Proto.Actor keeps messages with <see cref="ICachedSerialization"/> by it. A <see cref="PID"/> anywhere in a
/// message is written as its address, id and request.
/// </remarks>
public sealed partial class WireSerializer : ISerializer
{
    private readonly Serializer _serializer;
    private readonly ImmutableArray<Type> _messages;
    private readonly ConcurrentDictionary<Type, string> _names = [];
    private readonly ILogger _log = Log.CreateLogger<WireSerializer>();

    /// <summary>Makes a serializer.</summary>
    /// <param name="options">The options; immutable.</param>
    /// <param name="messages">The classes, base classes and interfaces of messages that Wire writes.</param>
    /// <exception cref="ArgumentException">An option is null, out of range or contradicts another.</exception>
    public WireSerializer(SerializerOptions options, params ImmutableArray<Type> messages)
    {
        _messages = messages;
        _serializer = new Serializer(options with
        {
            TypeFilter = messages.Where(type => type.Assembly != typeof(object).Assembly)
                .Aggregate(options.TypeFilter, (filter, type) => filter.AllowDerivedFrom(type)),
            Surrogates =
            [
                .. options.Surrogates,
                Surrogate.Create<PID, (string Address, string Id, uint Request)>(
                    pid => (pid.Address, pid.Id, pid.RequestId),
                    parts => new PID(parts.Address, parts.Id) { RequestId = parts.Request }),
            ],
        });
    }

    /// <summary>Returns whether Wire writes a message: one of the registered types, unless it is a message of protocol buffers.</summary>
    public bool CanSerialize(object obj) => obj is not IMessage && _messages.Any(type => type.IsInstanceOfType(obj));

    /// <summary>Gets the full name of a message's type and the simple name of its assembly.</summary>
    public string GetTypeName(object message) => _names.GetOrAdd(message.GetType(), type => $"{type}, {type.Assembly.GetName().Name}");

    /// <summary>
    /// Writes a message. One that cannot be written is logged and becomes an empty payload, which the other side refuses in turn: an
    /// exception here would take the messages of the same batch with it, which Proto.Actor forgets.
    /// </summary>
    public ByteString Serialize(object obj)
    {
        try
        {
            return UnsafeByteOperations.UnsafeWrap(_serializer.Serialize(obj));
        }
        catch (Exception e)
        {
            Unwritable(_log, obj.GetType(), e);
            return ByteString.Empty;
        }
    }

    /// <summary>Reads a message.</summary>
    /// <exception cref="WireFormatException">The payload is broken, or names a type that is not allowed.</exception>
    /// <exception cref="InvalidOperationException">
    /// The payload is empty, because the other side could not write the message, or holds another message than Proto.Actor was told.
    /// </exception>
    public object Deserialize(ByteString bytes, string typeName)
    {
        if (bytes.IsEmpty)
        {
            throw new InvalidOperationException($"A message {Named(typeName)} could not be written; the log of its sender says why.");
        }

        object? message = _serializer.Deserialize<object>(bytes.Span);
        string found = message is null ? "null" : GetTypeName(message);
        return found == typeName && CanSerialize(message!)
            ? message!
            : throw new InvalidOperationException($"The payload of a message {Named(typeName)} holds {found}.");
    }

    // The other side's text goes into logs: in one line, and not for long.
    private static string Named(string typeName) =>
        typeName.Length <= 500 && !typeName.Any(char.IsControl) ? $"named '{typeName}'" : "without a name of .NET";

    [LoggerMessage(LogLevel.Error, "Wire cannot write a message of type {Type}.")]
    private static partial void Unwritable(ILogger log, Type type, Exception cause);
}

/// <summary>Registers <see cref="WireSerializer"/> in the configuration of remoting.</summary>
public static class WireSerialization
{
    /// <summary>The number that stands for the serializer in Proto.Actor's envelopes.</summary>
    public const int SerializerId = 119;

    /// <summary>
    /// Lets Wire write these messages and what derives from them: after protocol buffers, which keep their own messages, and before JSON.
    /// </summary>
    /// <param name="config">The configuration.</param>
    /// <param name="options">The options of the serializer; immutable.</param>
    /// <param name="messages">The classes, base classes and interfaces of messages that Wire writes.</param>
    public static TRemoteConfig WithWireSerializer<TRemoteConfig>(
        this TRemoteConfig config, SerializerOptions options, params ImmutableArray<Type> messages)
        where TRemoteConfig : RemoteConfig => config.WithSerializer(SerializerId, -500, new WireSerializer(options, messages));
}
