using System.Buffers.Text;
using System.Security.Cryptography;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Requests;

/// <summary>A request that waits for its reply.</summary>
internal abstract class PendingRequest(string exchange, string routingKey, SendTelemetry? telemetry) : IAmqpPublishObserver
{
    private volatile bool _isSent;

    /// <summary>
    /// Correlates the reply. Random: the answerer of one request can send to the reply channel, and must not be able to guess other
    /// identifiers.
    /// </summary>
    public string Id { get; } = Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(16));

    public string Exchange => exchange;

    public string RoutingKey => routingKey;

    /// <summary>Gets the destination, for messages.</summary>
    public string Destination => Amqp.Client.Diagnostics.Destination.Full(exchange, routingKey);

    /// <summary>Its span and numbers; null while no one listens.</summary>
    public SendTelemetry? Telemetry => telemetry;

    /// <summary>Gets whether it has been sent, or may have been.</summary>
    public bool IsSent => _isSent;

    /// <inheritdoc/>
    public void Written(long bodySize)
    {
        _isSent = true;
        telemetry?.Written(bodySize);
    }

    /// <summary>Ends it with a reply.</summary>
    public void Reply(WireBodySerializer serializer, IDelivery delivery)
    {
        try
        {
            FieldTable headers = delivery.Properties.Headers;
            if (ReplyHeaders.Text(in headers, ReplyHeaders.Error) is { } type)
            {
                string? message = ReplyHeaders.Text(in headers, ReplyHeaders.ErrorMessage);
                Fail(new RequestFailedException(
                    $"The handler of the request to {Destination} failed with {type}: {message}", type, message));
                return;
            }

            Read(serializer, delivery);
        }
        catch (Exception e)
        {
            // Every exception of the serializer and of the program's own constructors belongs to the waiting caller.
            Fail(new RequestFailedException($"The reply to the request to {Destination} cannot be read: {e.Message}", inner: e));
        }
    }

    /// <summary>Ends it without a reply.</summary>
    public abstract void Fail(Exception exception);

    protected abstract void Read(WireBodySerializer serializer, IDelivery delivery);
}

/// <summary>A request that waits for a reply of a type.</summary>
internal sealed class PendingRequest<TReply>(string exchange, string routingKey, SendTelemetry? telemetry)
    : PendingRequest(exchange, routingKey, telemetry)
{
    // Replies are read on a thread of the client, so continuations run elsewhere.
    private readonly TaskCompletionSource<TReply> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<TReply> Completion => _completion.Task;

    public override void Fail(Exception exception) => _completion.TrySetException(exception);

    protected override void Read(WireBodySerializer serializer, IDelivery delivery)
    {
        BasicProperties properties = delivery.Properties;
        _completion.TrySetResult(serializer.Read<TReply>(in properties, delivery.Body)!);
    }
}
