using System.Diagnostics;
using System.Diagnostics.Metrics;
using Wire.Transport;

namespace Wire.RabbitMQ.Diagnostics;

/// <summary>
/// The names of spans and metrics, and the metrics themselves, after the semantic conventions of OpenTelemetry for messaging; names outside
/// the conventions begin with <c>wire.rabbitmq</c>. All of it is free while no one listens.
/// </summary>
/// <remarks>
/// Metrics and the names of spans have only the low-cardinality part of a destination (<see cref="Destination.Name"/>): routing keys
/// often hold an identifier, and every new value would be a new series. The whole destination is an attribute of the span.
/// </remarks>
internal static class Telemetry
{
    /// <summary>The name of the source of spans and of the meter.</summary>
    public const string Name = "Wire.RabbitMQ";

    public static readonly ActivitySource Source = new(Name, Version);

    public static readonly Meter Meter = new(Name, Version);

    /// <summary>From the call that publishes a message to the broker's answer.</summary>
    public static readonly Histogram<double> OperationDuration =
        Seconds("messaging.client.operation.duration", "Duration of messaging operation initiated by a producer or consumer client.");

    /// <summary>Messages handed to the broker, counted when their outcome is known.</summary>
    public static readonly Counter<long> Sent =
        Messages("messaging.client.sent.messages", "Number of messages producer attempted to send to the broker.");

    /// <summary>Messages handed to a handler, each once, however often it is tried.</summary>
    public static readonly Counter<long> Consumed =
        Messages("messaging.client.consumed.messages", "Number of messages that were delivered to the application.");

    /// <summary>From the decoding of a message to the end of its last attempt.</summary>
    public static readonly Histogram<double> ProcessDuration = Seconds("messaging.process.duration", "Duration of processing operation.");

    /// <summary>Attempts after the first.</summary>
    public static readonly Counter<long> Retries =
        Messages("wire.rabbitmq.process.retries", "Attempts to handle a message after the first one.");

    /// <summary>Messages moved to an error queue.</summary>
    public static readonly Counter<long> ErrorQueued =
        Messages("wire.rabbitmq.process.error_queued", "Messages moved to an error queue because they could not be handled.");

    /// <summary>Messages that the same consumer had handled before.</summary>
    public static readonly Counter<long> Duplicates =
        Messages("wire.rabbitmq.process.duplicates", "Messages delivered again after this consumer had handled them.");

    /// <summary>Replies without a waiting request.</summary>
    public static readonly Counter<long> LateReplies =
        Messages("wire.rabbitmq.request.late_replies", "Replies that arrived when nobody waited for them any more.");

    /// <summary>Channels opened.</summary>
    public static readonly Counter<long> ChannelsOpened =
        Meter.CreateCounter<long>("wire.rabbitmq.channels.opened", "{channel}", "Channels opened by publishers, consumers and requesters.");

    /// <summary>Channels closed by anyone but their owner.</summary>
    public static readonly Counter<long> ChannelsLost = Meter.CreateCounter<long>(
        "wire.rabbitmq.channels.lost", "{channel}", "Channels closed by the broker or with their connection, and not by their owner.");

    /// <summary>Messages published and not yet confirmed.</summary>
    public static readonly LiveCount PublishesInFlight =
        new("wire.rabbitmq.publish.in_flight", "Messages published that the broker has not answered yet.");

    /// <summary>Messages that handlers are working on.</summary>
    public static readonly LiveCount ProcessesInFlight = new("wire.rabbitmq.process.in_flight", "Messages that are being handled.");

    /// <summary>Requests without a reply so far.</summary>
    public static readonly LiveCount RequestsInFlight = new("wire.rabbitmq.request.in_flight", "Requests that wait for their reply.");

    private static string Version => typeof(Telemetry).Assembly.GetName().Version?.ToString(3) ?? "";

    /// <summary>The tags that every number of an operation has, and the reason where it failed.</summary>
    public static TagList Tags(string operation, string type, string destination, BrokerEndpoint? server, string? error)
    {
        var tags = new TagList
        {
            { Attributes.System, Attributes.RabbitMQ },
            { Attributes.OperationName, operation },
            { Attributes.OperationType, type },
            { Attributes.DestinationName, destination },
        };
        if (server is not null)
        {
            tags.Add(Attributes.ServerAddress, server.Host);
            tags.Add(Attributes.ServerPort, server.Port);
        }

        if (error is not null)
        {
            tags.Add(Attributes.ErrorType, error);
        }

        return tags;
    }

    private static Counter<long> Messages(string name, string description) => Meter.CreateCounter<long>(name, "{message}", description);

    // The boundaries that the conventions require.
    private static Histogram<double> Seconds(string name, string description) => Meter.CreateHistogram(
        name,
        "s",
        description,
        tags: null,
        new InstrumentAdvice<double>
        {
            HistogramBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
        });
}
