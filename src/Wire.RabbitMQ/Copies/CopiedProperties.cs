using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.RabbitMQ.Copies;

/// <summary>
/// The properties of a message for a copy in another queue: its own, but that those which would have an effect at the broker go into
/// headers. They refer to the message's, and are valid as long as these.
/// </summary>
internal sealed class CopiedProperties
{
    private const int LongestShortText = byte.MaxValue;

    private readonly FieldTableBuilder _table = new();
    private readonly string _prefix;
    private BasicProperties _properties;

    /// <summary>Copies properties.</summary>
    /// <param name="properties">Those of the message.</param>
    /// <param name="prefix">The beginning of the names of headers that a property is set aside in.</param>
    /// <param name="replaced">The names of headers that the copy does not take over.</param>
    public CopiedProperties(in BasicProperties properties, string prefix, string[] replaced)
    {
        _properties = properties;
        _prefix = prefix;
        foreach ((AmqpString name, FieldValue value) in properties.Headers)
        {
            if (!Array.Exists(replaced, each => name.Equals(each)))
            {
                Headers.Add((name, value));
            }
        }

        SetAside();
    }

    /// <summary>Gets the headers that are the message's own, and may be changed.</summary>
    public List<(AmqpString Name, FieldValue Value)> Headers { get; } = [];

    /// <summary>Returns the properties with headers. They are valid until the next ones are made.</summary>
    public BasicProperties With(params ReadOnlySpan<List<(AmqpString Name, FieldValue Value)>> headers)
    {
        BasicProperties properties = _properties;
        properties.Headers = TableOf(headers);
        return properties;
    }

    /// <summary>Returns the size that the properties have with headers, in a frame of their own.</summary>
    public int SizeWith(params ReadOnlySpan<List<(AmqpString Name, FieldValue Value)>> headers)
    {
        BasicProperties properties = With(headers);
        return FrameWriter.SizeOfContentHeader(in properties);
    }

    /// <summary>Returns the size of headers alone.</summary>
    public int SizeOf(params ReadOnlySpan<List<(AmqpString Name, FieldValue Value)>> headers)
    {
        BasicProperties properties = default;
        properties.Headers = TableOf(headers);
        return FrameWriter.SizeOfContentHeader(in properties);
    }

    private void SetAside()
    {
        // The copy would vanish from its queue.
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
        for (int i = 0; i < Headers.Count; i++)
        {
            string? aside = Headers[i].Name.Equals("CC") ? "cc" : Headers[i].Name.Equals("BCC") ? "bcc" : null;
            if (aside is not null)
            {
                Headers[i] = (_prefix + aside, Headers[i].Value);
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
            Headers.RemoveAll(header => header.Name.Equals(_prefix + name));
            Headers.Add((_prefix + name, text));
            text = default;
        }
    }

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
}
