using Wire.Amqp;
using Wire.Amqp.V091;
using Wire.RabbitMQ.Connections;

namespace Wire.RabbitMQ.Consuming;

/// <summary>The properties of a message in an error queue: its own, and headers with the reason.</summary>
internal sealed class ErrorHeaders
{
    private const string Prefix = "x-wire-error-";

    // All properties must fit into one frame: most of it is for the message's own headers.
    private const int ShareOfFrame = 16;
    private const int LongestText = 8192;
    private const int Texts = 4;
    private const int LongestShortText = byte.MaxValue;

    // The room for the names of the headers, and the trace context.
    private const int Reserve = 1024;

    // From an earlier error queue.
    private static readonly string[] Replaced =
    [
        Prefix + "reason", Prefix + "queue", Prefix + "exchange", Prefix + "routing-key", Prefix + "attempts", Prefix + "time",
            Prefix + "left-out",
        Prefix + "exception", Prefix + "message", Prefix + "stack-trace",
    ];

    private readonly FieldTableBuilder _table = new();
    private readonly List<(AmqpString Name, FieldValue Value)> _own = [];
    private readonly List<(AmqpString Name, FieldValue Value)> _reasons = [];
    private BasicProperties _properties;

    private ErrorHeaders(in BasicProperties properties) => _properties = properties;

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
        foreach ((AmqpString name, FieldValue value) in _properties.Headers)
        {
            if (!Array.Exists(Replaced, replaced => name.Equals(replaced)))
            {
                _own.Add((name, value));
            }
        }

        SetAside();
        _reasons.Add((Prefix + "reason", failure.Reason));
        _reasons.Add((Prefix + "queue", queue));
        _reasons.Add((Prefix + "exchange", delivery.Exchange));
        _reasons.Add((Prefix + "routing-key", delivery.RoutingKey));
        _reasons.Add((Prefix + "attempts", failure.Attempts));
        _reasons.Add((Prefix + "time", new Timestamp(DateTimeOffset.UtcNow.ToUnixTimeSeconds())));

        List<string> leftOut = LeaveOut(limit - SizeOf(default, _reasons) - Reserve);
        int longest = Math.Min(
            Math.Min(LongestText, limit / ShareOfFrame), Math.Max(0, limit - SizeOf(_properties, _own, _reasons) - Reserve) / Texts);
        if (leftOut.Count > 0)
        {
            _reasons.Add((Prefix + "left-out", Cut(string.Join(", ", leftOut), longest)));
        }

        _reasons.Add((Prefix + "exception", Cut(failure.Exception.GetType().FullName ?? "", longest)));
        _reasons.Add((Prefix + "message", Cut(failure.Exception.Message, longest)));
        _reasons.Add((Prefix + "stack-trace", Cut(failure.Exception.StackTrace ?? "", longest)));
        _properties.Headers = TableOf(_own, _reasons);
        return _properties;
    }

    // Properties that would have an effect at the broker go into headers.
    private void SetAside()
    {
        // The copy would vanish from the error queue.
        SetAside("expiration", ref _properties.Expiration);

        // The broker refuses a message in the name of another user than this connection's.
        SetAside("user-id", ref _properties.UserId);

        // Invalid UTF-8 grows when it is read, and may now exceed the limit of such a text.
        SetAsideWhereTooLong("content-type", ref _properties.ContentType);
        SetAsideWhereTooLong("content-encoding", ref _properties.ContentEncoding);
        SetAsideWhereTooLong("correlation-id", ref _properties.CorrelationId);
        SetAsideWhereTooLong("reply-to", ref _properties.ReplyTo);
        SetAsideWhereTooLong("message-id", ref _properties.MessageId);
        SetAsideWhereTooLong("type", ref _properties.Type);
        SetAsideWhereTooLong("app-id", ref _properties.AppId);
        SetAsideWhereTooLong("cluster-id", ref _properties.ClusterId);

        // The broker sends copies to the queues that these name, which may be the one that it came from.
        for (int i = 0; i < _own.Count; i++)
        {
            string? aside = _own[i].Name.Equals("CC") ? "cc" : _own[i].Name.Equals("BCC") ? "bcc" : null;
            if (aside is not null)
            {
                _own[i] = (Prefix + aside, _own[i].Value);
            }
        }
    }

    private void SetAsideWhereTooLong(string name, ref AmqpString text)
    {
        if (text.ByteCount > LongestShortText)
        {
            SetAside(name, ref text);
        }
    }

    private void SetAside(string name, ref AmqpString text)
    {
        if (!text.IsNull)
        {
            _own.RemoveAll(header => header.Name.Equals(Prefix + name));
            _own.Add((Prefix + name, text));
            text = default;
        }
    }

    /// <summary>Removes the message's largest headers until the others fit: the message itself is worth more.</summary>
    /// <returns>The names of those that were taken out.</returns>
    private List<string> LeaveOut(int room)
    {
        var leftOut = new List<string>();
        var sizes = new PriorityQueue<(AmqpString Name, FieldValue Value), int>(_own.Count);
        foreach ((AmqpString Name, FieldValue Value) header in _own)
        {
            sizes.Enqueue(header, -TableOf([header]).Encoded.Length);
        }

        while (SizeOf(_properties, _own) > room && sizes.TryDequeue(out (AmqpString Name, FieldValue Value) largest, out _))
        {
            _own.Remove(largest);
            leftOut.Add(largest.Name.ToString());
        }

        return leftOut;
    }

    private int SizeOf(BasicProperties properties, params ReadOnlySpan<List<(AmqpString Name, FieldValue Value)>> headers)
    {
        properties.Headers = TableOf(headers);
        return FrameWriter.SizeOfContentHeader(in properties);
    }

    // Valid until the next one is made.
    private FieldTable TableOf(params ReadOnlySpan<List<(AmqpString Name, FieldValue Value)>> headers)
    {
        _table.Clear();
        foreach (List<(AmqpString Name, FieldValue Value)> some in headers)
        {
            foreach ((AmqpString name, FieldValue value) in some)
            {
                _table.Add(name, value);
            }
        }

        return _table.Table;
    }

    // In characters, of which each takes up to three bytes.
    private static string Cut(string text, int bytes) => text.Length * 3L <= bytes ? text : text[..(bytes / 3)];
}
