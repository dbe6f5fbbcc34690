using MassTransit;
using MassTransit.Metadata;
using MassTransit.Serialization;

namespace Wire.MassTransit.Envelopes;

/// <summary>An envelope as MassTransit looks at it.</summary>
internal sealed class EnvelopeContext(Envelope envelope, IObjectDeserializer deserializer) : MessageContext
{
    private HostInfo? _host;

    public Guid? MessageId => envelope.MessageId;

    public Guid? RequestId => envelope.RequestId;

    public Guid? CorrelationId => envelope.CorrelationId;

    public Guid? ConversationId => envelope.ConversationId;

    public Guid? InitiatorId => envelope.InitiatorId;

    public DateTime? ExpirationTime => envelope.ExpirationTime;

    public Uri? SourceAddress => ToUri(envelope.SourceAddress);

    public Uri? DestinationAddress => ToUri(envelope.DestinationAddress);

    public Uri? ResponseAddress => ToUri(envelope.ResponseAddress);

    public Uri? FaultAddress => ToUri(envelope.FaultAddress);

    public DateTime? SentTime => envelope.SentTime;

    public Headers Headers => envelope.Headers is { } headers
        ? new ReadOnlyDictionaryHeaders(deserializer, headers!)
        : EmptyHeaders.Instance;

    /// <summary>Gets the host as MassTransit's own class: consumers and routing slips put it into messages.</summary>
    public HostInfo Host => _host ??= envelope.Host?.ToBusHostInfo() ?? HostMetadataCache.Empty;

    private static Uri? ToUri(string? address) => string.IsNullOrWhiteSpace(address) ? null : new Uri(address);
}
