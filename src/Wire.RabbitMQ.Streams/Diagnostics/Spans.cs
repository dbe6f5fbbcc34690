using System.Diagnostics;

namespace Wire.RabbitMQ.Streams.Diagnostics;

/// <summary>The part common to all spans. A listener that throws costs its span, and no message.</summary>
internal static class Spans
{
    /// <summary>Begins a span, which becomes the current one; null where no one wants it.</summary>
    /// <param name="operation">The operation, from <see cref="Telemetry"/>.</param>
    /// <param name="stream">The stream, or the partition of a super stream.</param>
    /// <param name="group">The name of the consumer; null for none.</param>
    /// <param name="creation">The span that published the message, which is linked to; the default for none.</param>
    public static Activity? Start(string operation, string stream, string? group = null, ActivityContext creation = default)
    {
        try
        {
            return Telemetry.Source.StartActivity(
                $"{operation} {stream}",
                operation == Telemetry.Publish ? ActivityKind.Producer : ActivityKind.Consumer,
                creation,
                Telemetry.Tags(operation, stream, group),
                creation == default ? [] : [new ActivityLink(creation)]);
        }
        catch (Exception e)
        {
            Report(e);
            return null;
        }
    }

    /// <summary>Ends a span on any thread, without changing that thread's current one; with a reason where it failed.</summary>
    public static void Stop(Activity? span, Exception? error = null)
    {
        if (span is null)
        {
            return;
        }

        if (error is not null)
        {
            span.SetTag(Telemetry.ErrorType, Telemetry.NameOf(error));
            span.SetStatus(ActivityStatusCode.Error, error.Message);
        }

        Activity? current = Activity.Current;
        try
        {
            span.Dispose();
        }
        catch (Exception e)
        {
            Report(e);
        }

        Activity.Current = ReferenceEquals(current, span) ? null : current;
    }

    /// <summary>Writes to the trace that a listener has thrown.</summary>
    public static void Report(Exception e) => Trace.TraceError($"A listener to {Telemetry.Name} has thrown: {e}");
}
