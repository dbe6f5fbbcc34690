using System.Collections.Concurrent;
using System.Diagnostics;
using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;

namespace Wire.RabbitMQ.Requests;

/// <summary>
/// One channel that requests go out on and their replies come back on: the broker's direct reply-to belongs to a channel, and replies to what a
/// lost channel has sent are lost with it. It is never revived; who needs one opens a new one.
/// </summary>
/// <remarks>
/// Nothing has to be counted or confirmed here, and no order kept: the reply is the confirmation, found by its correlation id. So requests are
/// published side by side, straight from their callers.
/// </remarks>
internal sealed class ReplyChannel : IBrokerChannelEvents
{
    private const string ReplyTo = "amq.rabbitmq.reply-to";

    private readonly ConcurrentDictionary<string, PendingRequest> _pending = new();
    private readonly ChannelSource _source;
    private readonly WireBodySerializer _serializer;
    private readonly Action<int, string> _onLost;
    private readonly Action<string> _onLate;
    private readonly IBrokerChannel _channel;
    private ConnectionLostException? _lost;
    private Task _dropped = Task.CompletedTask;

    private ReplyChannel(IBrokerChannel channel, ChannelSource source, WireBodySerializer serializer, Action<int, string> onLost, Action<string> onLate)
    {
        _channel = channel;
        _source = source;
        _serializer = serializer;
        _onLost = onLost;
        _onLate = onLate;
        channel.Listen(this);
    }

    /// <summary>Whether requests can go out on it.</summary>
    public bool IsOpen => Volatile.Read(ref _lost) is null;

    /// <summary>How many requests wait.</summary>
    public int Pending => _pending.Count;

