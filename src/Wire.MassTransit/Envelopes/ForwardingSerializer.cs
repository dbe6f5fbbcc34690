using System.Net.Mime;
using MassTransit;

namespace Wire.MassTransit.Envelopes;

/// <summary>Writes one message again, for each context that it is sent with: when it is forwarded, scheduled or redelivered.</summary>
internal sealed class ForwardingSerializer(Func<SendContext, MessageBody> makeBody, string[]? messageTypes) : IMessageSerializer
{
    public ContentType ContentType => WireSerializerFactory.WireContentType;

    public MessageBody GetMessageBody<T>(SendContext<T> context)
        where T : class
    {
        if (messageTypes is not null)
        {
            context.SupportedMessageTypes = messageTypes;
        }

        return makeBody(context);
    }
}
