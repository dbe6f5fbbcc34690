using System.Buffers;
using System.Diagnostics;
using Microsoft.Extensions.Logging;
using Wire.Amqp;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Diagnostics;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Diagnostics;
using Wire.Transport.Diagnostics;

namespace Wire.RabbitMQ.Publishing;

/// <summary>Makes messages of objects, and sends them over the channels of a publisher. Thread-safe.</summary>
internal sealed class MessageSender
{
    private readonly WireBodySerializer _serializer;
    private readonly WirePublisherOptions _options;
    private readonly ILogger _logger;
    private readonly PublishChannel[] _channels;
    private readonly Gatherer? _gatherer;

    /// <summary>Makes one whose channels are opened when messages need them.</summary>
    /// <param name="connect">Makes or gets the connection.</param>
    /// <param name="serializer">What writes the bodies.</param>
    /// <param name="options">How to publish.</param>
    /// <param name="logger">Where to log.</param>
    public MessageSender(
        Func<CancellationToken, Task<WireConnection>> connect, WireBodySerializer serializer, WirePublisherOptions options, ILogger logger)
    {
        (_serializer, _options, _logger) = (serializer, options, logger);
        var channel = new AmqpChannelOptions
        {
            Body = serializer.Body,
            MaxInFlight = options.MaxInFlight,
            MaxWaiting = options.MaxWaiting,
            MaxBytesInFlight = options.MaxBytesInFlight ?? long.MaxValue,
            RecoveryTimeout = options.RecoveryTimeout,
            Reopens = true,

            // Messages published here have an id already, except copies of messages without one.
            IdentifiesMandatory = false,
            Prefetch = 0,
        };
        _channels = [.. Enumerable.Range(0, options.MaxChannels)
            .Select(_ => new PublishChannel(connect, channel, options.RecoveryTimeout, _logger, () => _channels!))];
        _gatherer = options.Gathered is null ? null : new Gatherer(options, SendGathered);
    }

    /// <summary>Gets the number of messages that wait or are not confirmed. A snapshot: it may be out of date.</summary>
    public int Load => _channels.Sum(static channel => channel.Load);

    /// <summary>Sends an object.</summary>
    /// <param name="exchange">The exchange.</param>
    /// <param name="routingKey">The routing key.</param>
    /// <param name="message">The object.</param>
    /// <param name="declared">The type that it was published as, where it is null; null for its own.</param>
    /// <param name="options">What it is published with.</param>
    /// <param name="cancellationToken">Ends the task.</param>
    public ValueTask SendAsync<T>(
        string exchange, string routingKey, T message, Type? declared, PublishOptions? options, CancellationToken cancellationToken)
    {
        SendTelemetry? telemetry = SendTelemetry.TryStart(Telemetry.Messages, Attributes.Publish, exchange, routingKey);
        PublishChannel channel = Channel(options?.OrderingKey);
        bool isMandatory = options?.Mandatory ?? _options.Mandatory;
        if (_gatherer is not null)
        {
            if (Gathering(message, declared, exchange, routingKey, isMandatory, options) is { } key
                && (channel.Load != 0 || !_gatherer.IsEmpty(in key)))
            {
                return Gather(_gatherer, key, message, declared, options, telemetry, cancellationToken);
            }

            if (options?.OrderingKey is { } orderingKey)
            {
                _gatherer.Flush(orderingKey);
            }
        }

        BasicProperties properties;
        BodyBuffer? other;
        try
        {
            properties = PublishProperties.Create(options, _options.Persistent, telemetry?.Current ?? Activity.Current);
            other = _serializer.WriteOther(message, ref properties, declared);
            if (message is null && declared is not null && properties.Type.IsNull)
            {
                properties.Type = AmqpBody.TypeName(declared);
            }
        }
        catch (Exception e)
        {
            telemetry?.Stop(null, Failures.GetName(e), e.Message);
            return ValueTask.FromException(e);
        }

        var method = new BasicPublish { Exchange = exchange, RoutingKey = routingKey, Mandatory = isMandatory };
        return other is not null
            ? AwaitedPublish.Follow(PublishOtherAsync(channel, method, properties, other, telemetry, cancellationToken))
            : telemetry is null
            ? channel.PublishAsync(in method, in properties, message, null, cancellationToken)
            : AwaitedPublish.Follow(PublishAsync(channel, method, properties, message, telemetry, cancellationToken));
    }

    // What an object would be gathered with; null where it goes alone.
    private GatheringKey? Gathering<T>(
        T message, Type? declared, string exchange, string routingKey, bool isMandatory, PublishOptions? options) =>
        Gatherer.Takes(options) && _options.Gathered!.Find(message?.GetType() ?? declared ?? typeof(T)) is { } gathering
            ? new GatheringKey(
                gathering, exchange, routingKey, isMandatory, PublishProperties.DeliveryMode(options?.Persistent ?? _options.Persistent),
                options?.Priority, options?.ExpirationText, options?.UserId, options?.OrderingKey)
            : null;

