using System.Diagnostics.CodeAnalysis;

namespace Wire.RabbitMQ;

/// <summary>A message that is about to be published.</summary>
/// <param name="Message">The object; may be null.</param>
/// <param name="Exchange">The exchange; empty for the default one.</param>
/// <param name="RoutingKey">The routing key.</param>
/// <param name="Options">What it is published with; null for the publisher's own options.</param>
public readonly record struct Publication(object? Message, string Exchange, string RoutingKey, PublishOptions? Options)
{
    /// <summary>Gets the type that it is published as, which a null has.</summary>
    internal Type? Declared { get; init; }
}

/// <summary>Publishes a message. The task ends when the broker has confirmed it; it may be awaited once.</summary>
/// <param name="publication">The message.</param>
/// <param name="cancellationToken">Ends the task.</param>
public delegate ValueTask PublishHandler(Publication publication, CancellationToken cancellationToken);

/// <summary>
/// Stands around the publishing of messages: <see cref="WirePublisherOptions.Middleware"/>. Thread-safe, as many are published at a time.
/// </summary>
public interface IPublishMiddleware
{
    /// <summary>
    /// Publishes a message: as it is, changed, or not at all, where it does not call <paramref name="next"/>. When the task fails, that of
    /// the caller does. One that awaits before <paramref name="next"/> changes the order of messages with one <see
    /// cref="PublishOptions.OrderingKey"/>. What it returns without waiting costs no memory, as in <c>return next(publication with { … },
    /// cancellationToken)</c>.
    /// </summary>
    /// <param name="publication">The message.</param>
    /// <param name="next">The next middleware, or the publisher.</param>
    /// <param name="cancellationToken">The token of the caller.</param>
    [SuppressMessage("Naming", "CA1716", Justification = "The word that the field has for it.")]
    ValueTask PublishAsync(Publication publication, PublishHandler next, CancellationToken cancellationToken);
}
