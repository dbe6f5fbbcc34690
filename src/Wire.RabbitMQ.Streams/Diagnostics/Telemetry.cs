using System.Diagnostics;
using System.Diagnostics.Metrics;
using Wire.Transport.Diagnostics;

namespace Wire.RabbitMQ.Streams.Diagnostics;

/// <summary>
/// The names of spans and metrics, and the metrics themselves, after the semantic conventions of OpenTelemetry for messaging; names outside
/// the conventions begin with <c>wire.rabbitmq.streams</c>. All of it is free while no one listens.
/// </summary>
internal static class Telemetry
{
    /// <summary>The name of the source of spans and of the meter.</summary>
    public const string Name = "Wire.RabbitMQ.Streams";

    /// <summary>The error of what was not confirmed within <see cref="StreamProducerOptions.ConfirmTimeout"/>.</summary>
    public const string Late = "timeout";

    /// <summary>The error of what was lost with its connection or producer.</summary>
    public const string Unconfirmed = "unconfirmed";

    public static readonly ActivitySource Source = new(Name, Instruments.VersionOf(typeof(Telemetry)));

    public static readonly Meter Meter = new(Name, Instruments.VersionOf(typeof(Telemetry)));

    /// <summary>Messages handed to the broker, counted when their outcome is known.</summary>
    public static readonly Counter<long> Sent = Instruments.Sent(Meter);

    /// <summary>
    /// From the writing of a message to its confirm, once for each frame of confirms, of its first message; or to its failure.
    /// </summary>
    public static readonly Histogram<double> OperationDuration = Instruments.OperationDuration(Meter);

    /// <summary>Messages handed to a handler.</summary>
    public static readonly Counter<long> Consumed = Instruments.Consumed(Meter);

    /// <summary>Times of handling a message: once for each chunk, on average over its messages.</summary>
    public static readonly Histogram<double> ProcessDuration = Instruments.ProcessDuration(Meter);

    private static readonly LiveNumbers InFlight = LiveNumbers.Sum(
        Meter, "wire.rabbitmq.streams.publish.in_flight", "{message}", "Messages published that the broker has not answered yet.");

    private static readonly LiveNumbers Lags = LiveNumbers.Largest(
        Meter,
        "wire.rabbitmq.streams.consumer.lag",
        "{message}",
        "Messages between the last one that was handled and the last chunk that the broker has told of.");

    /// <summary>Shows the unconfirmed messages of a producer, until it is collected or <see cref="Hide"/> is called.</summary>
    public static void Show<T>(T producer, string stream, Func<T, long> unconfirmed)
        where T : class => InFlight.Add(producer, Place(stream, null), unconfirmed);

    /// <summary>Shows the lag of a consumer, as above.</summary>
    public static void Show<T>(T consumer, string stream, string? name, Func<T, long> lag)
        where T : class => Lags.Add(consumer, Place(stream, name), lag);

    /// <summary>Shows the numbers of a producer or consumer no more.</summary>
    public static void Hide(object owner)
    {
        InFlight.Remove(owner);
        Lags.Remove(owner);
    }

    /// <summary>The tags of what is counted in an operation, and the reason where it failed.</summary>
    /// <param name="operation"><see cref="Attributes.Publish"/> or <see cref="Attributes.Process"/>.</param>
    /// <param name="stream">The stream, or the partition of a super stream.</param>
    /// <param name="group">The name of the consumer; null for none.</param>
    /// <param name="error">Why it failed, in one word; null where it did not.</param>
    public static TagList Tags(string operation, string stream, string? group = null, string? error = null)
    {
        var tags = new TagList
        {
            { Attributes.System, Attributes.RabbitMQ },
            { Attributes.OperationName, operation },
            { Attributes.OperationType, operation == Attributes.Publish ? Attributes.Send : Attributes.Process },
            { Attributes.DestinationName, stream },
        };
        if (group is not null)
        {
            tags.Add(Attributes.ConsumerGroup, group);
        }

        if (error is not null)
        {
            tags.Add(Attributes.ErrorType, error);
        }

        return tags;
    }

    /// <summary>The word for a failure: the broker's answer, or the type of the exception.</summary>
    public static string NameOf(Exception exception) => exception switch
    {
        StreamPublishException { Code: { } code } => code.ToString(),
        StreamPublishException { InnerException: TimeoutException } or TimeoutException => Late,
        StreamPublishException => Unconfirmed,
        OperationCanceledException => "cancelled",
        _ => exception.GetType().FullName ?? exception.GetType().Name,
    };

    private static KeyValuePair<string, object?>[] Place(string stream, string? name) => name is null
        ? [new(Attributes.System, Attributes.RabbitMQ), new(Attributes.DestinationName, stream)]
        : [new(Attributes.System, Attributes.RabbitMQ), new(Attributes.DestinationName, stream), new(Attributes.ConsumerGroup, name)];
}
