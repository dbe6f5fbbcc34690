using System.Diagnostics;
using System.Diagnostics.Metrics;
using Wire.Amqp.Client.Diagnostics;
using Wire.RabbitMQ.Connections;
using Wire.Transport.Diagnostics;

namespace Wire.RabbitMQ.Diagnostics;

/// <summary>
/// The spans and numbers of publishers, consumers and requesters, after the semantic conventions of OpenTelemetry for messaging; names
/// outside the conventions begin with <c>wire.rabbitmq</c>. All of it is free while no one listens.
/// </summary>
internal static class Telemetry
{
    /// <summary>The spans and numbers of messages, under the name of the library.</summary>
    public static readonly MessageTelemetry Messages = new("Wire.RabbitMQ", typeof(Telemetry));

    /// <summary>Attempts after the first.</summary>
    public static readonly Counter<long> Retries =
        Instruments.Messages(Messages.Meter, "wire.rabbitmq.process.retries", "Attempts to handle a message after the first one.");

    /// <summary>Messages moved to an error queue.</summary>
    public static readonly Counter<long> ErrorQueued = Instruments.Messages(
        Messages.Meter, "wire.rabbitmq.process.error_queued", "Messages moved to an error queue because they could not be handled.");

    /// <summary>Messages that the same consumer had handled before.</summary>
    public static readonly Counter<long> Duplicates = Instruments.Messages(
        Messages.Meter, "wire.rabbitmq.process.duplicates", "Messages delivered again after this consumer had handled them.");

    /// <summary>Messages that a consumer's condition has left out.</summary>
    public static readonly Counter<long> Unwanted = Instruments.Messages(
        Messages.Meter, "wire.rabbitmq.process.unwanted", "Messages acknowledged without being handled, because Where did not want them.");

    /// <summary>Replies without a waiting request.</summary>
    public static readonly Counter<long> LateReplies = Instruments.Messages(
        Messages.Meter, "wire.rabbitmq.request.late_replies", "Replies that arrived when nobody waited for them any more.");

    /// <summary>Channels opened.</summary>
    public static readonly Counter<long> ChannelsOpened = Messages.Meter.CreateCounter<long>(
        "wire.rabbitmq.channels.opened", "{channel}", "Channels opened by publishers, consumers and requesters.");

    /// <summary>Channels closed by anyone but their owner.</summary>
    public static readonly Counter<long> ChannelsLost = Messages.Meter.CreateCounter<long>(
        "wire.rabbitmq.channels.lost", "{channel}", "Channels closed by the broker or with their connection, and not by their owner.");

    /// <summary>Messages published and not yet confirmed.</summary>
    public static readonly LiveNumbers PublishesInFlight =
        InFlight("wire.rabbitmq.publish.in_flight", "Messages published that the broker has not answered yet.");

    /// <summary>Messages that handlers are working on.</summary>
    public static readonly LiveNumbers ProcessesInFlight =
        InFlight("wire.rabbitmq.process.in_flight", "Messages that are being handled.");

    /// <summary>Requests without a reply so far.</summary>
    public static readonly LiveNumbers RequestsInFlight =
        InFlight("wire.rabbitmq.request.in_flight", "Requests that wait for their reply.");

    /// <summary>The tags of what is of no single destination.</summary>
    public static KeyValuePair<string, object?>[] Everywhere { get; } = [new(Attributes.System, Attributes.RabbitMQ)];

    /// <summary>The tags of what is of a queue.</summary>
    public static KeyValuePair<string, object?>[] Of(string queue) => [.. Everywhere, new(Attributes.DestinationName, queue)];

    /// <summary>Begins to handle a message.</summary>
    public static ProcessTelemetry StartProcess(string queue, WireConnection connection, IDelivery message) =>
        Messages.IsOfProcessing ? ProcessTelemetry.Start(Messages, queue, connection.Endpoint, message) : default;

    /// <summary>Counts what is of no single destination. A listener that throws keeps nothing from its way.</summary>
    public static void Count(Counter<long> counter, long number = 1) =>
        Messages.Tell((counter, number), static (_, each) => each.counter.Add(each.number));

    /// <summary>Counts one message of a queue.</summary>
    public static void Count(Counter<long> counter, string queue, string? error = null)
    {
        if (counter.Enabled)
        {
            TagList tags = MessageTelemetry.Tags(Attributes.Process, Attributes.Process, Destination.Name("", queue), server: null, error);
            Messages.Tell((counter, tags), static (_, message) => message.counter.Add(1, message.tags));
        }
    }

    private static LiveNumbers InFlight(string name, string description) =>
        LiveNumbers.Sum(Messages.Meter, name, "{message}", description);
}
