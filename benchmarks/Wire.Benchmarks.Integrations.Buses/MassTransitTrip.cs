using MassTransit;
using MassTransit.Context;
using MassTransit.Serialization;
using Wire.MassTransit;

namespace Wire.Benchmarks.Integrations;

/// <summary>The serializers of MassTransit: the envelope is part of the message.</summary>
internal sealed class MassTransitTrip(IMessageSerializer serializer, IMessageDeserializer deserializer) : RoundTrip
{
    private static readonly Uri Source = new("rabbitmq://localhost/shop/orders");
    private static readonly Uri Destination = new("rabbitmq://localhost/shop/Wire.Benchmarks.Integrations:OrderPlaced");

    public override int Size => Write().Length;

    public static RoundTrip Json()
    {
        var json = new SystemTextJsonMessageSerializer();
        return new MassTransitTrip(json, json);
    }

    public static RoundTrip Wire()
    {
        var factory = new WireSerializerFactory(Options);
        return new MassTransitTrip(factory.CreateSerializer(), factory.CreateDeserializer());
    }

    public override OrderPlaced Run()
    {
        SerializerContext context = deserializer.Deserialize(new BytesMessageBody(Write()), EmptyHeaders.Instance);
        return context.TryGetMessage(out OrderPlaced? message) ? message! : throw new InvalidOperationException("There is no message.");
    }

    private byte[] Write()
    {
        var context = new MessageSendContext<OrderPlaced>(Message)
        {
            MessageId = Guid.NewGuid(),
            ConversationId = Guid.NewGuid(),
            SourceAddress = Source,
            DestinationAddress = Destination,
            SupportedMessageTypes = MessageTypeCache<OrderPlaced>.MessageTypeNames,
        };
        return serializer.GetMessageBody(context).GetBytes();
    }
}
