using System.Buffers;
using RabbitMQ.Client;
using Wire.Amqp;
using Wire.Amqp.Client;
using IncomingProperties = Wire.Amqp.V091.BasicProperties;

namespace Wire.RabbitMQ.Connections.Lane;

/// <summary>
/// A message that the direct lane has delivered: its properties as RabbitMQ.Client shows them, made when they are asked for, and its body where it was
/// received. Both are valid until the delivery is given back; what is asked for then says so. For one thread at a time.
/// </summary>
internal sealed class LaneDelivery(AmqpDelivery delivery) : IReadOnlyBasicProperties, IKeptBody, IBodyKeeper
{
    private string? _messageId;
    private string? _type;
    private IDictionary<string, object?>? _headers;
    private bool _hasHeaders;

    /// <summary>Whether its receiver has it, and gives it back.</summary>
    public bool IsKept { get; private set; }

    public ReadOnlySequence<byte> Bytes => delivery.Body;

    public string? AppId => Text(Said.AppId);

    public string? ClusterId => Text(Said.ClusterId);

    public string? ContentEncoding => Text(Said.ContentEncoding);

    // That of nearly all messages.
    public string? ContentType => Said.ContentType is { IsNull: false } type ? type.Equals(AmqpBody.ContentType) ? AmqpBody.ContentType : type.ToString() : null;

    public string? CorrelationId => Text(Said.CorrelationId);

    public DeliveryModes DeliveryMode => (DeliveryModes)(Said.DeliveryMode ?? 0);

    public string? Expiration => Text(Said.Expiration);

    public IDictionary<string, object?>? Headers
    {
        get
        {
            if (!_hasHeaders)
            {
                _headers = HeaderObjects.Of(Said.Headers);
                _hasHeaders = true;
            }

            return _headers;
        }
    }

    public string? MessageId => _messageId ??= Text(Said.MessageId);

    public bool Persistent => DeliveryMode == DeliveryModes.Persistent;

    public byte Priority => Said.Priority ?? 0;

    public string? ReplyTo => Text(Said.ReplyTo);

    public PublicationAddress? ReplyToAddress => PublicationAddress.TryParse(ReplyTo!, out PublicationAddress? address) ? address : null;

    public AmqpTimestamp Timestamp => new(Said.Timestamp?.Seconds ?? 0);

    public string? Type => _type ??= Text(Said.Type);

    public string? UserId => Text(Said.UserId);

    private IncomingProperties Said => delivery.Properties;

    public bool IsAppIdPresent() => !Said.AppId.IsNull;

    public bool IsClusterIdPresent() => !Said.ClusterId.IsNull;

    public bool IsContentEncodingPresent() => !Said.ContentEncoding.IsNull;

    public bool IsContentTypePresent() => !Said.ContentType.IsNull;

    public bool IsCorrelationIdPresent() => !Said.CorrelationId.IsNull;

    public bool IsDeliveryModePresent() => Said.DeliveryMode.HasValue;

    public bool IsExpirationPresent() => !Said.Expiration.IsNull;

    public bool IsHeadersPresent() => !Said.Headers.IsEmpty;

    public bool IsMessageIdPresent() => !Said.MessageId.IsNull;

    public bool IsPriorityPresent() => Said.Priority.HasValue;

    public bool IsReplyToPresent() => !Said.ReplyTo.IsNull;

    public bool IsTimestampPresent() => Said.Timestamp.HasValue;

    public bool IsTypePresent() => !Said.Type.IsNull;

    public bool IsUserIdPresent() => !Said.UserId.IsNull;

    IKeptBody IBodyKeeper.Keep(ReadOnlySequence<byte> body)
    {
        IsKept = true;
        return this;
    }

    public void GiveBack() => delivery.Dispose();

    private static string? Text(AmqpString text) => text.IsNull ? null : text.ToString();
}
