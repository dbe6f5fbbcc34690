using System.Buffers;
using System.Buffers.Text;
using System.Security.Cryptography;
using RabbitMQ.Client;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;

namespace Wire.RabbitMQ.Requests;

/// <summary>A request that waits for its reply.</summary>
internal abstract class PendingRequest(string exchange, string routingKey) : IOutgoing
{
    private ReplyChannel? _channel;

    /// <summary>Joins the reply to it. Random: who answers one request can send to the channel that waits for all, and must not know what to answer the others with.</summary>
    public string Id { get; } = Base64Url.EncodeToString(RandomNumberGenerator.GetBytes(16));

    public string Exchange => exchange;

    public string RoutingKey => routingKey;

    public bool Mandatory => true;

    /// <summary>Whether it has been sent, or has failed: not where it waits for a channel to be sent on.</summary>
    public bool IsCommitted { get; private set; }

    /// <summary>Its span and numbers. A field, for they change.</summary>
    public SendTelemetry Telemetry;

    protected string Destination => Diagnostics.Destination.Full(exchange, routingKey);

    /// <summary>Is to be sent on a channel, and was not on one before.</summary>
    public void Begin(ReplyChannel channel)
    {
        _channel = channel;
        IsCommitted = false;
    }

    bool IOutgoing.TryCommit(long bodySize)
    {
        Telemetry.Send(bodySize);
        (bool send, IsCommitted) = _channel!.Commit(this);
        return send;
    }

    /// <summary>Ends it with a reply.</summary>
    public void Reply(WireBodySerializer serializer, IReadOnlyBasicProperties properties, in ReadOnlySequence<byte> body)
    {
        if (ReplyHeaders.Text(properties.Headers, ReplyHeaders.Error) is { } type)
        {
            string? message = ReplyHeaders.Text(properties.Headers, ReplyHeaders.ErrorMessage);
            Fail(new RequestFailedException($"The handler of the request to {Destination} failed with {type}: {message}", type, message));
            return;
        }

        try
        {
            Read(serializer, properties, in body);
        }
        catch (Exception e)
        {
            // Whatever the serializer refuses in it, and whatever the constructors of the program's own types throw: it is who waits that has to know.
            Fail(new RequestFailedException($"The reply to the request to {Destination} cannot be read: {e.Message}", inner: e));
        }
    }

    /// <summary>Ends it without a reply.</summary>
    public abstract void Fail(Exception exception);

    protected abstract void Read(WireBodySerializer serializer, IReadOnlyBasicProperties properties, in ReadOnlySequence<byte> body);
}

/// <summary>A request that waits for a reply of a type.</summary>
internal sealed class PendingRequest<TReply>(string exchange, string routingKey) : PendingRequest(exchange, routingKey)
{
    // Replies arrive on the client's threads, where the program that waits for them has no business.
    private readonly TaskCompletionSource<TReply> _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<TReply> Completion => _completion.Task;

    public override void Fail(Exception exception) => _completion.TrySetException(exception);

    protected override void Read(WireBodySerializer serializer, IReadOnlyBasicProperties properties, in ReadOnlySequence<byte> body) =>
        _completion.TrySetResult(serializer.Read<TReply>(properties, in body)!);
}