    /// <summary>Opens one.</summary>
    /// <param name="source">Where channels come from.</param>
    /// <param name="serializer">What writes requests and reads replies.</param>
    /// <param name="replyConcurrency">How many replies are read side by side.</param>
    /// <param name="onLost">Told when it is lost: with how many requests, and why.</param>
    /// <param name="onLate">Told of a reply that nobody waits for: its correlation id.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public static async Task<ReplyChannel> OpenAsync(
        ChannelSource source,
        WireBodySerializer serializer,
        ushort replyConcurrency,
        Action<int, string> onLost,
        Action<string> onLate,
        CancellationToken cancellationToken)
    {
        while (true)
        {
            IBrokerChannel channel = await source.OpenAsync(new ChannelUse(Concurrency: replyConcurrency), cancellationToken).ConfigureAwait(false);
            var replies = new ReplyChannel(channel, source, serializer, onLost, onLate);
            try
            {
                // Before the first request: the broker refuses one whose channel does not consume replies.
                await channel.ConsumeAsync(ReplyTo, autoAck: true, consumerTag: "", exclusive: false, arguments: null, cancellationToken).ConfigureAwait(false);
                return replies;
            }
            catch (Exception e)
            {
                await replies.CloseAsync().ConfigureAwait(false);
                if (e is not (OperationInterruptedException or ChannelClosedException or IOException))
                {
                    throw;
                }

                if (source.Connection.IsReady)
                {
                    throw new ConnectionLostException($"The broker does not let this program consume replies: {e.Message}", e);
                }

                // The connection went down in between: on with the next channel when it is back.
            }
        }
    }

    /// <summary>Sends a request; false where it has not been sent, because the channel is closed.</summary>
    public async ValueTask<bool> TrySendAsync<T>(PendingRequest pending, T request, string? expiration, CancellationToken cancellationToken)
    {
        var properties = new BasicProperties { CorrelationId = pending.Id, MessageId = pending.Id, ReplyTo = ReplyTo, Expiration = expiration };
        _serializer.Describe(request, properties);
        pending.Begin(this);
        try
        {
            if (pending.Telemetry.Current is { } span)
            {
                // The client's own span is a child of this one. It is this method's, and not its caller's.
                Activity.Current = span;
            }

            pending.Telemetry.Prepare(properties, _source.Connection);
            await _channel.PublishAsync(pending, properties, _serializer, request, cancellationToken).ConfigureAwait(false);
            return pending.IsCommitted;
        }
        catch (AlreadyClosedException e)
        {
            bool sent = pending.IsCommitted && !Forget(pending);
            Lose("it was closed already", e.ShutdownReason ?? _channel.CloseReason);
            return sent;
        }
        catch
        {
            Forget(pending);
            throw;
        }
    }

    /// <summary>A request is about to be sent: from now on it is failed when the channel is lost.</summary>
    /// <returns>Whether it shall be sent; and whether that is the end of it here, since it is, or has been failed.</returns>
    public (bool Send, bool Committed) Commit(PendingRequest pending)
    {
        _pending[pending.Id] = pending;

        // Where it is not there any more, it has been told that the channel is lost.
        return IsOpen ? (true, true) : (false, !Forget(pending));
    }

    /// <summary>Forgets a request that nobody waits for any more; false where it is forgotten already.</summary>
    public bool Forget(PendingRequest pending) => _pending.TryRemove(pending.Id, out _);

    /// <summary>Closes it. What waits fails.</summary>
    public async ValueTask CloseAsync()
    {
        if (End(new ConnectionLostException("The requester has been disposed of while the request waited for its reply, which may have been on its way."), out _))
        {
            await _channel.DisposeAsync().ConfigureAwait(false);
        }
        else
        {
            await _dropped.ConfigureAwait(false);
        }
    }

    void IBrokerChannelEvents.Delivered(in Incoming incoming)
    {
        string id = incoming.Properties.CorrelationId ?? "";
        if (_pending.TryRemove(id, out PendingRequest? pending))
        {
            pending.Reply(_serializer, incoming.Properties, incoming.Body);
        }
        else
        {
            Telemetry.LateReplies.Add(1);
            _onLate(id);
        }
    }

    void IBrokerChannelEvents.Cancelled() => Lose("the broker has cancelled the consumer of replies", null);

    void IBrokerChannelEvents.Closed(ShutdownEventArgs reason) => Lose("it was closed", reason);

    void IBrokerChannelEvents.Returned(BasicReturnEventArgs returned)
    {
        if (_pending.TryRemove(returned.BasicProperties.CorrelationId ?? "", out PendingRequest? pending))
        {
            pending.Fail(new PublishException($"Nobody can get the request to {Destination.Full(returned.Exchange, returned.RoutingKey)}: the broker has no queue for it ({returned.ReplyText}). Is the responder's queue declared and bound?")
            {
                Failure = PublishFailure.Returned,
                Exchange = returned.Exchange,
                RoutingKey = returned.RoutingKey,
                MessageId = returned.BasicProperties.MessageId,
                ReplyCode = returned.ReplyCode,
                ReplyText = returned.ReplyText,
            });
        }
    }

    private void Lose(string what, ShutdownEventArgs? reason)
    {
        string why = reason?.ReplyText ?? what;
        var lost = new ConnectionLostException(
            $"The channel was lost while the request waited for its reply ({why}): it may or may not have been handled. Send it again when handling it twice does no harm.",
            reason?.Exception);
        if (End(lost, out int waiting))
        {
            Telemetry.ChannelsLost.Add(1);
            _onLost(waiting, why);

            // Not here: this is an event of the channel, which the end of the channel waits for.
            _dropped = Task.Run(() => _channel.DisposeAsync().AsTask());
        }
    }

    // Once only; later requests see it, and those before it are in the table.
    private bool End(ConnectionLostException lost, out int waiting)
    {
        waiting = 0;
        if (Interlocked.CompareExchange(ref _lost, lost, null) is not null)
        {
            return false;
        }

        foreach (string id in _pending.Keys)
        {
            if (_pending.TryRemove(id, out PendingRequest? pending))
            {
                pending.Fail(lost);
                waiting++;
            }
        }

        return true;
    }
}
