
namespace Wire.Amqp.V10;

/// <summary>The message's properties, which no intermediary changes (part 3 section 3.2.4). All fields may be left out.</summary>
public struct Properties : ISection<Properties>, IFieldList<Properties>
{
    /// <summary>The id of the message: a ulong, uuid, binary or string; the null value for none.</summary>
    public AmqpValue MessageId;

    /// <summary>The user who created the message, as known to intermediaries.</summary>
    public ReadOnlyMemory<byte>? UserId;

    /// <summary>The address of the node that it is for.</summary>
    public AmqpString To;

    /// <summary>The subject of the message.</summary>
    public AmqpString Subject;

    /// <summary>The address of the node for answers.</summary>
    public AmqpString ReplyTo;

    /// <summary>Which message it belongs to: a ulong, uuid, binary or string; the null value for none.</summary>
    public AmqpValue CorrelationId;

    /// <summary>The media type of the data sections.</summary>
    public AmqpSymbol ContentType;

    /// <summary>The additional encoding of the data sections, such as a compression.</summary>
    public AmqpSymbol ContentEncoding;

    /// <summary>The time at which the message expires.</summary>
    public Timestamp? AbsoluteExpiryTime;

    /// <summary>The time at which it was created.</summary>
    public Timestamp? CreationTime;

    /// <summary>The group that it is one of.</summary>
    public AmqpString GroupId;

    /// <summary>Its place in the group, which wraps around.</summary>
    public uint? GroupSequence;

    /// <summary>The group for answers.</summary>
    public AmqpString ReplyToGroupId;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.Properties;

    static void ISection<Properties>.Contents<TContents>(ref Properties section, ref TContents contents) => contents.Fields(ref section);

    static void IFieldList<Properties>.Fields<TFields>(ref Properties self, ref TFields fields)
    {
        fields.MessageId(ref self.MessageId);
        fields.Binary(ref self.UserId);
        fields.String(ref self.To);
        fields.String(ref self.Subject);
        fields.String(ref self.ReplyTo);
        fields.MessageId(ref self.CorrelationId);
        fields.Symbol(ref self.ContentType);
        fields.Symbol(ref self.ContentEncoding);
        fields.Timestamp(ref self.AbsoluteExpiryTime);
        fields.Timestamp(ref self.CreationTime);
        fields.String(ref self.GroupId);
        fields.UInt(ref self.GroupSequence);
        fields.String(ref self.ReplyToGroupId);
    }
}
