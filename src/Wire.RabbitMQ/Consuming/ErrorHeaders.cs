using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;
using Wire.RabbitMQ.Copies;
using Wire.RabbitMQ.Delays;

namespace Wire.RabbitMQ.Consuming;

/// <summary>The properties of a message in an error queue: its own, and headers with the reason.</summary>
internal sealed class ErrorHeaders
{
    private const string Prefix = "x-wire-error-";

    // All properties must fit into one frame: most of it is for the message's own headers.
    private const int ShareOfFrame = 16;
    private const int LongestText = 8192;
    private const int Texts = 4;

    // The room for the names of the headers, and the trace context.
    private const int Reserve = 1024;

    // From an earlier error queue, and from delay queues: sent back, it begins anew.
    private static readonly string[] Replaced =
    [
        Prefix + "reason", Prefix + "queue", Prefix + "exchange", Prefix + "routing-key", Prefix + "attempts", Prefix + "time",
            Prefix + "left-out",
        Prefix + "exception", Prefix + "message", Prefix + "stack-trace",
        .. RetryState.Names,
    ];

    private readonly List<(AmqpString Name, FieldValue Value)> _reasons = [];
    private readonly CopiedProperties _copy;

    private ErrorHeaders(in BasicProperties properties) => _copy = new CopiedProperties(in properties, Prefix, Replaced);

    /// <summary>Makes the properties of a copy. They refer to the message's own, and are valid as long as these.</summary>
    /// <param name="queue">The queue that the message came from.</param>
    /// <param name="delivery">The message.</param>
    /// <param name="failure">The reason why it cannot be handled.</param>
    /// <param name="frameMax">The largest frame of the connection; 0 for no limit.</param>
    public static BasicProperties Create(string queue, IDelivery delivery, in Failure failure, int frameMax)
    {
        BasicProperties properties = delivery.Properties;
        return new ErrorHeaders(in properties).Make(queue, delivery, in failure, frameMax == 0 ? int.MaxValue : frameMax);
    }

    private BasicProperties Make(string queue, IDelivery delivery, in Failure failure, int limit)
    {
        if (delivery is ReturnedDelivery)
        {
            TakeOverFromDelays();
        }

        _reasons.Add((Prefix + "reason", failure.Reason));
        _reasons.Add((Prefix + "queue", queue));
        _reasons.Add((Prefix + "exchange", delivery.Exchange));
        _reasons.Add((Prefix + "routing-key", delivery.RoutingKey));
        _reasons.Add((Prefix + "attempts", failure.Attempts));
        _reasons.Add((Prefix + "time", new Timestamp(DateTimeOffset.UtcNow.ToUnixTimeSeconds())));

        List<string> leftOut = LeaveOut(limit - _copy.SizeOf(_reasons) - Reserve);
        int longest = Math.Min(
            Math.Min(LongestText, limit / ShareOfFrame), Math.Max(0, limit - _copy.SizeWith(_copy.Headers, _reasons) - Reserve) / Texts);
        if (leftOut.Count > 0)
        {
            _reasons.Add((Prefix + "left-out", Cut(string.Join(", ", leftOut), longest)));
        }

        // Of a decision, what it was made on.
        Exception thrown = failure.Exception is RejectedException { InnerException: { } cause } ? cause : failure.Exception;
        _reasons.Add((Prefix + "exception", Cut(thrown.GetType().FullName ?? "", longest)));
        _reasons.Add((Prefix + "message", Cut(failure.Exception.Message, longest)));
        _reasons.Add((Prefix + "stack-trace", Cut(thrown.StackTrace ?? "", longest)));
        return _copy.With(_copy.Headers, _reasons);
    }

    // Properties that were set aside when it was put into a delay queue.
    private void TakeOverFromDelays()
    {
        List<(AmqpString Name, FieldValue Value)> headers = _copy.Headers;
        (string Name, FieldValue Value)[] aside =
        [
            .. headers.Select(header => (Name: header.Name.ToString(), header.Value))
                .Where(header => header.Name.StartsWith(RetryState.Prefix, StringComparison.Ordinal)),
        ];
        foreach ((string name, FieldValue value) in aside)
        {
            string own = Prefix + name[RetryState.Prefix.Length..];
            headers.RemoveAll(header => header.Name.Equals(name) || header.Name.Equals(own));
            headers.Add((own, value));
        }
    }

    /// <summary>Removes the message's largest headers until the others fit: the message itself is worth more.</summary>
    /// <returns>The names of those that were taken out.</returns>
    private List<string> LeaveOut(int room)
    {
        List<(AmqpString Name, FieldValue Value)> own = _copy.Headers;
        var leftOut = new List<string>();
        var sizes = new PriorityQueue<(AmqpString Name, FieldValue Value), int>(own.Count);
        foreach ((AmqpString Name, FieldValue Value) header in own)
        {
            sizes.Enqueue(header, -_copy.SizeOf([header]));
        }

        while (_copy.SizeWith(own) > room && sizes.TryDequeue(out (AmqpString Name, FieldValue Value) largest, out _))
        {
            own.Remove(largest);
            leftOut.Add(largest.Name.ToString());
        }

        return leftOut;
    }

    // In characters, of which each takes up to three bytes.
    private static string Cut(string text, int bytes) => text.Length * 3L <= bytes ? text : text[..(bytes / 3)];
}
