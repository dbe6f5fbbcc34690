using System.Text;
using Wire.Amqp;
using Wire.Amqp.V091;

namespace Wire.Tool.ErrorQueues;

/// <summary>A message of an error queue as it was before it failed, and where it came from.</summary>
internal sealed class OriginalMessage
{
    private const int LongestShortText = byte.MaxValue;
    private static readonly string[] OfBroker = ["x-delivery-count", "x-acquired-count"];
    private static readonly string[] OfDeadLetter = ["x-first-death-", "x-last-death-"];

    private readonly Dictionary<string, FieldValue> _aside = [];
    private readonly FieldTableBuilder _headers = new();
    private BasicProperties _properties;

    private OriginalMessage(in BasicProperties properties, string exchange, string routingKey)
    {
        _properties = properties;
        Exchange = exchange;
        RoutingKey = routingKey;
    }

    /// <summary>Gets the exchange that it is sent to.</summary>
    public string Exchange { get; }

    /// <summary>Gets the routing key that it is sent with.</summary>
    public string RoutingKey { get; }

    /// <summary>Gets whether no message can be sent there, because a name is longer than names can be.</summary>
    public bool IsForNowhere =>
        Encoding.UTF8.GetByteCount(Exchange) > LongestShortText || Encoding.UTF8.GetByteCount(RoutingKey) > LongestShortText;

    /// <summary>Gets its properties, which are valid as long as those of the copy.</summary>
    public BasicProperties Properties => _properties;

    /// <summary>Makes the message.</summary>
    /// <param name="properties">The properties of the copy in the error queue.</param>
    /// <param name="facts">What they say of the failure, without an obstacle.</param>
    /// <param name="isToExchange">Whether it goes to its exchange, and not only to the queue in which it failed.</param>
    /// <param name="user">The user of the connection.</param>
    public static OriginalMessage Create(in BasicProperties properties, ErrorFacts facts, bool isToExchange, string user)
    {
        var message = isToExchange
            ? new OriginalMessage(in properties, facts.Exchange ?? "", facts.RoutingKey ?? facts.Queue!)
            : new OriginalMessage(in properties, "", facts.Queue!);
        message.TakeHeaders(facts, isToExchange);
        message.PutBack(facts, user);
        return message;
    }

    private void TakeHeaders(ErrorFacts facts, bool isToExchange)
    {
        foreach ((AmqpString name, FieldValue value) in _properties.Headers)
        {
            string text = name.ToString();
            if (text.StartsWith(ErrorFacts.Prefix, StringComparison.Ordinal))
            {
                _aside[text[ErrorFacts.Prefix.Length..]] = value;
            }
            else if (IsOwn(text, facts, isToExchange))
            {
                _headers.Add(name, value);
            }
        }

        // These name further queues, which have had the message.
        if (isToExchange)
        {
            Restore("CC", "cc");
            Restore("BCC", "bcc");
        }

        FieldTable headers = _headers.Table;
        _properties.Headers = headers.IsEmpty ? default : headers;

        void Restore(string name, string aside)
        {
            if (_aside.TryGetValue(aside, out FieldValue value))
            {
                _headers.Add(name, value);
            }
        }
    }

    private static bool IsOwn(string name, ErrorFacts facts, bool isToExchange) => !Array.Exists(OfBroker, name.Equals)
        && !(facts.IsDeadLetter
            && (name == ErrorFacts.Deaths || Array.Exists(OfDeadLetter, prefix => name.StartsWith(prefix, StringComparison.Ordinal))))
        && (isToExchange || name is not ("CC" or "BCC"));

    // What the consumer had set aside, since it has effects at the broker or did not fit.
    private void PutBack(ErrorFacts facts, string user)
    {
        PutBack("expiration", ref _properties.Expiration);
        PutBack("content-type", ref _properties.ContentType);
        PutBack("content-encoding", ref _properties.ContentEncoding);
        PutBack("correlation-id", ref _properties.CorrelationId);
        PutBack("reply-to", ref _properties.ReplyTo);
        PutBack("message-id", ref _properties.MessageId);
        PutBack("type", ref _properties.Type);
        PutBack("app-id", ref _properties.AppId);
        PutBack("cluster-id", ref _properties.ClusterId);
        PutBack("user-id", ref _properties.UserId);
        if (facts.Expiration is { } expiration)
        {
            _properties.Expiration = expiration;
        }

        // The broker closes the channel over another user's.
        if (!_properties.UserId.Equals(user))
        {
            _properties.UserId = default;
        }
    }

    private void PutBack(string name, ref AmqpString property)
    {
        if (_aside.TryGetValue(name, out FieldValue value) && value.Type == FieldType.String
            && value.AsString() is { ByteCount: <= LongestShortText } text)
        {
            property = text;
        }
    }
}
