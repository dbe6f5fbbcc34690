using RabbitMQ.Client;

namespace Wire.RabbitMQ.Publishing;

/// <summary>The properties that one message after the other is published with: a channel does not need them any more when its publish has returned.</summary>
internal sealed class PublishScratch(WireBodySerializer serializer)
{
    private readonly Dictionary<string, object?> _headers = [];
    private readonly BasicProperties _properties = new();

    /// <summary>What writes the objects.</summary>
    public WireBodySerializer Serializer => serializer;

    /// <summary>Makes the properties of a message.</summary>
    public BasicProperties Describe<T>(T message, PublishOptions? options, bool persistent)
    {
        SetProperties(options, persistent);
        serializer.Describe(message, _properties);
        return _properties;
    }

    private void SetProperties(PublishOptions? options, bool persistent)
    {
        _properties.Persistent = options?.Persistent ?? persistent;
        _properties.Priority = options?.Priority ?? 0;
        _properties.Expiration = options?.ExpirationText;
        _properties.MessageId = options?.MessageId;
        _properties.CorrelationId = options?.CorrelationId;
        _properties.ReplyTo = options?.ReplyTo;
        _properties.Type = options?.Type;
        _properties.AppId = options?.AppId;
        _properties.UserId = options?.UserId;
        _properties.ClearTimestamp();
        _headers.Clear();
        if (options?.Headers is { } headers)
        {
            foreach ((string name, object? value) in headers)
            {
                _headers[name] = value;
            }
        }

        // Where there are none, the client would make a dictionary for each message.
        _properties.Headers = _headers;
    }
}
