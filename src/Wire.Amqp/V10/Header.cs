namespace Wire.Amqp.V10;

/// <summary>Options for the delivery of a message (part 3 section 3.2.1). All fields may be left out.</summary>
public struct Header : ISection<Header>, IFieldList<Header>
{
    /// <summary>True if the message must survive a failure of its holder; unset means no.</summary>
    public bool? Durable;

    /// <summary>The higher, the sooner; not set means 4.</summary>
    public byte? Priority;

    /// <summary>The number of milliseconds for which the message is worth delivering; not set means for ever.</summary>
    public uint? Ttl;

    /// <summary>True if the message has not been acquired before; unset means that it may have been.</summary>
    public bool? FirstAcquirer;

    /// <summary>The number of attempts to deliver it that have failed before; not set means none.</summary>
    public uint? DeliveryCount;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.Header;

    static void ISection<Header>.Contents<TContents>(ref Header section, ref TContents contents) => contents.Fields(ref section);

    static void IFieldList<Header>.Fields<TFields>(ref Header self, ref TFields fields)
    {
        fields.Boolean(ref self.Durable);
        fields.UByte(ref self.Priority);
        fields.UInt(ref self.Ttl);
        fields.Boolean(ref self.FirstAcquirer);
        fields.UInt(ref self.DeliveryCount);
    }
}
