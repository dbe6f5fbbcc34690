using MassTransit;
using MassTransit.Context;
using MassTransit.Serialization;
using Wire.MassTransit;

namespace Wire.Benchmarks.Integrations;

/// <summary>The serializers of MassTransit: the envelope is part of the message.</summary>
internal static class MassTransitSerializers
{
    private static readonly Uri Source = new("rabbitmq://localhost/shop/orders");
    private static readonly Uri Destination = new("rabbitmq://localhost/shop/Wire.Benchmarks.Integrations:OrderPlaced");

    public static IEnumerable<Candidate> All(OrderPlaced message)
    {
        var json = new SystemTextJsonMessageSerializer();
        yield return New("System.Text.Json, the default", message, json, json);
        yield return New("Wire", message, new WireSerializerFactory(MessageOptions.Plain));
        yield return New("Wire, known types", message, new WireSerializerFactory(MessageOptions.Known));
    }

    private static Candidate New(string name, OrderPlaced message, WireSerializerFactory factory) =>
        New(name, message, factory.CreateSerializer(), factory.CreateDeserializer());

    private static Candidate New(string name, OrderPlaced message, IMessageSerializer serializer, IMessageDeserializer deserializer)
    {
        byte[] body = [];
        return new(
            "MassTransit",
            name,
            () =>
            {
                var context = new MessageSendContext<OrderPlaced>(message)
                {
                    MessageId = Guid.NewGuid(),
                    ConversationId = Guid.NewGuid(),
                    SourceAddress = Source,
                    DestinationAddress = Destination,
                    SupportedMessageTypes = MessageTypeCache<OrderPlaced>.MessageTypeNames,
                };
                body = serializer.GetMessageBody(context).GetBytes();
                return body.Length;
            },
            () => deserializer.Deserialize(new BytesMessageBody(body), EmptyHeaders.Instance).TryGetMessage(out OrderPlaced? read)
                ? read!
                : throw new InvalidOperationException("There is no message."));
    }
}
