using RabbitMQ.Client;

namespace Wire.RabbitMQ;

/// <summary>The properties of a message in an error queue: its own, and in headers why it is there.</summary>
internal static class ErrorHeaders
{
    private const string Prefix = "x-wire-error-";

    // The header of a message is one frame: much of it belongs to the message's own headers.
    private const int ShareOfFrame = 16;
    private const int LongestText = 8192;

    /// <summary>Makes the properties of a copy.</summary>
    /// <param name="queue">The queue that the message came from.</param>
    /// <param name="delivery">The message.</param>
    /// <param name="failure">Why it cannot be handled.</param>
    /// <param name="frameMax">The largest frame of the connection; 0 for no limit.</param>
    public static BasicProperties Of(string queue, Delivery delivery, in Failure failure, uint frameMax)
    {
        int longest = frameMax == 0 ? LongestText : (int)Math.Min(LongestText, frameMax / ShareOfFrame);
        var properties = new BasicProperties(delivery.Properties);
        Dictionary<string, object?> headers = properties.Headers is null ? [] : new(properties.Headers);
        properties.Headers = headers;
        headers[Prefix + "reason"] = failure.Reason;
        headers[Prefix + "exception"] = Cut(failure.Exception.GetType().FullName ?? "", longest);
        headers[Prefix + "message"] = Cut(failure.Exception.Message, longest);
        headers[Prefix + "stack-trace"] = Cut(failure.Exception.StackTrace ?? "", longest);
        headers[Prefix + "queue"] = queue;
        headers[Prefix + "exchange"] = delivery.Exchange;
        headers[Prefix + "routing-key"] = delivery.RoutingKey;
        headers[Prefix + "attempts"] = failure.Attempts;
        headers[Prefix + "time"] = new AmqpTimestamp(DateTimeOffset.UtcNow.ToUnixTimeSeconds());
        SetAside(properties, headers);
        return properties;
    }

    /// <summary>What would do something at the broker, and not only say something of the message, goes into a header.</summary>
    private static void SetAside(BasicProperties properties, Dictionary<string, object?> headers)
    {
        // The copy would vanish from the error queue.
        if (properties.Expiration is { } expiration)
        {
            headers[Prefix + "expiration"] = expiration;
            properties.Expiration = null;
        }

        // The broker refuses a message in the name of another user than this connection's.
        if (properties.UserId is { } user)
        {
            headers[Prefix + "user-id"] = user;
            properties.UserId = null;
        }

        // The broker sends copies to the queues that these name, which may be the one that it came from.
        foreach (string name in (ReadOnlySpan<string>)["CC", "BCC"])
        {
            if (headers.Remove(name, out object? queues))
            {
                headers[Prefix + name.ToLowerInvariant()] = queues;
            }
        }
    }

    // In characters, of which each takes up to three bytes.
    private static string Cut(string text, int bytes) => text.Length * 3L <= bytes ? text : text[..(bytes / 3)];
}