    private ValueTask Gather<T>(
        Gatherer gatherer, in GatheringKey key, T message, Type? declared, PublishOptions? options, SendTelemetry? telemetry,
        CancellationToken cancellationToken)
    {
        BodyBuffer? body = null;
        try
        {
            cancellationToken.ThrowIfCancellationRequested();
            BasicProperties properties = PublishProperties.Create(
                options, _options.Persistent, telemetry?.Current ?? Activity.Current, identifies: false);
            body = _serializer.WriteAny(message, ref properties, declared);
            if (body.Length >= key.Options.MaxBytes)
            {
                // It is a message by itself, which nothing of its order waits behind.
                if (key.OrderingKey is { } orderingKey)
                {
                    gatherer.Flush(orderingKey);
                }

                properties.MessageId = properties.MessageId.IsNull ? AmqpMessageId.Next() : properties.MessageId;
                var method = new BasicPublish { Exchange = key.Exchange, RoutingKey = key.RoutingKey, Mandatory = key.IsMandatory };
                BodyBuffer alone = body;
                body = null;
                return AwaitedPublish.Follow(
                    PublishOtherAsync(Channel(key.OrderingKey), method, properties, alone, telemetry, cancellationToken));
            }

            telemetry?.Prepare(in properties);
            Task confirmed = gatherer.AddAsync(in key, in properties, body.Written.Span);
            telemetry?.Written(body.Length);
            Task ended = cancellationToken.CanBeCanceled ? confirmed.WaitAsync(cancellationToken) : confirmed;
            return telemetry is null ? new ValueTask(ended) : new ValueTask(EndAsync(Channel(key.OrderingKey), ended, telemetry));
        }
        catch (Exception e)
        {
            telemetry?.Stop(null, Failures.GetName(e), e.Message);
            return e is OperationCanceledException && cancellationToken.IsCancellationRequested
                ? ValueTask.FromCanceled(cancellationToken)
                : ValueTask.FromException(e);
        }
        finally
        {
            if (body is not null)
            {
                WireBody.PutBack(body);
            }
        }
    }

    private ValueTask SendGathered(in GatheringKey key, in BasicProperties properties, ReadOnlyMemory<byte> body)
    {
        var method = new BasicPublish { Exchange = key.Exchange, RoutingKey = key.RoutingKey, Mandatory = key.IsMandatory };
        return Channel(key.OrderingKey).PublishAsync(
            in method, in properties, new RawBody(new ReadOnlySequence<byte>(body)), null, CancellationToken.None);
    }

    /// <summary>Sends a body of bytes: <see cref="WirePublisher.PublishBytesAsync"/>.</summary>
    public ValueTask SendBytesAsync(
        string exchange, string routingKey, bool isMandatory, in ReadOnlySequence<byte> body, in BasicProperties properties,
        CancellationToken cancellationToken)
    {
        var method = new BasicPublish { Exchange = exchange, RoutingKey = routingKey, Mandatory = isMandatory };
        var message = new RawBody(body);
        PublishChannel channel = Channel(null);
        return SendTelemetry.TryStart(Telemetry.Messages, Attributes.Publish, exchange, routingKey) is { } telemetry
            ? AwaitedPublish.Follow(PublishAsync(channel, method, properties, message, telemetry, cancellationToken))
            : channel.PublishAsync(in method, in properties, message, null, cancellationToken);
    }

    /// <summary>Takes no further messages, waits for pending ones within a time limit, and closes the channels.</summary>
    /// <param name="enough">Ends the wait before that.</param>
    public async Task CloseAsync(CancellationToken enough)
    {
        _gatherer?.Close();
        await Task.WhenAll(_channels.Select(channel => channel.CloseAsync(enough))).ConfigureAwait(false);
    }

    // A body that is no Wire payload.
    private async Task PublishOtherAsync(
        PublishChannel channel, BasicPublish method, BasicProperties properties, BodyBuffer body, SendTelemetry? telemetry,
        CancellationToken cancellationToken)
    {
        try
        {
            var bytes = new RawBody(new ReadOnlySequence<byte>(body.Written));
            if (telemetry is null)
            {
                await channel.PublishAsync(in method, in properties, bytes, null, cancellationToken).ConfigureAwait(false);
            }
            else
            {
                await PublishAsync(channel, method, properties, bytes, telemetry, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            WireBody.PutBack(body);
        }
    }

    // The same while someone listens.
    private async Task PublishAsync<T>(
        PublishChannel channel, BasicPublish method, BasicProperties properties, T message, SendTelemetry telemetry,
        CancellationToken cancellationToken)
    {
        try
        {
            telemetry.Prepare(in properties);

            // The client's own span, where it has one, is a child of this one. It is this method's, and not its caller's.
            Activity.Current = telemetry.Current;
            await channel.PublishAsync(in method, in properties, message, telemetry, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Stop(channel, telemetry, Failures.GetName(e), e.Message);
            throw;
        }

        Stop(channel, telemetry, null, null);
    }

    // The same of an object that is gathered.
    private async Task EndAsync(PublishChannel channel, Task published, SendTelemetry telemetry)
    {
        try
        {
            await published.ConfigureAwait(false);
        }
        catch (Exception e)
        {
            Stop(channel, telemetry, Failures.GetName(e), e.Message);
            throw;
        }

        Stop(channel, telemetry, null, null);
    }

    // An exception of the program's listener is not a failure of the message.
    private void Stop(PublishChannel channel, SendTelemetry telemetry, string? error, string? message)
    {
        try
        {
            telemetry.Stop(channel.Server, error, message);
        }
        catch (Exception e)
        {
            PublisherLog.ListenerFailed(_logger, e);
        }
    }

    private PublishChannel Channel(string? orderingKey)
    {
        if (orderingKey is not null)
        {
            return _channels[(uint)orderingKey.GetHashCode(StringComparison.Ordinal) % (uint)_channels.Length];
        }

        // The first that is not busy, so later ones are opened only when the earlier ones are busy.
        PublishChannel least = _channels[0];
        foreach (PublishChannel channel in _channels)
        {
            if (!channel.IsBusy)
            {
                return channel;
            }

            least = channel.Load < least.Load ? channel : least;
        }

        return least;
    }
}
