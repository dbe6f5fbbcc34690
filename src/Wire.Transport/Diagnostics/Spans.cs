using System.Diagnostics;

namespace Wire.Transport.Diagnostics;

/// <summary>The part common to all spans. A listener that throws costs its span, which the trace tells.</summary>
internal static class Spans
{
    /// <summary>Begins a span, which becomes the current one; null where no one wants it, or a listener has thrown.</summary>
    public static Activity? Start(
        ActivitySource source,
        string name,
        ActivityKind kind,
        ActivityContext parent,
        IEnumerable<KeyValuePair<string, object?>> tags,
        IEnumerable<ActivityLink>? links = null)
    {
        Activity? current = Activity.Current;
        try
        {
            return source.StartActivity(name, kind, parent, tags, links);
        }
        catch (Exception e)
        {
            Activity.Current = current;
            Report(source.Name, e);
            return null;
        }
    }

    /// <summary>Ends a span on any thread, without changing that thread's current span.</summary>
    /// <returns>The duration.</returns>
    public static TimeSpan Stop(Activity activity, string? error, string? message)
    {
        if (error is not null)
        {
            activity.SetTag(Attributes.ErrorType, error);
            activity.SetStatus(ActivityStatusCode.Error, message);
        }

        Activity? current = Activity.Current;
        try
        {
            activity.Dispose();
        }
        catch (Exception e)
        {
            Report(activity.Source.Name, e);
        }
        finally
        {
            Activity.Current = ReferenceEquals(current, activity) ? null : current;
        }

        return activity.Duration;
    }

    /// <summary>Adds the size of a body: as an int if it fits.</summary>
    public static void SetBodySize(Activity activity, long size) =>
        activity.SetTag(Attributes.BodySize, size <= int.MaxValue ? (object)(int)size : size);

    /// <summary>Names the broker.</summary>
    public static void SetServer(Activity activity, BrokerEndpoint? server)
    {
        if (server is not null)
        {
            activity.SetTag(Attributes.ServerAddress, server.Host);
            activity.SetTag(Attributes.ServerPort, server.Port);
        }
    }

    /// <summary>Writes to the trace that a listener has thrown.</summary>
    /// <param name="source">What it listens to.</param>
    /// <param name="error">What it has thrown.</param>
    public static void Report(string source, Exception error) => Trace.TraceError($"A listener to {source} has thrown: {error}");
}
