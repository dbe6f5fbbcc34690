using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;
using Wire.RabbitMQ.Publishing;

namespace Wire.RabbitMQ.Requests;

/// <summary>
/// One channel that requests go out on and their replies come back on: the broker's direct reply-to belongs to a channel, and replies to
/// what a lost channel has sent are lost with it. It ends with its connection; a new one is opened when needed.
/// </summary>
/// <remarks>
/// Requests need no confirms and no order: the reply, found by its correlation id, is the confirmation. So callers publish their requests
/// concurrently.
/// </remarks>
internal sealed class ReplyChannel
{
    private const string ReplyTo = "amq.rabbitmq.reply-to";

    private readonly ConcurrentDictionary<string, PendingRequest> _pending = new();
    private readonly WireBodySerializer _serializer;
    private readonly Action<int, string> _onLost;
    private readonly Action<string> _onLate;
    private IMessageChannel? _channel;
    private AmqpConnectionException? _lost;

    private ReplyChannel(WireBodySerializer serializer, Action<int, string> onLost, Action<string> onLate)
    {
        _serializer = serializer;
        _onLost = onLost;
        _onLate = onLate;
    }

    /// <summary>Gets whether requests can go out on it.</summary>
    public bool IsOpen => Volatile.Read(ref _lost) is null;

    private IMessageChannel Channel => _channel!;

