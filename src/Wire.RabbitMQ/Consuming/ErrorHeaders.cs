using RabbitMQ.Client;
using RabbitMQ.Client.Exceptions;
using Wire.RabbitMQ.Publishing;

namespace Wire.RabbitMQ.Consuming;

/// <summary>The properties of a message in an error queue: its own, and in headers why it is there.</summary>
internal static class ErrorHeaders
{
    private const string Prefix = "x-wire-error-";

    // The header of a message is one frame: much of it belongs to the message's own headers.
    private const int ShareOfFrame = 16;
    private const int LongestText = 8192;
    private const int Texts = 4;

    // For the names of the texts, and the context of a trace.
    private const int Reserve = 1024;

    /// <summary>Makes the properties of a copy.</summary>
    /// <param name="queue">The queue that the message came from.</param>
    /// <param name="delivery">The message.</param>
    /// <param name="failure">Why it cannot be handled.</param>
    /// <param name="frameMax">The largest frame of the connection; 0 for no limit.</param>
    public static BasicProperties Of(string queue, Delivery delivery, in Failure failure, uint frameMax)
    {
        var properties = new BasicProperties(delivery.Properties);
        Dictionary<string, object?> own = properties.Headers is null ? [] : new(properties.Headers);
        properties.Headers = own;
        SetAside(properties, own);
        var reasons = new Dictionary<string, object?>
        {
            [Prefix + "reason"] = failure.Reason,
            [Prefix + "queue"] = queue,
            [Prefix + "exchange"] = delivery.Exchange,
            [Prefix + "routing-key"] = delivery.RoutingKey,
            [Prefix + "attempts"] = failure.Attempts,
            [Prefix + "time"] = new AmqpTimestamp(DateTimeOffset.UtcNow.ToUnixTimeSeconds()),
        };
        foreach (string name in (ReadOnlySpan<string>)[.. reasons.Keys, Prefix + "exception", Prefix + "message", Prefix + "stack-trace"])
        {
            own.Remove(name);
        }

        int limit = HeaderFrame.Limit(frameMax);
        int room = limit - HeaderFrame.Size(new BasicProperties { Headers = reasons }) - Reserve;
        List<string> leftOut = LeaveOut(properties, own, room);
        foreach ((string name, object? value) in reasons)
        {
            own[name] = value;
        }

        int longest = Math.Min(Math.Min(LongestText, limit / ShareOfFrame), Math.Max(0, limit - HeaderFrame.Size(properties) - Reserve) / Texts);
        if (leftOut.Count > 0)
        {
            own[Prefix + "left-out"] = Cut(string.Join(", ", leftOut), longest);
        }

        own[Prefix + "exception"] = Cut(failure.Exception.GetType().FullName ?? "", longest);
        own[Prefix + "message"] = Cut(failure.Exception.Message, longest);
        own[Prefix + "stack-trace"] = Cut(failure.Exception.StackTrace ?? "", longest);
        return properties;
    }

    /// <summary>Takes out the message's own headers that cannot be written again, and then the largest ones until the others fit: the message itself is worth more.</summary>
    /// <returns>The names of those that were taken out.</returns>
    private static List<string> LeaveOut(BasicProperties properties, Dictionary<string, object?> headers, int room)
    {
        var leftOut = new List<string>();
        var sizes = new PriorityQueue<string, int>(headers.Count);
        foreach ((string name, object? value) in headers)
        {
            if (SizeOf(name, value) is { } size)
            {
                sizes.Enqueue(name, -size);
            }
            else
            {
                headers.Remove(name);
                leftOut.Add(name);
            }
        }

        while (HeaderFrame.Size(properties) > room && sizes.TryDequeue(out string? largest, out _))
        {
            headers.Remove(largest);
            leftOut.Add(largest);
        }

        return leftOut;
    }

    /// <summary>The size of a header; null when the client cannot write what it has read, such as a name that was no UTF-8 and has become longer than a name may be.</summary>
    private static int? SizeOf(string name, object? value)
    {
        IAmqpWriteable alone = new BasicProperties { Headers = new Dictionary<string, object?> { [name] = value } };
        try
        {
            int size = alone.GetRequiredBufferSize();
            return alone.WriteTo(new byte[size]);
        }
        catch (Exception e) when (e is ArgumentException or WireFormattingException)
        {
            return null;
        }
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

        // What was no UTF-8 has become longer when it was read, and may be longer now than such a text may be.
        properties.ContentType = Fitting("content-type", properties.ContentType);
        properties.ContentEncoding = Fitting("content-encoding", properties.ContentEncoding);
        properties.CorrelationId = Fitting("correlation-id", properties.CorrelationId);
        properties.ReplyTo = Fitting("reply-to", properties.ReplyTo);
        properties.MessageId = Fitting("message-id", properties.MessageId);
        properties.Type = Fitting("type", properties.Type);
        properties.AppId = Fitting("app-id", properties.AppId);
        properties.ClusterId = Fitting("cluster-id", properties.ClusterId);

        // The broker sends copies to the queues that these name, which may be the one that it came from.
        foreach (string name in (ReadOnlySpan<string>)["CC", "BCC"])
        {
            if (headers.Remove(name, out object? queues))
            {
                headers[Prefix + name.ToLowerInvariant()] = queues;
            }
        }

        string? Fitting(string name, string? text)
        {
            if (ShortText.Check(text, name) is null)
            {
                return text;
            }

            headers[Prefix + name] = text;
            return null;
        }
    }

    // In characters, of which each takes up to three bytes.
    private static string Cut(string text, int bytes) => text.Length * 3L <= bytes ? text : text[..(bytes / 3)];
}
