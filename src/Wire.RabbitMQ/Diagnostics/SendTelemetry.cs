using System.Diagnostics;
using RabbitMQ.Client;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Diagnostics;

/// <summary>
/// The span and the numbers of one message that is sent, from the call to the broker's answer or, of a request, to the reply. A field of what stands for the message;
/// its methods are called one after the other, on any thread.
/// </summary>
internal struct SendTelemetry
{
    private Activity? _activity;
    private Activity? _caller;
    private AmqpTcpEndpoint? _server;
    private string _operation;
    private long _started;
    private bool _sent;

    /// <summary>Begins. To be called on the caller's thread: the span is a child of the caller's.</summary>
    /// <param name="operation"><see cref="Attributes.Publish"/> or <see cref="Attributes.Request"/>.</param>
    /// <param name="exchange">The exchange.</param>
    /// <param name="routingKey">The routing key.</param>
    public void Start(string operation, string exchange, string routingKey)
    {
        this = default;
        _operation = operation;
        _caller = Activity.Current;
        if (Telemetry.Source.HasListeners())
        {
            _activity = StartActivity(operation, exchange, routingKey, _caller);
        }

        if (_activity is not null || Telemetry.OperationDuration.Enabled || Telemetry.Sent.Enabled)
        {
            _started = Stopwatch.GetTimestamp();
        }
    }

    /// <summary>
    /// What the span of the client itself, where somebody listens to it, is to be a child of; null where there is nothing, and the client need not see it.
    /// </summary>
    public readonly Activity? Current => _activity ?? _caller;

    /// <summary>Says what is to be sent, and writes the context of the trace into its headers: also that of the caller where nobody listens here.</summary>
    /// <param name="properties">Its properties, whose headers are added to.</param>
    /// <param name="connection">What it is to be sent through.</param>
    public void Prepare(BasicProperties properties, IBrokerConnection connection)
    {
        if (_started != 0)
        {
            _server = connection.Server;
        }

        if (Current is not { } current)
        {
            return;
        }

        TraceContext.Inject(current, properties.Headers ??= new Dictionary<string, object?>());
        if (_activity is { IsAllDataRequested: true } activity)
        {
            activity.SetTag(Attributes.MessageId, properties.MessageId);
            Spans.SetServer(activity, _server);
            if (properties.CorrelationId is { } correlation)
            {
                activity.SetTag(Attributes.ConversationId, correlation);
            }
        }
    }

    /// <summary>It is being sent.</summary>
    /// <param name="bodySize">The size of its body in bytes.</param>
    public void Send(long bodySize)
    {
        _sent = true;
        if (_activity is { IsAllDataRequested: true } activity)
        {
            Spans.SetBodySize(activity, bodySize);
        }
    }

    /// <summary>Ends.</summary>
    /// <param name="exchange">The exchange.</param>
    /// <param name="routingKey">The routing key.</param>
    /// <param name="error">Why it failed, in one word (<see cref="Failures"/>); null where it did not.</param>
    /// <param name="message">The same for people.</param>
    public void Stop(string exchange, string routingKey, string? error = null, string? message = null)
    {
        if (_started != 0)
        {
            Record(exchange, routingKey, error, message);
        }

        this = default;
    }

    private void Record(string exchange, string routingKey, string? error, string? message)
    {
        TimeSpan elapsed = Stopwatch.GetElapsedTime(_started);
        if (_activity is not null)
        {
            elapsed = Spans.Stop(_activity, error, message);
        }

        TagList tags = Telemetry.Tags(_operation, Attributes.Send, Destination.Name(exchange, routingKey), _server, error);
        Telemetry.OperationDuration.Record(elapsed.TotalSeconds, tags);
        if (_sent)
        {
            Telemetry.Sent.Add(1, tags);
        }
    }

    private static Activity? StartActivity(string operation, string exchange, string routingKey, Activity? caller)
    {
        var tags = new ActivityTagsCollection
        {
            { Attributes.System, Attributes.RabbitMQ },
            { Attributes.OperationName, operation },
            { Attributes.OperationType, Attributes.Send },
            { Attributes.DestinationName, Destination.Full(exchange, routingKey) },
        };
        if (routingKey.Length != 0)
        {
            tags.Add(Attributes.RoutingKey, routingKey);
        }

        Activity? activity = Telemetry.Source.StartActivity($"{operation} {Destination.Name(exchange, routingKey)}", ActivityKind.Producer, default(ActivityContext), tags);

        // The span goes on when the call returns, and what the caller does then is no part of it.
        Activity.Current = caller;
        return activity;
    }
}
