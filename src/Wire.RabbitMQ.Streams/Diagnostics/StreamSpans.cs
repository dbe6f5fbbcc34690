using System.Diagnostics;
using Wire.Transport.Diagnostics;

namespace Wire.RabbitMQ.Streams.Diagnostics;

/// <summary>The part common to all spans of streams.</summary>
internal static class StreamSpans
{
    /// <summary>Begins a span, which becomes the current one; null where no one wants it.</summary>
    /// <param name="operation">The operation, from <see cref="Attributes"/>.</param>
    /// <param name="stream">The stream, or the partition of a super stream.</param>
    /// <param name="group">The name of the consumer; null for none.</param>
    /// <param name="creation">The span that published the message, which is linked to; the default for none.</param>
    public static Activity? Start(
        string operation, string stream, string? group = null, ActivityContext creation = default) => Spans.Start(
        Telemetry.Source,
        $"{operation} {stream}",
        operation == Attributes.Publish ? ActivityKind.Producer : ActivityKind.Consumer,
        creation,
        Telemetry.Tags(operation, stream, group),
        creation == default ? [] : [new ActivityLink(creation)]);

    /// <summary>Ends a span on any thread, without changing that thread's current one; with a reason where it failed.</summary>
    public static void Stop(Activity? span, Exception? error = null)
    {
        if (span is not null)
        {
            Spans.Stop(span, error is null ? null : Telemetry.NameOf(error), error?.Message);
        }
    }

    /// <summary>Writes to the trace that a listener has thrown.</summary>
    public static void Report(Exception error) => Spans.Report(Telemetry.Name, error);
}
