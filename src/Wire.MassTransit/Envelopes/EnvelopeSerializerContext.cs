using System.Diagnostics.CodeAnalysis;
using System.Runtime.Serialization;
using MassTransit;
using MassTransit.Serialization;
using MassTransit.Util;
using Wire.MassTransit.Contracts;

namespace Wire.MassTransit.Envelopes;

/// <summary>A received body: its envelope, and the message that is read when a consumer asks for it.</summary>
internal sealed class EnvelopeSerializerContext(
    MessageSerializers serializers, IObjectDeserializer deserializer, Envelope envelope, ReadOnlyMemory<byte> message)
    : BaseSerializerContext(deserializer, new EnvelopeContext(envelope, deserializer), envelope.MessageTypes ?? [])
{
    public override bool TryGetMessage<T>([NotNullWhen(true)] out T? message)
        where T : class
    {
        bool isThere = TryGetMessage(typeof(T), out object? value);
        message = (T?)value;
        return isThere;
    }

    public override bool TryGetMessage(Type messageType, [NotNullWhen(true)] out object? message)
    {
        message = IsSupportedMessageType(messageType) ? Read(messageType) : null;
        return message is not null;
    }

    public override IMessageSerializer GetMessageSerializer() => new ForwardingSerializer(
        context => new EnvelopeBody(serializers, envelope.SentOn(context), message), envelope.MessageTypes);

    public override IMessageSerializer GetMessageSerializer(object message, string[] messageTypes)
    {
        ArgumentNullException.ThrowIfNull(message);
        Envelope own = Envelope.For(this, messageTypes);
        return new ForwardingSerializer(context => new EnvelopeBody(serializers, own.SentOn(context), message), messageTypes);
    }

    // A subscription of a routing slip may bring a message of its own, into which MassTransit merges the members of an event: as JSON.
    public override IMessageSerializer GetMessageSerializer<T>(MessageEnvelope envelope, T message) => throw new NotSupportedException(
        $"A {typeof(T)} cannot be merged into the message that a subscription brings, because a Wire payload is of one type. Subscribe " +
        "without a message of your own.");

    // As objects, and not as JSON: they are written with their types.
    public override Dictionary<string, object> ToDictionary<T>(T? message)
        where T : class =>
        message is null ? new(StringComparer.OrdinalIgnoreCase) : ConvertObject.ToDictionary(message);

    private object? Read(Type type)
    {
        try
        {
            return serializers.Read(type, message.Span);
        }
        catch (Exception e)
        {
            throw new SerializationException($"The message cannot be read as {type}: {e.Message}", e);
        }
    }
}
