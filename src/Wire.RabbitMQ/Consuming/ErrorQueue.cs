using System.Buffers;
using Microsoft.Extensions.Logging;
using Wire.Amqp.Client;
using Wire.Amqp.Client.Connections;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Consuming;

/// <summary>The destination of messages that cannot be handled. Thread-safe.</summary>
internal sealed class ErrorQueue : IAsyncDisposable
{
    // After that time, the message is redelivered anyway.
    private static readonly TimeSpan RecoveryTimeout = TimeSpan.FromSeconds(5);

    // In an alarm the broker takes no messages: this one is then redelivered, and others are handled meanwhile.
    private static readonly TimeSpan PublishTimeout = TimeSpan.FromSeconds(30);

    private readonly WireConsumerOptions _options;
    private readonly WireConnection _connection;
    private readonly PublishingConnection _publishing;
    private readonly WirePublisher _publisher;
    private volatile bool _isDeclared;

    public ErrorQueue(
        WireConnection connection, PublishingConnection publishing, WireBodySerializer serializer, WireConsumerOptions options,
        ILogger logger)
    {
        _connection = connection;
        _publishing = publishing;
        _options = options;

        _publisher = new WirePublisher(
            publishing.GetAsync, serializer, new WirePublisherOptions { MaxChannels = 1, RecoveryTimeout = RecoveryTimeout }, logger);
        Name = options.EffectiveErrorQueue;
    }

    /// <summary>Its name.</summary>
    public string Name { get; }

    /// <summary>Gets the time for which a message that the error queue did not accept waits before it is returned.</summary>
    public TimeSpan Pause { get; } = TimeSpan.FromSeconds(1);

    /// <summary>Declares it, where the options say so.</summary>
    public async Task DeclareAsync(CancellationToken cancellationToken)
    {
        if (_options.OnFailure != FailureAction.ErrorQueue || !_options.DeclareErrorQueue || _isDeclared)
        {
            return;
        }

        try
        {
            await _connection.Topology.DeclareQueueAsync(Name, cancellationToken: cancellationToken).ConfigureAwait(false);
            _isDeclared = true;
        }
        catch (AmqpChannelException e) when (e.Reason.ReplyCode == ReplyCodes.PreconditionFailed)
        {
            throw new InvalidOperationException(
                $"The error queue '{Name}' exists already, and was not declared as a durable queue without arguments " +
                $"({e.Reason.ReplyText}). To use it as it is, set {nameof(WireConsumerOptions.DeclareErrorQueue)} to false.",
                e);
        }
        catch (AmqpChannelException e)
        {
            throw new InvalidOperationException(
                $"The error queue '{Name}' cannot be declared; the broker says: {e.Reason.ReplyCode} {e.Reason.ReplyText}. Name " +
                $"another one with {nameof(WireConsumerOptions.ErrorQueue)}; a queue named by the broker needs that, because names that " +
                $"begin with amq. are reserved. Or choose another {nameof(WireConsumerOptions.OnFailure)}.",
                e);
        }
    }

    /// <summary>Publishes a message to it. Success means that it has arrived.</summary>
    /// <param name="delivery">The message, which stays as it is until this has ended.</param>
    /// <param name="failure">The reason why it cannot be handled.</param>
    /// <param name="cancellationToken">Ends the attempt, while it has not been published.</param>
    public async Task PublishAsync(IDelivery delivery, Failure failure, CancellationToken cancellationToken)
    {
        using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        timeout.CancelAfter(PublishTimeout);
        try
        {
            await DeclareAsync(timeout.Token).ConfigureAwait(false);
            WireConnection publishing = await _publishing.GetAsync(timeout.Token).ConfigureAwait(false);
            BasicProperties properties = ErrorHeaders.Create(_options.Queue, delivery, failure, publishing.FrameMax);
            ReadOnlySequence<byte> body = failure.Reason == FailureReason.TooLarge ? default : delivery.Body;
            await _publisher.PublishBytesAsync("", Name, body, in properties, timeout.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException e) when (timeout.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw new TimeoutException(
                $"The broker has not confirmed it within {PublishTimeout.TotalSeconds:0} s; it may be low on memory.", e);
        }
        catch
        {
            // It may have been deleted: the next message finds out again.
            _isDeclared = false;
            throw;
        }
    }

    /// <inheritdoc cref="CloseAsync"/>
    public ValueTask DisposeAsync() => _publisher.DisposeAsync();

    /// <summary>Publishes no more.</summary>
    /// <param name="cancellationToken">Ends the wait for the broker.</param>
    public Task CloseAsync(CancellationToken cancellationToken) => _publisher.CloseAsync(cancellationToken);
}
