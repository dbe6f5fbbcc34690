using System.Diagnostics;
using Wire.Amqp.V091;
using Wire.Transport;
using Wire.Transport.Diagnostics;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>The span and the numbers of one delivered message, from its decoding to the end of its last attempt.</summary>
internal readonly struct ProcessTelemetry
{
    private readonly MessageTelemetry _telemetry;
    private readonly Activity? _activity;
    private readonly string _queue;
    private readonly BrokerEndpoint? _server;
    private readonly long _started;

    private ProcessTelemetry(MessageTelemetry telemetry, Activity? activity, string queue, BrokerEndpoint? server)
    {
        _telemetry = telemetry;
        _activity = activity;
        _queue = queue;
        _server = server;
        _started = Stopwatch.GetTimestamp();
    }

    /// <summary>
    /// Begins, where <see cref="MessageTelemetry.IsOfProcessing"/>. The span becomes the current one, which handlers see; it is a child of
    /// the publishing span, and linked to it as the conventions require.
    /// </summary>
    /// <param name="telemetry">Who tells of it.</param>
    /// <param name="queue">The queue of the message.</param>
    /// <param name="server">The broker that it came from.</param>
    /// <param name="message">The message.</param>
    public static ProcessTelemetry Start(MessageTelemetry telemetry, string queue, BrokerEndpoint? server, IArrivedMessage message) =>
        new(telemetry, telemetry.Source.HasListeners() ? StartActivity(telemetry.Source, queue, server, message) : null, queue, server);

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

        TagList tags = MessageTelemetry.Tags(Attributes.Process, Attributes.Process, Destination.Name("", _queue), _server, error);
        _telemetry.Tell((elapsed, tags), static (telemetry, message) =>
        {
            telemetry.Consumed.Add(1, message.tags);
            telemetry.ProcessDuration.Record(message.elapsed.TotalSeconds, message.tags);
        });
    }

    private static Activity? StartActivity(ActivitySource source, string queue, BrokerEndpoint? server, IArrivedMessage message)
    {
        BasicProperties properties = message.Properties;
        ActivityContext creation = TraceContext.Extract(properties.Headers);
        ActivityTagsCollection tags = MessageSpans.Tags(
            Attributes.Process, Attributes.Process, Destination.Full(message.Exchange, message.RoutingKey, queue));
        ActivityLink[] links = creation == default ? [] : [new ActivityLink(creation)];

        // Without the context of the receiving thread.
        Activity.Current = null;
        Activity? activity = Spans.Start(
            source, $"{Attributes.Process} {Destination.Name("", queue)}", ActivityKind.Consumer, creation, tags, links);
        if (activity is null)
        {
            return null;
        }

        TraceContext.ExtractBaggage(properties.Headers, activity);
        if (activity.IsAllDataRequested)
        {
            MessageSpans.Describe(activity, server, message, in properties);
        }

        return activity;
    }
}
