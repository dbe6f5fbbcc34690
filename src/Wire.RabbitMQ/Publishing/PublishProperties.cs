using System.Collections.ObjectModel;
using System.Diagnostics;
using Wire.Amqp;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Client;
using Wire.RabbitMQ.Delays;

namespace Wire.RabbitMQ.Publishing;

/// <summary>Makes the properties of a message. Where it has no headers, nothing is allocated for it.</summary>
internal static class PublishProperties
{
    /// <summary>The delivery mode of a message that survives a restart of the broker.</summary>
    public const byte Persistent = 2;

    private const byte Transient = 1;

    /// <summary>Returns the time of a message that is published now.</summary>
    public static Timestamp Now() => new(DateTimeOffset.UtcNow.ToUnixTimeSeconds());

    /// <summary>Returns the delivery mode of a message.</summary>
    public static byte DeliveryMode(bool isPersistent) => isPersistent ? Persistent : Transient;

    /// <summary>Makes the properties of a message that do not depend on its body.</summary>
    /// <param name="options">What it is published with; null for nothing.</param>
    /// <param name="isPersistent">What holds where the options do not say.</param>
    /// <param name="span">Whose context goes into the headers; null for none.</param>
    /// <param name="identifies">True to make an id where the options have none.</param>
    /// <exception cref="ArgumentException">A header cannot be written.</exception>
    public static BasicProperties Create(PublishOptions? options, bool isPersistent, Activity? span, bool identifies = true)
    {
        BasicProperties properties = default;
        properties.Timestamp = Now();
        properties.DeliveryMode = DeliveryMode(options?.Persistent ?? isPersistent);
        properties.MessageId = options?.MessageId is { } id ? id : identifies ? AmqpMessageId.Next() : default;
        if (options is not null)
        {
            properties.Priority = options.Priority;
            properties.Expiration = options.ExpirationText;
            properties.CorrelationId = options.CorrelationId;
            properties.ReplyTo = options.ReplyTo;
            properties.Type = options.Type;
            properties.AppId = options.AppId;
            properties.UserId = options.UserId;
        }

        properties.Headers = options?.NotBefore is { } time
            ? Headers(
                new Dictionary<string, object?>(options.Headers ?? ReadOnlyDictionary<string, object?>.Empty)
                {
                    [NotBefore.Name] = NotBefore.ValueOf(time),
                },
                span)
            : Headers(options?.Headers, span);
        return properties;
    }

    /// <summary>The headers of a message, with the context of a span.</summary>
    /// <exception cref="ArgumentException">A header cannot be written.</exception>
    public static FieldTable Headers(IReadOnlyDictionary<string, object?>? headers, Activity? span)
    {
        FieldTable own = headers is null or { Count: 0 } ? default : Written(headers);
        return span is null ? own : TraceContext.Inject(span, own);
    }

    private static FieldTable Written(IReadOnlyDictionary<string, object?> headers)
    {
        try
        {
            return FieldTable.Create(headers, ClientProperties.OwnValue);
        }
        catch (Exception e) when (e is ArgumentException or InvalidOperationException)
        {
            throw new ArgumentException(
                $"The headers of the message cannot be written: {e.Message} {nameof(PublishOptions)}.{nameof(PublishOptions.Headers)} " +
                "lists the types that they can hold.", e);
        }
    }
}
