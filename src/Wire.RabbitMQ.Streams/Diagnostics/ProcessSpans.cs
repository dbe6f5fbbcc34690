using System.Diagnostics;
using Wire.Transport.Diagnostics;

namespace Wire.RabbitMQ.Streams.Diagnostics;

/// <summary>
/// The spans of handlers, the number of messages that they have got, and what they take. They exist only while someone listens.
/// </summary>
/// <param name="stream">The stream, or the partition of a super stream.</param>
/// <param name="group">The name of the consumer; null for none.</param>
internal sealed class ProcessSpans(string stream, string? group)
{
    /// <summary>Gets whether someone listens to spans.</summary>
    public static bool IsOn => Telemetry.Source.HasListeners();

    /// <summary>
    /// Has a message handled in a span of its own, which is a child of the span that published it, and linked to it as the conventions
    /// require.
    /// </summary>
    public async ValueTask RunAsync(StreamMessage message, Func<StreamMessage, ValueTask> handler)
    {
        Activity? span = Start(message, TraceContext.Extract(message));
        try
        {
            await handler(message).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            StreamSpans.Stop(span, e);
            throw;
        }

        StreamSpans.Stop(span);
    }

    /// <summary>Has messages handled together, in one span.</summary>
    public void Run(ReadOnlySpan<StreamMessage> messages, StreamBatchHandler handler)
    {
        Activity? span = Start(messages[0], default);
        span?.SetTag(Attributes.BatchCount, messages.Length);
        try
        {
            handler(messages);
        }
        catch (Exception e)
        {
            StreamSpans.Stop(span, e);
            throw;
        }

        StreamSpans.Stop(span);
    }

    /// <summary>Counts messages that a handler has got.</summary>
    /// <param name="messages">How many.</param>
    /// <param name="error">What it has thrown at them; null for nothing.</param>
    public void Count(int messages, Exception? error = null)
    {
        if (!Telemetry.Consumed.Enabled || messages == 0)
        {
            return;
        }

        try
        {
            string? reason = error is null ? null : Telemetry.NameOf(error);
            Telemetry.Consumed.Add(messages, Telemetry.Tags(Attributes.Process, stream, group, reason));
        }
        catch (Exception e)
        {
            StreamSpans.Report(e);
        }
    }

    /// <summary>Gets the time at which messages are about to be handled, for <see cref="Time"/>; 0 where nobody listens.</summary>
    public static long Now => Telemetry.ProcessDuration.Enabled ? Stopwatch.GetTimestamp() : 0;

    /// <summary>Tells what handling a message has taken, on average.</summary>
    /// <param name="started">When the first began; 0 where that was not noted.</param>
    /// <param name="messages">How many have been handled since.</param>
    public void Time(long started, int messages)
    {
        if (started == 0 || messages == 0)
        {
            return;
        }

        try
        {
            Telemetry.ProcessDuration.Record(
                Stopwatch.GetElapsedTime(started).TotalSeconds / messages, Telemetry.Tags(Attributes.Process, stream, group));
        }
        catch (Exception e)
        {
            StreamSpans.Report(e);
        }
    }

    private Activity? Start(in StreamMessage message, ActivityContext creation)
    {
        // Without the context of the consumer's own flow.
        Activity.Current = null;
        Activity? span = StreamSpans.Start(Attributes.Process, stream, group, creation);
        span?.SetTag(Attributes.StreamOffset, (long)message.Offset);
        return span;
    }
}
