using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Wire.Amqp.Client;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Outbox.Messages;

namespace Wire.RabbitMQ.Outbox.Sending;

/// <summary>Messages that were claimed together, and what has become of each.</summary>
internal sealed class OutboxBatch(WirePublisher publisher, string claim, OutboxMessage[] messages)
{
    /// <summary>Gets the claim.</summary>
    public string Claim => claim;

    /// <summary>Gets the number of messages.</summary>
    public int Count => messages.Length;

    /// <summary>Gets the messages that the broker has confirmed.</summary>
    public List<OutboxMessage> Sent { get; } = [];

    /// <summary>Gets the messages that have failed, with the reasons.</summary>
    public List<(OutboxMessage Message, Exception Reason)> Failed { get; } = [];

    /// <summary>Gets the messages that were not tried, or not for a reason of theirs.</summary>
    public List<OutboxMessage> Left { get; } = [];

    /// <summary>Gets the reason why nothing reaches the broker; null where something does.</summary>
    public Exception? Outage { get; private set; }

    /// <summary>Gets whether there may be others behind these, which were not due because of them.</summary>
    public bool HasOrder => messages.Any(message => message.OrderingKey is not null);

    /// <summary>
    /// Publishes the messages, those of one ordering key one after the other: what comes behind one that has failed is left.
    /// </summary>
    /// <param name="time">Ends the attempts, which have taken too long.</param>
    /// <param name="stop">Says that they have ended since the sender is stopped.</param>
    public async Task SendAsync(CancellationToken time, CancellationToken stop)
    {
        IEnumerable<OutboxMessage[]> ways = messages.Where(message => message.OrderingKey is null)
            .Select(message => (OutboxMessage[])[message])
            .Concat(messages.Where(message => message.OrderingKey is not null)
                .GroupBy(message => message.OrderingKey, (_, way) => way.ToArray(), StringComparer.Ordinal));
        await Task.WhenAll(ways.Select(async way =>
        {
            (int sent, Exception? reason) = await SendAsync(way, time).ConfigureAwait(false);
            lock (Sent)
            {
                Sent.AddRange(way.AsSpan(0, sent));
                if (reason is not null)
                {
                    Failed.Add((way[sent], reason));
                    Left.AddRange(way.AsSpan(sent + 1));
                }
            }
        })).ConfigureAwait(false);

        // Where nothing has arrived, a lost connection or a time that is over says nothing of the messages.
        bool isStopped = stop.IsCancellationRequested;
        if (!isStopped && Sent.Count > 0)
        {
            return;
        }

        (OutboxMessage Message, Exception Reason)[] excused = [.. Failed.Where(failed => !IsOfMessage(failed.Reason))];
        Failed.RemoveAll(failed => !IsOfMessage(failed.Reason));
        Left.AddRange(excused.Select(failed => failed.Message));
        Outage = isStopped ? null : excused.FirstOrDefault().Reason;
    }

    // How many were confirmed, and why the next one was not.
    private async Task<(int Sent, Exception? Reason)> SendAsync(OutboxMessage[] way, CancellationToken cancellationToken)
    {
        for (int sent = 0; sent < way.Length; sent++)
        {
            try
            {
                await PublishAsync(way[sent], cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException e) when (cancellationToken.IsCancellationRequested)
            {
                return (sent, new TimeoutException(
                    "The broker has not confirmed the message in half of the time of its claim. Where it may take so long, set a longer " +
                    $"{nameof(OutboxSenderOptions.ClaimTime)}.",
                    e));
            }
            catch (Exception e)
            {
                return (sent, e);
            }
        }

        return (way.Length, null);
    }

    private Task PublishAsync(OutboxMessage message, CancellationToken cancellationToken)
    {
        (BasicProperties properties, bool isMandatory) = StoredProperties.Read(message.Properties);
        var body = new ReadOnlySequence<byte>(message.Body);
        return TypeOf(message) is { } type
            ? publisher.PublishAsync(type, Publish, cancellationToken)
            : Publish().AsTask();

        ValueTask Publish() => publisher.PublishBytesAsync(
            message.Exchange, message.RoutingKey, isMandatory, in body, in properties, cancellationToken);
    }

    // A sender without the type has no conventions for it, and needs the exchange to be there.
    [UnconditionalSuppressMessage("Trimming", "IL2057", Justification = "The type is that of a message, which its serializer keeps.")]
    private static Type? TypeOf(OutboxMessage message) =>
        message.MessageType is { } name ? Type.GetType(name, throwOnError: false) : null;

    // What the broker, or the message itself, would say again.
    private static bool IsOfMessage(Exception reason) => reason switch
    {
        AmqpPublishException { Failure: AmqpPublishFailure.Overflow } => false,
        AmqpPublishException { Failure: AmqpPublishFailure.Unconfirmed } unconfirmed => unconfirmed.ReplyCode != 0,
        AmqpConnectionException or ObjectDisposedException or TimeoutException or OperationCanceledException => false,
        _ => true,
    };
}
