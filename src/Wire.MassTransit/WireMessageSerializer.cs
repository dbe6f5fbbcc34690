using System.Net.Mime;
using System.Runtime.Serialization;
using MassTransit;
using MassTransit.Serialization;
using Wire.MassTransit.Contracts;
using Wire.MassTransit.Envelopes;

namespace Wire.MassTransit;

/// <summary>Writes and reads bodies for MassTransit.</summary>
internal sealed class WireMessageSerializer(MessageSerializers serializers) : IMessageSerializer, IMessageDeserializer
{
    // Headers and variables are converted as with MassTransit's own serializer: texts of numbers, addresses and so on.
    private static readonly IObjectDeserializer Objects = SystemTextJsonMessageSerializer.Instance;

    public ContentType ContentType => WireSerializerFactory.WireContentType;

    public MessageBody GetMessageBody<T>(SendContext<T> context)
        where T : class => new EnvelopeBody(serializers, Envelope.For(context), context.Message);

    public MessageBody GetMessageBody(string text) => new Base64MessageBody(text);

    public ConsumeContext Deserialize(ReceiveContext receiveContext) => new BodyConsumeContext(
        receiveContext, Deserialize(receiveContext.Body, receiveContext.TransportHeaders, receiveContext.InputAddress));

    public SerializerContext Deserialize(MessageBody body, Headers headers, Uri? destinationAddress = null)
    {
        try
        {
            // Transports that carry text carry what the bytes are in Base64, and give that back as a text.
            byte[] bytes = body is StringMessageBody ? Convert.FromBase64String(body.GetString()) : body.GetBytes();
            Envelope envelope = serializers.ReadEnvelope(bytes, out int size);
            return new EnvelopeSerializerContext(serializers, Objects, envelope, bytes.AsMemory(size));
        }
        catch (Exception e) when (e is not SerializationException)
        {
            throw new SerializationException($"The envelope of the message cannot be read: {e.Message}", e);
        }
    }

    public void Probe(ProbeContext context)
    {
        ProbeContext scope = context.CreateScope("wire");
        scope.Add("contentType", ContentType.MediaType);
        scope.Add("provider", "Wire");
    }
}