    /// <summary>Opens one.</summary>
    /// <param name="connection">The connection that it is opened on.</param>
    /// <param name="serializer">The serializer of requests and replies.</param>
    /// <param name="options">How requests are made.</param>
    /// <param name="onLost">Called when it is lost: with how many requests, and why.</param>
    /// <param name="onLate">Called for a reply that no one waits for: its correlation id.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public static async Task<ReplyChannel> OpenAsync(
        WireConnection connection,
        WireBodySerializer serializer,
        WireRequesterOptions options,
        Action<int, string> onLost,
        Action<string> onLate,
        CancellationToken cancellationToken)
    {
        var channelOptions = new AmqpChannelOptions { Confirms = false, EndsWithConnection = true, Prefetch = 0, Body = serializer.Body };
        var consumeOptions = new AmqpConsumeOptions { NoAck = true, Concurrency = options.ReplyConcurrency };
        while (true)
        {
            var replies = new ReplyChannel(serializer, onLost, onLate);
            var events = new ChannelEvents(Returned: replies.Return);
            replies._channel = await connection.OpenChannelAsync(
                channelOptions, events, options.RecoveryTimeout, cancellationToken).ConfigureAwait(false);
            try
            {
                // Before the first request: the broker refuses requests of a channel that does not consume replies.
                IMessageConsumer consumer = await replies.Channel.ConsumeAsync(
                    ReplyTo, replies.ReceiveAsync, consumeOptions, cancellationToken).ConfigureAwait(false);
                _ = replies.WatchAsync(consumer);
                return replies;
            }
            catch (Exception e)
            {
                await replies.CloseAsync(CancellationToken.None).ConfigureAwait(false);
                if (e is AmqpChannelException)
                {
                    throw new AmqpConnectionException($"The broker refuses to let this program consume replies: {e.Message}", e);
                }

                if (e is not AmqpConnectionException || connection.IsClosed)
                {
                    throw;
                }

                // The connection was lost in between: the next channel is used when it is back.
            }
        }
    }

    /// <summary>Sends a request; false where it has not been sent, because the channel is closed.</summary>
    public async ValueTask<bool> TrySendAsync<T>(PendingRequest pending, T request, string? expiration, CancellationToken cancellationToken)
    {
        SendTelemetry? telemetry = pending.Telemetry;
        BasicProperties properties = PublishProperties.Create(null, isPersistent: false, telemetry?.Current ?? Activity.Current);
        properties.CorrelationId = properties.MessageId = pending.Id;
        properties.ReplyTo = ReplyTo;
        properties.Expiration = expiration;
        properties.DeliveryMode = null;
        using BodyBuffer? other = _serializer.WriteOther(request, ref properties);
        telemetry?.Prepare(in properties);
        _pending[pending.Id] = pending;
        if (!IsOpen)
        {
            return !Forget(pending);
        }

        try
        {
            if (telemetry is not null)
            {
                // The client's own span is a child of this one, which is current in this method only, not in its caller.
                Activity.Current = telemetry.Current;
            }

            var method = new BasicPublish { Exchange = pending.Exchange, RoutingKey = pending.RoutingKey, Mandatory = true };
            if (other is null)
            {
                await Channel.PublishAsync(in method, in properties, request, pending, cancellationToken).ConfigureAwait(false);
            }
            else
            {
                var bytes = new RawBody(new ReadOnlySequence<byte>(other.Written));
                await Channel.PublishAsync(in method, in properties, bytes, pending, cancellationToken).ConfigureAwait(false);
            }
        }
        catch (Exception e) when (!Channel.IsOpen && e is AmqpConnectionException or AmqpChannelException or ObjectDisposedException)
        {
            Lose(e);
            if (!pending.IsSent)
            {
                // It uses the next channel.
                return !Forget(pending);
            }
        }
        catch
        {
            Forget(pending);
            throw;
        }

        // The channel fails what it has sent when it closes, and this one may have been sent just after that.
        if (_lost is { } lost && Forget(pending))
        {
            pending.Fail(lost);
        }

        return true;
    }

    /// <summary>Removes an abandoned request; false if it is no longer there.</summary>
    public bool Forget(PendingRequest pending) => _pending.TryRemove(pending.Id, out _);

    /// <summary>Closes it. Waiting requests fail.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public async Task CloseAsync(CancellationToken cancellationToken)
    {
        Close(new AmqpConnectionException(
            "The requester was disposed of while the request waited for its reply: it may or may not have been handled."), out _);
        await Channel.CloseAsync(cancellationToken).ConfigureAwait(false);
    }

    private ValueTask ReceiveAsync(IDelivery delivery)
    {
        string id = delivery.Properties.CorrelationId.ToString();
        if (_pending.TryRemove(id, out PendingRequest? pending))
        {
            pending.Reply(_serializer, delivery);
        }
        else
        {
            Telemetry.Count(Telemetry.LateReplies);
            _onLate(id);
        }

        return default;
    }

    private void Return(ReturnedMessage returned)
    {
        if (_pending.TryRemove(returned.CorrelationId ?? "", out PendingRequest? pending))
        {
            string destination = Destination.Full(returned.Exchange, returned.RoutingKey);
            pending.Fail(new AmqpPublishException(
                AmqpPublishFailure.Returned,
                $"The request to {destination} cannot be delivered: the broker has no queue for it ({returned.ReplyText}). Check that " +
                "the responder's queue is declared and bound.",
                returned.Exchange,
                returned.RoutingKey,
                returned.MessageId,
                returned.ReplyCode,
                returned.ReplyText));
        }
    }

    private async Task WatchAsync(IMessageConsumer consumer)
    {
        try
        {
            await consumer.Ended.ConfigureAwait(false);
            Lose(new ObjectDisposedException(nameof(WireConnection), "the program has closed the connection"));
        }
        catch (Exception e)
        {
            Lose(e);
        }
    }

    private void Lose(Exception error)
    {
        string why = (error as AmqpChannelException)?.Reason.ToString()
            ?? (error as AmqpConnectionException)?.Reason?.ToString()
            ?? error.Message;
        var lost = new AmqpConnectionException(
            $"The channel was lost while the request waited for its reply ({why}): it may or may not have been handled. Send it again " +
            "when handling it twice does no harm.",
            error);
        if (Close(lost, out int waiting))
        {
            _onLost(waiting, why);
            _ = Task.Run(() => Channel.DisposeAsync().AsTask());
        }
    }

    // Once only; later requests see the flag, and earlier ones are in the table. Unsent ones are left to their senders.
    private bool Close(AmqpConnectionException lost, out int waiting)
    {
        waiting = 0;
        if (Interlocked.CompareExchange(ref _lost, lost, null) is not null)
        {
            return false;
        }

        foreach ((string id, PendingRequest pending) in _pending)
        {
            if (pending.IsSent && _pending.TryRemove(id, out _))
            {
                pending.Fail(lost);
                waiting++;
            }
        }

        return true;
    }
}
