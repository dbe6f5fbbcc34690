using System.Diagnostics;
using Wire.Amqp.V091;
using Wire.Transport;
using Wire.Transport.Diagnostics;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>
/// The span and the numbers of one sent message, from the call to the broker's answer or, for a request, to the reply. It exists only while
/// someone listens.
/// </summary>
internal sealed class SendTelemetry : IAmqpPublishObserver
{
    private readonly MessageTelemetry _telemetry;
    private readonly string _operation;
    private readonly string _exchange;
    private readonly string _routingKey;
    private readonly IAmqpPublishObserver? _next;
    private readonly Activity? _activity;
    private readonly Activity? _caller;
    private readonly long _started = Stopwatch.GetTimestamp();
    private bool _isSent;

    private SendTelemetry(
        MessageTelemetry telemetry, string operation, string exchange, string routingKey, IAmqpPublishObserver? next)
    {
        (_telemetry, _operation, _exchange, _routingKey, _next) = (telemetry, operation, exchange, routingKey, next);
        _caller = Activity.Current;
        _activity = telemetry.Source.HasListeners() ? StartActivity(telemetry.Source, operation, exchange, routingKey, _caller) : null;
    }

    /// <summary>
    /// Gets the span that goes into the headers of the message, and that is the parent of the client's own, where someone listens to it.
    /// </summary>
    public Activity? Current => _activity ?? _caller;

    /// <summary>Begins; null while no one listens. To be called on the caller's thread: the span is a child of the caller's.</summary>
    /// <param name="telemetry">Who tells of it.</param>
    /// <param name="operation"><see cref="Attributes.Publish"/> or <see cref="Attributes.Request"/>.</param>
    /// <param name="exchange">The exchange.</param>
    /// <param name="routingKey">The routing key.</param>
    /// <param name="next">Notified as well when the message is written; null for none.</param>
    public static SendTelemetry? TryStart(
        MessageTelemetry telemetry, string operation, string exchange, string routingKey, IAmqpPublishObserver? next = null) =>
        telemetry.IsOfSending ? new SendTelemetry(telemetry, operation, exchange, routingKey, next) : null;

    /// <summary>Says what is to be sent.</summary>
    public void Prepare(in BasicProperties properties)
    {
        if (_activity is { IsAllDataRequested: true } activity)
        {
            MessageSpans.SetIds(activity, in properties);
        }
    }

    /// <summary>It is being sent.</summary>
    public void Written(long bodySize)
    {
        _isSent = true;
        if (_activity is { IsAllDataRequested: true } activity)
        {
            Spans.SetBodySize(activity, bodySize);
        }

        _next?.Written(bodySize);
    }

    /// <summary>Ends.</summary>
    /// <param name="server">The broker; null where there was none.</param>
    /// <param name="error">Why it failed, in one word (<see cref="Failures"/>); null where it did not.</param>
    /// <param name="message">The same for people.</param>
    public void Stop(BrokerEndpoint? server, string? error = null, string? message = null)
    {
        TimeSpan elapsed = Stopwatch.GetElapsedTime(_started);
        if (_activity is not null)
        {
            if (_activity.IsAllDataRequested)
            {
                Spans.SetServer(_activity, server);
            }

            elapsed = Spans.Stop(_activity, error, message);
        }

        TagList tags = MessageTelemetry.Tags(_operation, Attributes.Send, Destination.Name(_exchange, _routingKey), server, error);
        _telemetry.Tell((elapsed, tags, _isSent), static (telemetry, message) =>
        {
            telemetry.OperationDuration.Record(message.elapsed.TotalSeconds, message.tags);
            if (message._isSent)
            {
                telemetry.Sent.Add(1, message.tags);
            }
        });
    }

    private static Activity? StartActivity(
        ActivitySource source, string operation, string exchange, string routingKey, Activity? caller)
    {
        ActivityTagsCollection tags = MessageSpans.Tags(operation, Attributes.Send, Destination.Full(exchange, routingKey));
        if (routingKey.Length != 0)
        {
            tags.Add(Attributes.RoutingKey, routingKey);
        }

        Activity? activity = Spans.Start(
            source, $"{operation} {Destination.Name(exchange, routingKey)}", ActivityKind.Producer, default(ActivityContext), tags);

        // The span continues after the call returns, and must not become the parent of the caller's next spans.
        Activity.Current = caller;
        return activity;
    }
}
