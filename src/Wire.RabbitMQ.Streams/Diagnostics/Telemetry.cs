using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace Wire.RabbitMQ.Streams.Diagnostics;

/// <summary>
/// The names of spans and metrics, and the metrics themselves, after the semantic conventions of OpenTelemetry for messaging; names outside
/// the conventions begin with <c>wire.rabbitmq.streams</c>. All of it is free while no one listens.
/// </summary>
internal static class Telemetry
{
    /// <summary>The name of the source of spans and of the meter.</summary>
    public const string Name = "Wire.RabbitMQ.Streams";

    public const string Publish = "publish";
    public const string Send = "send";
    public const string Process = "process";
    public const string ErrorType = "error.type";
    public const string BatchCount = "messaging.batch.message_count";
    public const string Offset = "messaging.rabbitmq.stream.offset";

    /// <summary>The error of what was not confirmed within <see cref="StreamProducerOptions.ConfirmTimeout"/>.</summary>
    public const string Late = "timeout";

    /// <summary>The error of what was lost with its connection or producer.</summary>
    public const string Unconfirmed = "unconfirmed";

    private const string System = "messaging.system";
    private const string RabbitMQ = "rabbitmq";
    private const string OperationName = "messaging.operation.name";
    private const string OperationType = "messaging.operation.type";
    private const string DestinationName = "messaging.destination.name";
    private const string ConsumerGroup = "messaging.consumer.group.name";

    public static readonly ActivitySource Source = new(Name, Version);

    public static readonly Meter Meter = new(Name, Version);

    /// <summary>Messages handed to the broker, counted when their outcome is known.</summary>
    public static readonly Counter<long> Sent =
        Messages("messaging.client.sent.messages", "Number of messages producer attempted to send to the broker.");

    /// <summary>From the writing of a message to its confirm: once for each frame of confirms, of its first message.</summary>
    public static readonly Histogram<double> OperationDuration = Meter.CreateHistogram(
        "messaging.client.operation.duration",
        "s",
        "Duration of messaging operation initiated by a producer or consumer client.",
        tags: null,
        new InstrumentAdvice<double>
        {
            // The boundaries that the conventions require.
            HistogramBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
        });

    /// <summary>Messages handed to a handler.</summary>
    public static readonly Counter<long> Consumed =
        Messages("messaging.client.consumed.messages", "Number of messages that were delivered to the application.");

    private static readonly LiveNumbers InFlight = new(
        Enumerable.Sum,
        observe => Meter.CreateObservableUpDownCounter(
            "wire.rabbitmq.streams.publish.in_flight", observe, "{message}", "Messages published that the broker has not answered yet."));

    private static readonly LiveNumbers Lags = new(
        Enumerable.Max,
        observe => Meter.CreateObservableGauge(
            "wire.rabbitmq.streams.consumer.lag",
            observe,
            "{message}",
            "Messages between the last one that was handled and the last chunk that the broker has told of."));

    private static string Version => typeof(Telemetry).Assembly.GetName().Version?.ToString(3) ?? "";

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
    /// <param name="operation"><see cref="Publish"/> or <see cref="Process"/>.</param>
    /// <param name="stream">The stream, or the partition of a super stream.</param>
    /// <param name="group">The name of the consumer; null for none.</param>
    /// <param name="error">Why it failed, in one word; null where it did not.</param>
    public static TagList Tags(string operation, string stream, string? group = null, string? error = null)
    {
        var tags = new TagList
        {
            { System, RabbitMQ },
            { OperationName, operation },
            { OperationType, operation == Publish ? Send : Process },
            { DestinationName, stream },
        };
        if (group is not null)
        {
            tags.Add(ConsumerGroup, group);
        }

        if (error is not null)
        {
            tags.Add(ErrorType, error);
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
        ? [new(System, RabbitMQ), new(DestinationName, stream)]
        : [new(System, RabbitMQ), new(DestinationName, stream), new(ConsumerGroup, name)];

    private static Counter<long> Messages(string name, string description) => Meter.CreateCounter<long>(name, "{message}", description);
}
