using System.Buffers;
using System.Collections.ObjectModel;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Delays;
using Wire.RabbitMQ.Publishing;

namespace Wire.RabbitMQ;

/// <summary>The circumstances of a message, for its handler. Each attempt to handle a message has its own.</summary>
/// <remarks>
/// Properties and body are views of the receive buffer, valid until the handler ends: copy what is needed later. The
/// <see cref="MessageId"/> stays valid, as do the values that are not properties.
/// </remarks>
public sealed class MessageContext
{
    /// <summary>The header in which a quorum queue counts the deliveries of a message before this one.</summary>
    internal static readonly AmqpString DeliveryCountKey = "x-delivery-count";

    private readonly IDelivery _delivery;
    private IReadOnlyDictionary<string, object?>? _headers;
    private byte[]? _onePiece;
    private MessageOutcome? _outcome;
    private MessageOutcome? _failure;
    private volatile bool _hasEnded;

    // What makes scopes, and then the scope.
    private object? _services;

    internal MessageContext(
        string queue, IDelivery delivery, string? messageId, int attempt, bool duplicate, IServiceScopeFactory? scopes,
        CancellationToken cancellationToken)
    {
        _services = scopes;
        MessageId = messageId;
        _delivery = delivery;
        Queue = queue;
        Exchange = delivery.Exchange;
        RoutingKey = delivery.RoutingKey;
        Redelivered = delivery.Redelivered;
        Duplicate = duplicate;
        Attempt = attempt;
        CancellationToken = cancellationToken;
    }

    /// <summary>The queue that it was consumed from.</summary>
    public string Queue { get; }

    /// <summary>The exchange that it was published to; empty for the default one.</summary>
    public string Exchange { get; }

    /// <summary>The routing key that it was published with.</summary>
    public string RoutingKey { get; }

    /// <summary>Its id; null when it has none.</summary>
    public string? MessageId { get; }

    /// <summary>Its correlation id; null when it has none.</summary>
    public string? CorrelationId => Properties.CorrelationId.Text();

    /// <summary>Gets the address at which a reply is awaited; null for none.</summary>
    public string? ReplyTo => Properties.ReplyTo.Text();

    /// <summary>Gets the time at which it was published, to the second, by the publisher's clock; null when it does not say.</summary>
    public DateTimeOffset? Timestamp =>
        // The broker carries any 64 bits; a value outside the calendar counts as none.
        Properties.Timestamp is { } timestamp && timestamp.TryToDateTimeOffset(out DateTimeOffset time) ? time : null;

    /// <summary>Gets the name of its type; null when there is none.</summary>
    public string? Type => Properties.Type.Text();

    /// <summary>Gets the media type of its body; null where it does not say.</summary>
    public string? ContentType => Properties.ContentType.Text();

    /// <summary>Gets the encoding of its body, such as a compression; null for none.</summary>
    public string? ContentEncoding => Properties.ContentEncoding.Text();

    /// <summary>Gets the priority; null where it has none.</summary>
    public byte? Priority => Properties.Priority;

    /// <summary>Gets whether it survives a restart of the broker, in a durable queue; null where it does not say.</summary>
    public bool? Persistent => Properties.DeliveryMode is { } mode ? mode == PublishProperties.Persistent : null;

    /// <summary>
    /// Gets the time for which it might wait in a queue, to the millisecond; null for any time, where it is no number, and where the
    /// message has waited for a retry.
    /// </summary>
    public TimeSpan? Expiration =>
        uint.TryParse(Properties.Expiration.Text(), NumberStyles.None, CultureInfo.InvariantCulture, out uint milliseconds)
            ? TimeSpan.FromMilliseconds(milliseconds)
            : null;

    /// <summary>Gets the program that has published it; null where it does not say.</summary>
    public string? AppId => Properties.AppId.Text();

    /// <summary>
    /// Gets the user that has published it, as which the broker knows the publisher; null where it does not say, and where the message has
    /// waited for a retry.
    /// </summary>
    public string? UserId => Properties.UserId.Text();

    /// <summary>
    /// Gets how often the broker has delivered it before, without an acknowledgement; null where its queue does not count that, as only
    /// quorum queues do. Specification: RabbitMQ, "Quorum Queues", x-delivery-count.
    /// </summary>
    public long? DeliveryCount => Properties.Headers.Integer(DeliveryCountKey);

    /// <summary>
    /// Gets the time before which it was not to be handled, as its publisher has said: <see cref="PublishOptions.NotBefore"/>; null where
    /// it has said none.
    /// </summary>
    public DateTimeOffset? NotBefore => Delays.NotBefore.Of(Properties.Headers);

    /// <summary>Gets its headers as they came: a view of the receive buffer, of which each value is read when it is asked for.</summary>
    /// <exception cref="InvalidOperationException">The handler has ended.</exception>
    public FieldTable RawHeaders => Properties.Headers;

    /// <summary>
    /// Its headers: texts, byte arrays, numbers, booleans, <see cref="Amqp.V091.Timestamp"/>, dictionaries and lists of these. They are
    /// copies: read once, they stay valid after the handler. A byte array that RabbitMQ.Client has published comes as a text where it is
    /// valid UTF-8.
    /// </summary>
    /// <exception cref="InvalidOperationException">They are first read after the handler has ended.</exception>
    public IReadOnlyDictionary<string, object?> Headers =>
        _headers ??= Properties.Headers is { IsEmpty: false } headers ? headers.ToDictionary() : ReadOnlyDictionary<string, object?>.Empty;

