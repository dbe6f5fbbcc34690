using RabbitMQ.Client;
using Wire.Amqp;

namespace Wire.RabbitMQ;

/// <summary>The memory that one message after the other is made in: the client has copied a message when its publish has returned.</summary>
internal sealed class PublishScratch(WireBodySerializer serializer) : IDisposable
{
    private readonly BodyBuffer _body = new();
    private readonly Dictionary<string, object?> _headers = [];
    private readonly BasicProperties _properties = new();

    public Outgoing Write<T>(T message, PublishOptions? options, bool persistent)
    {
        _body.Clear();
        SetProperties(options, persistent);
        serializer.Write(_body, message, _properties);
        return new Outgoing(_properties, _body.Written);
    }

    /// <summary>Gives the memory back.</summary>
    public void Dispose() => _body.Dispose();

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
