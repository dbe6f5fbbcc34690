using System.Diagnostics;
using Wire.Transport;
using Wire.Transport.Diagnostics;

namespace Wire.Amqp.Client.Diagnostics;

/// <summary>The span and the numbers of fetching one message, from the call to the broker's answer.</summary>
internal readonly struct ReceiveTelemetry
{
    private readonly MessageTelemetry _telemetry;
    private readonly Activity? _activity;
    private readonly string _queue;
    private readonly long _started = Stopwatch.GetTimestamp();

    /// <summary>Begins. The span becomes the current one.</summary>
    /// <param name="telemetry">Who tells of it.</param>
    /// <param name="queue">The queue.</param>
    public ReceiveTelemetry(MessageTelemetry telemetry, string queue)
    {
        (_telemetry, _queue) = (telemetry, queue);
        _activity = Spans.Start(
            telemetry.Source,
            $"{Attributes.Receive} {Destination.Name("", queue)}",
            ActivityKind.Client,
            default,
            MessageSpans.Tags(Attributes.Receive, Attributes.Receive, Destination.Full("", queue)));
    }

    /// <summary>Ends. The span is linked to the one that published the message.</summary>
    /// <param name="server">The broker.</param>
    /// <param name="message">The message; null where there was none.</param>
    /// <param name="error">Why it failed; null where it did not.</param>
    public void Stop(BrokerEndpoint server, IArrivedMessage? message, Exception? error = null)
    {
        if (_telemetry is null)
        {
            return;
        }

        TimeSpan elapsed = Stopwatch.GetElapsedTime(_started);
        string? reason = error is null ? null : Failures.GetName(error);
        if (_activity is not null)
        {
            if (message is not null && TraceContext.Extract(message.Properties.Headers) is var creation && creation != default)
            {
                _activity.AddLink(new ActivityLink(creation));
            }

            if (_activity.IsAllDataRequested)
            {
                Describe(_activity, server, message, isEmpty: message is null && error is null);
            }

            elapsed = Spans.Stop(_activity, reason, error?.Message);
        }

        TagList tags = MessageTelemetry.Tags(Attributes.Receive, Attributes.Receive, Destination.Name("", _queue), server, reason);
        _telemetry.Tell((elapsed, tags, HasCome: message is not null), static (telemetry, message) =>
        {
            telemetry.OperationDuration.Record(message.elapsed.TotalSeconds, message.tags);
            if (message.HasCome)
            {
                telemetry.Consumed.Add(1, message.tags);
            }
        });
    }

    private static void Describe(Activity activity, BrokerEndpoint server, IArrivedMessage? message, bool isEmpty)
    {
        if (isEmpty)
        {
            activity.SetTag(Attributes.BatchCount, 0);
        }

        if (message is null)
        {
            Spans.SetServer(activity, server);
        }
        else
        {
            MessageSpans.Describe(activity, server, message, message.Properties);
        }
    }
}
