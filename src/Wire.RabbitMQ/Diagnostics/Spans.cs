using System.Diagnostics;
using RabbitMQ.Client;

namespace Wire.RabbitMQ;

/// <summary>What all spans have in common.</summary>
internal static class Spans
{
    /// <summary>Ends a span on whatever thread, and leaves that thread's own span as it is.</summary>
    /// <returns>How long it took.</returns>
    public static TimeSpan Stop(Activity activity, string? error, string? message)
    {
        if (error is not null)
        {
            activity.SetTag(Attributes.ErrorType, error);
            activity.SetStatus(ActivityStatusCode.Error, message);
        }

        Activity? current = Activity.Current;
        activity.Dispose();
        if (!ReferenceEquals(Activity.Current, current))
        {
            Activity.Current = ReferenceEquals(current, activity) ? null : current;
        }

        return activity.Duration;
    }

    /// <summary>The broker; null where the program has disposed of the connection meanwhile.</summary>
    public static AmqpTcpEndpoint? Server(IConnection connection)
    {
        try
        {
            return connection.Endpoint;
        }
        catch (ObjectDisposedException)
        {
            return null;
        }
    }

    /// <summary>Names the broker.</summary>
    public static void SetServer(Activity activity, AmqpTcpEndpoint? server)
    {
        if (server is not null)
        {
            activity.SetTag(Attributes.ServerAddress, server.HostName);
            activity.SetTag(Attributes.ServerPort, server.Port);
        }
    }
}
