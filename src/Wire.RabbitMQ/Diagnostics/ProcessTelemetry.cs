using System.Diagnostics;
using System.Diagnostics.Metrics;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.Transport;

namespace Wire.RabbitMQ.Diagnostics;

/// <summary>The span and the numbers of one delivered message, from its decoding to the end of its last attempt.</summary>
internal readonly struct ProcessTelemetry
{
    private readonly Activity? _activity;
    private readonly string _queue;
    private readonly BrokerEndpoint? _server;
    private readonly long _started;

    private ProcessTelemetry(Activity? activity, string queue, BrokerEndpoint? server)
    {
        _activity = activity;
        _queue = queue;
        _server = server;
        _started = Stopwatch.GetTimestamp();
    }

    /// <summary>
    /// Begins. The span becomes the current one, which handlers see; it is a child of the publishing span, and linked to it as the
    /// conventions require.
    /// </summary>
    /// <param name="queue">The queue of the message.</param>
    /// <param name="connection">The connection that it came over.</param>
    /// <param name="message">The message.</param>
    public static ProcessTelemetry Start(string queue, WireConnection connection, IDelivery message)
    {
        if (Telemetry.Source.HasListeners())
        {
            return new ProcessTelemetry(StartActivity(queue, connection.Endpoint, message), queue, connection.Endpoint);
        }

        return Telemetry.ProcessDuration.Enabled || Telemetry.Consumed.Enabled
            ? new ProcessTelemetry(null, queue, connection.Endpoint)
            : default;
    }

    /// <summary>Ends.</summary>
    /// <param name="error">Why the message could not be handled, in one word; null where it was.</param>
    /// <param name="message">The same for people.</param>
    public void Stop(string? error = null, string? message = null)
    {
        if (_started == 0)
        {
            return;
        }

        TimeSpan elapsed = Stopwatch.GetElapsedTime(_started);
        if (_activity is not null)
        {
            elapsed = Spans.Stop(_activity, error, message);
        }

        TagList tags = Telemetry.Tags(Attributes.Process, Attributes.Process, Destination.Name("", _queue), _server, error);
        Telemetry.Consumed.Add(1, tags);
        Telemetry.ProcessDuration.Record(elapsed.TotalSeconds, tags);
    }

    /// <summary>Counts one message of a queue.</summary>
    public static void Count(Counter<long> counter, string queue, string? error = null)
    {
        if (counter.Enabled)
        {
            counter.Add(1, Telemetry.Tags(Attributes.Process, Attributes.Process, Destination.Name("", queue), server: null, error));
        }
    }

    private static Activity? StartActivity(string queue, BrokerEndpoint? server, IDelivery message)
    {
        BasicProperties properties = message.Properties;
        ActivityContext creation = TraceContext.Extract(properties.Headers);
        var tags = new ActivityTagsCollection
        {
            { Attributes.System, Attributes.RabbitMQ },
            { Attributes.OperationName, Attributes.Process },
            { Attributes.OperationType, Attributes.Process },
            { Attributes.DestinationName, Destination.Full(message.Exchange, message.RoutingKey, queue) },
        };
        ActivityLink[] links = creation == default ? [] : [new ActivityLink(creation)];

        // Without the context of the receiving thread.
        Activity.Current = null;
        Activity? activity = Telemetry.Source.StartActivity(
            $"{Attributes.Process} {Destination.Name("", queue)}", ActivityKind.Consumer, creation, tags, links);
        if (activity is null)
        {
            return null;
        }

        TraceContext.ExtractBaggage(properties.Headers, activity);
        if (activity.IsAllDataRequested)
        {
            Describe(activity, server, message, in properties);
        }

        return activity;
    }

    private static void Describe(Activity activity, BrokerEndpoint? server, IDelivery message, in BasicProperties properties)
    {
        activity.SetTag(Attributes.DeliveryTag, (long)message.Tag);
        Spans.SetBodySize(activity, message.BodySize);
        Spans.SetServer(activity, server);
        if (message.RoutingKey.Length != 0)
        {
            activity.SetTag(Attributes.RoutingKey, message.RoutingKey);
        }

        if (properties.MessageId.Text() is { } id)
        {
            activity.SetTag(Attributes.MessageId, id);
        }

        if (properties.CorrelationId.Text() is { } correlation)
        {
            activity.SetTag(Attributes.ConversationId, correlation);
        }
    }
}
