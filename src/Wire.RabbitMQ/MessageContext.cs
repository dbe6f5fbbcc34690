using System.Collections.ObjectModel;
using RabbitMQ.Client;
using Wire.RabbitMQ.Connections.Lane;
using Wire.RabbitMQ.Consuming;

namespace Wire.RabbitMQ;

/// <summary>What came with a message, for its handler. Each attempt to handle a message has its own.</summary>
/// <remarks>
/// Over the direct lane the properties lie where they were received, and can be read until the handler ends: copy what is needed later. The
/// <see cref="MessageId"/> stays, as does everything that is said of the delivery and is no property.
/// </remarks>
public sealed class MessageContext
{
    private readonly IReadOnlyBasicProperties _properties;
    private readonly Delivery _delivery;
    private volatile bool _hasEnded;

    internal MessageContext(string queue, Delivery delivery, int attempt, bool duplicate, CancellationToken cancellationToken)
    {
        _properties = delivery.Properties;
        MessageId = _properties.MessageId;
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
    public string? CorrelationId => Properties.CorrelationId;

    /// <summary>Where a reply is awaited; null when none is.</summary>
    public string? ReplyTo => Properties.ReplyTo;

    /// <summary>When it was published, to the second, by the publisher's clock; null when it does not say.</summary>
    public DateTimeOffset? Timestamp
    {
        get
        {
            // The broker carries any 64 bits; a time that no calendar has is none.
            IReadOnlyBasicProperties properties = Properties;
            long seconds = properties.Timestamp.UnixTime;
            return properties.IsTimestampPresent() && seconds is >= -62_135_596_800 and <= 253_402_300_799 ? DateTimeOffset.FromUnixTimeSeconds(seconds) : null;
        }
    }

    /// <summary>What it says of its type; null when it says nothing.</summary>
    public string? Type => Properties.Type;

    /// <summary>Its headers. A string is in them as an array of its UTF-8 bytes, as the client of RabbitMQ gives it.</summary>
    public IReadOnlyDictionary<string, object?> Headers => Properties.Headers switch
    {
        null => ReadOnlyDictionary<string, object?>.Empty,
        IReadOnlyDictionary<string, object?> headers => headers,
        { } headers => new ReadOnlyDictionary<string, object?>(headers),
    };

    /// <summary>Its body, as it came. Valid until the handler ends: the memory then belongs to another message.</summary>
    /// <exception cref="InvalidOperationException">The handler has ended.</exception>
    public ReadOnlyMemory<byte> Body => _hasEnded ? throw new InvalidOperationException("The body of a message can be read until its handler ends: copy what is needed later.") : _delivery.Memory;

    /// <summary>
    /// Whether the broker has delivered it before, to this consumer or another, without being told that it was handled. It may have been handled, then, or not.
    /// </summary>
    public bool Redelivered { get; }

    /// <summary>Whether this consumer has handled a message with the same id before, among the last <see cref="WireConsumerOptions.DuplicateWindow"/> ones.</summary>
    public bool Duplicate { get; }

    /// <summary>Which attempt to handle it this is, from 1. Each has an object of its own, decoded anew.</summary>
    public int Attempt { get; }

    /// <summary>
    /// Fires when the consumer is being stopped and <see cref="WireConsumerOptions.StopTimeout"/> is over. A handler that fails after that has its message
    /// go back to the queue.
    /// </summary>
    public CancellationToken CancellationToken { get; }

    // What the lane has received is another message's then.
    private IReadOnlyBasicProperties Properties => _hasEnded && _properties is LaneDelivery
        ? throw new InvalidOperationException("The properties of the message can be read until its handler ends: copy what is needed later.")
        : _properties;

    /// <summary>The handler has ended.</summary>
    internal void End() => _hasEnded = true;
}
