using System.Collections.Concurrent;
using System.Diagnostics;
using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Wire.RabbitMQ;

/// <summary>
/// One channel that requests go out on and their replies come back on: the broker's direct reply-to belongs to a channel, and replies to what a
/// lost channel has sent are lost with it. It is never revived; who needs one opens a new one.
/// </summary>
/// <remarks>
/// Nothing has to be counted or confirmed here, and no order kept: the reply is the confirmation, found by its correlation id. So requests are
/// published side by side, straight from their callers.
/// </remarks>
internal sealed class ReplyChannel : IAsyncBasicConsumer
{
    private const string ReplyTo = "amq.rabbitmq.reply-to";

    private readonly ConcurrentDictionary<string, PendingRequest> _pending = new();
    private readonly ChannelSource _source;
    private readonly WireBodySerializer _serializer;
    private readonly Action<int, string> _onLost;
    private readonly Action<string> _onLate;
    private readonly IChannel _channel;
    private ConnectionLostException? _lost;
    private Task _dropped = Task.CompletedTask;

    private ReplyChannel(IChannel channel, ChannelSource source, WireBodySerializer serializer, Action<int, string> onLost, Action<string> onLate)
    {
        _channel = channel;
        _source = source;
        _serializer = serializer;
        _onLost = onLost;
        _onLate = onLate;
        channel.ChannelShutdownAsync += OnShutdownAsync;
        channel.BasicReturnAsync += OnReturnedAsync;
    }

    IChannel? IAsyncBasicConsumer.Channel => _channel;

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
        var options = new CreateChannelOptions(publisherConfirmationsEnabled: false, publisherConfirmationTrackingEnabled: false, consumerDispatchConcurrency: replyConcurrency);
        while (true)
        {
            IChannel channel = await source.OpenAsync(options, cancellationToken).ConfigureAwait(false);
            var replies = new ReplyChannel(channel, source, serializer, onLost, onLate);
            try
            {
                // Before the first request: the broker refuses one whose channel does not consume replies.
                await channel.BasicConsumeAsync(ReplyTo, autoAck: true, consumerTag: "", noLocal: false, exclusive: false, arguments: null, replies, cancellationToken).ConfigureAwait(false);
                return replies;
            }
            catch (Exception e)
            {
                await replies.CloseAsync().ConfigureAwait(false);
                if (e is not (OperationInterruptedException or AlreadyClosedException or ChannelClosedException or IOException))
                {
                    throw;
                }

                if (source.Connection.IsOpen)
                {
                    throw new ConnectionLostException($"The broker does not let this program consume replies: {e.Message}", e);
                }

                // The connection went down in between: on with the next channel when it is back.
            }
        }
    }

    /// <summary>Sends a request; false where it has not been sent, because the channel is closed.</summary>
    public async ValueTask<bool> TrySendAsync<T>(PendingRequest pending, string exchange, string routingKey, T request, string? expiration, CancellationToken cancellationToken)
    {
        var properties = new BasicProperties { CorrelationId = pending.Id, MessageId = pending.Id, ReplyTo = ReplyTo, Expiration = expiration };
        using WireBody body = _serializer.Write(request, properties);
        _pending[pending.Id] = pending;
        if (!IsOpen)
        {
            // Where it is not there any more, it has been told that the channel is lost.
            return !Forget(pending);
        }

        try
        {
            if (pending.Telemetry.Current is { } span)
            {
                // The client's own span is a child of this one. It is this method's, and not its caller's.
                Activity.Current = span;
            }

            pending.Telemetry.Send(properties, body.Memory.Length, _source.Connection);
            await _channel.BasicPublishAsync(exchange, routingKey, mandatory: true, properties, body.Memory, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (e is AlreadyClosedException or ChannelClosedException)
        {
            bool sent = !Forget(pending);
            Lose("it was closed already", (e as AlreadyClosedException)?.ShutdownReason ?? _channel.CloseReason);
            return sent;
        }
        catch
        {
            Forget(pending);
            throw;
        }
    }

    /// <summary>Forgets a request that nobody waits for any more; false where it is forgotten already.</summary>
    public bool Forget(PendingRequest pending) => _pending.TryRemove(pending.Id, out _);

    /// <summary>Closes it. What waits fails.</summary>
    public async ValueTask CloseAsync()
    {
        if (End(new ConnectionLostException("The requester has been disposed of while the request waited for its reply, which may have been on its way."), out _))
        {
            await ChannelSource.DropAsync(_channel).ConfigureAwait(false);
        }
        else
        {
            await _dropped.ConfigureAwait(false);
        }
    }

    Task IAsyncBasicConsumer.HandleBasicDeliverAsync(
        string consumerTag,
        ulong deliveryTag,
        bool redelivered,
        string exchange,
        string routingKey,
        IReadOnlyBasicProperties properties,
        ReadOnlyMemory<byte> body,
        CancellationToken cancellationToken)
    {
        string id = properties.CorrelationId ?? "";
        if (_pending.TryRemove(id, out PendingRequest? pending))
        {
            pending.Reply(_serializer, properties, body);
        }
        else
        {
            Telemetry.LateReplies.Add(1);
            _onLate(id);
        }

        return Task.CompletedTask;
    }

    Task IAsyncBasicConsumer.HandleBasicConsumeOkAsync(string consumerTag, CancellationToken cancellationToken) => Task.CompletedTask;

    Task IAsyncBasicConsumer.HandleBasicCancelOkAsync(string consumerTag, CancellationToken cancellationToken) => Task.CompletedTask;

    Task IAsyncBasicConsumer.HandleBasicCancelAsync(string consumerTag, CancellationToken cancellationToken)
    {
        Lose("the broker has cancelled the consumer of replies", null);
        return Task.CompletedTask;
    }

    Task IAsyncBasicConsumer.HandleChannelShutdownAsync(object channel, ShutdownEventArgs reason) => Task.CompletedTask;

    private Task OnShutdownAsync(object sender, ShutdownEventArgs reason)
    {
        Lose("it was closed", reason);
        return Task.CompletedTask;
    }

    private Task OnReturnedAsync(object sender, BasicReturnEventArgs returned)
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

        return Task.CompletedTask;
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

            // Not here: this is an event of the client, which the end of the channel waits for.
            _dropped = Task.Run(() => ChannelSource.DropAsync(_channel));
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