    /// <summary>Its body, as received. Valid until the handler ends: the memory is then reused.</summary>
    /// <exception cref="InvalidOperationException">The handler has ended.</exception>
    public ReadOnlyMemory<byte> Body
    {
        get
        {
            ReadOnlySequence<byte> body = _hasEnded
                ? throw new InvalidOperationException(
                    "The body of a message can only be read until its handler ends: copy it to use it later.")
                : _delivery.Body;

            // A contiguous body; one received in several pieces is copied on first use.
            return body.IsSingleSegment ? body.First : _onePiece ??= body.ToArray();
        }
    }

    /// <summary>
    /// Gets whether the broker has delivered it before, to this consumer or another, without an acknowledgement. It may or may not have
    /// been handled.
    /// </summary>
    public bool Redelivered { get; }

    /// <summary>
    /// Gets whether this consumer has handled a message with the same id before, among the last <see
    /// cref="WireConsumerOptions.DuplicateWindow"/> ones.
    /// </summary>
    public bool Duplicate { get; }

    /// <summary>
    /// Gets the number of this attempt, from 1, since the message was delivered. Each attempt decodes a new object.
    /// </summary>
    public int Attempt { get; }

    /// <summary>
    /// Gets how often it has waited at the broker before because its attempts had failed: <see cref="RetryPolicy.Delayed"/>.
    /// </summary>
    public int DelayedRetries => ReturnedDelivery.StateOf(_delivery).Retries;

    /// <summary>
    /// Gets how often it has waited at the broker before because the program said so: <see cref="MessageOutcome.Defer"/>.
    /// </summary>
    public int Deferrals => ReturnedDelivery.StateOf(_delivery).Deferrals;

    /// <summary>
    /// Gets or sets the decision on the message, for when the handler succeeds: <see cref="MessageOutcome.Ack"/> unless set. A handler that
    /// throws has not decided.
    /// </summary>
    /// <exception cref="InvalidOperationException">It is set after the handler has ended.</exception>
    public MessageOutcome Outcome
    {
        get => _outcome ?? MessageOutcome.Ack;
        set
        {
            ArgumentNullException.ThrowIfNull(value);
            if (_hasEnded)
            {
                throw new InvalidOperationException("The outcome of a message can only be set until its handler ends.");
            }

            _outcome = value;
        }
    }

    /// <summary>
    /// Fires when the consumer is being stopped and <see cref="WireConsumerOptions.StopTimeout"/> is over, and when the message cannot be
    /// acknowledged any more, because its channel or connection is lost: then the broker brings it again, and this handler works in vain.
    /// If a handler fails after that, its message is not tried again here, and returns to its queue.
    /// </summary>
    public CancellationToken CancellationToken { get; }

    /// <summary>
    /// Gets the services of this attempt's own scope, which is made when it is first asked for and disposed of when the handler has ended.
    /// One thread at a time.
    /// </summary>
    /// <exception cref="InvalidOperationException">The consumer was not made by a host, or the handler has ended.</exception>
    public IServiceProvider Services
    {
        get
        {
            if (_hasEnded || _services is null)
            {
                throw new InvalidOperationException(
                    _hasEnded
                        ? "The services of a message can only be asked for until its handler ends."
                        : $"The message has no services: its consumer was made by the program, and not by {nameof(WireRabbitMQServices)}.");
            }

            if (_services is not OwnScope own)
            {
                _services = own = new OwnScope(((IServiceScopeFactory)_services).CreateAsyncScope());
            }

            return own.Scope.ServiceProvider;
        }
    }

    /// <summary>The object of a pool that the message was read into; null where it was not read into a pooled object.</summary>
    internal MessagePools.Loan? Loan { get; init; }

    /// <summary>Gets whether the handler has ended.</summary>
    internal bool HasEnded => _hasEnded;

    /// <summary>Gets whether the handler has decided by <see cref="Outcome"/>.</summary>
    internal bool HasDecided => _outcome is not null;

    // The memory is then reused.
    private BasicProperties Properties => _hasEnded
        ? throw new InvalidOperationException(
            "The properties of a message can only be read until its handler ends: copy them to use them later.")
        : _delivery.Properties;

    /// <summary>Decides on the failure of the handler: the program is asked once for each.</summary>
    internal MessageOutcome Fail(WireConsumerOptions options, ref Exception exception) =>
        _failure ??= options.After(this, ref exception);

    /// <summary>Disposes of its services, if somebody has asked for them.</summary>
    internal ValueTask EndScopeAsync()
    {
        object? services = Interlocked.Exchange(ref _services, null);
        return services is OwnScope own ? own.Scope.DisposeAsync() : default;
    }

    /// <summary>The handler has ended: its message goes back to its pool.</summary>
    internal void Invalidate()
    {
        _hasEnded = true;
        Loan?.End();
    }

    // What makes scopes may be a scope itself, that of all.
    private sealed record OwnScope(AsyncServiceScope Scope);
}
