using MassTransit;

namespace Wire.MassTransit.Envelopes;

/// <summary>The first payload of a body: everything that MassTransit says of a message.</summary>
/// <remarks>
/// The short names are in the schema of every body. Members may be added: a reader without them leaves them out, and one with them reads
/// null in older bodies. So all are nullable.
/// </remarks>
[WireName("Wire.MassTransit.Envelope")]
internal sealed class Envelope
{
    [WireName("i")]
    public Guid? MessageId { get; set; }

    [WireName("r")]
    public Guid? RequestId { get; set; }

    [WireName("c")]
    public Guid? CorrelationId { get; set; }

    [WireName("v")]
    public Guid? ConversationId { get; set; }

    [WireName("n")]
    public Guid? InitiatorId { get; set; }

    [WireName("s")]
    public string? SourceAddress { get; set; }

    [WireName("d")]
    public string? DestinationAddress { get; set; }

    [WireName("a")]
    public string? ResponseAddress { get; set; }

    [WireName("f")]
    public string? FaultAddress { get; set; }

    /// <summary>Gets or sets the names of the message's types, as <see cref="MessageUrn"/> makes them.</summary>
    [WireName("t")]
    public string[]? MessageTypes { get; set; }

    [WireName("e")]
    public DateTime? ExpirationTime { get; set; }

    [WireName("m")]
    public DateTime? SentTime { get; set; }

    [WireName("h")]
    public Dictionary<string, object?>? Headers { get; set; }

    [WireName("o")]
    public EnvelopeHost? Host { get; set; }

    /// <summary>Makes the envelope of a message that is being sent.</summary>
    public static Envelope For(SendContext context)
    {
        var envelope = new Envelope { SentTime = context.SentTime ?? DateTime.UtcNow, Host = EnvelopeHost.Own };
        envelope.Update(context);
        envelope.MessageTypes = context.SupportedMessageTypes;
        return envelope;
    }

    /// <summary>Makes the envelope of a message that a consumer makes while it has another.</summary>
    public static Envelope For(MessageContext context, string[] messageTypes) => new()
    {
        MessageId = context.MessageId,
        RequestId = context.RequestId,
        CorrelationId = context.CorrelationId,
        ConversationId = context.ConversationId,
        InitiatorId = context.InitiatorId,
        SourceAddress = context.SourceAddress?.ToString(),
        DestinationAddress = context.DestinationAddress?.ToString(),
        ResponseAddress = context.ResponseAddress?.ToString(),
        FaultAddress = context.FaultAddress?.ToString(),
        MessageTypes = messageTypes,
        ExpirationTime = context.ExpirationTime,
        SentTime = context.SentTime ?? DateTime.UtcNow,
        Headers = context.Headers.GetAll().ToDictionary(
            header => header.Key, header => (object?)header.Value, StringComparer.OrdinalIgnoreCase),
        Host = EnvelopeHost.Own,
    };

    /// <summary>Makes a copy for a message that is sent on, with what the context of that says.</summary>
    public Envelope SentOn(SendContext context)
    {
        var copy = (Envelope)MemberwiseClone();
        copy.Headers = Headers is null ? null : new Dictionary<string, object?>(Headers, StringComparer.OrdinalIgnoreCase);
        copy.Update(context);
        return copy;
    }

    /// <summary>Makes the names of headers regardless of case, whatever the writer had: the last one of several counts.</summary>
    public void Normalize()
    {
        if (Headers is null || Headers.Comparer == StringComparer.OrdinalIgnoreCase)
        {
            return;
        }

        var headers = new Dictionary<string, object?>(Headers.Count, StringComparer.OrdinalIgnoreCase);
        foreach ((string name, object? value) in Headers)
        {
            headers[name] = value;
        }

        Headers = headers;
    }

    private void Update(SendContext context)
    {
        MessageId = context.MessageId ?? MessageId;
        RequestId = context.RequestId ?? RequestId;
        CorrelationId = context.CorrelationId ?? CorrelationId;
        ConversationId = context.ConversationId ?? ConversationId;
        InitiatorId = context.InitiatorId ?? InitiatorId;
        SourceAddress = context.SourceAddress?.ToString() ?? SourceAddress;
        DestinationAddress = context.DestinationAddress?.ToString();
        ResponseAddress = context.ResponseAddress?.ToString() ?? ResponseAddress;
        FaultAddress = context.FaultAddress?.ToString() ?? FaultAddress;
        if (context.TimeToLive is { } timeToLive)
        {
            ExpirationTime = DateTime.UtcNow + (timeToLive > TimeSpan.Zero ? timeToLive : TimeSpan.FromSeconds(1));
        }

        foreach (KeyValuePair<string, object> header in context.Headers.GetAll())
        {
            Headers ??= new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase);
            Headers[header.Key] = header.Value;
        }
    }
}
