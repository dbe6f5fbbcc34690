namespace Wire.Amqp.V10;

/// <summary>Options for the delivery of a message (part 3 section 3.2.1). All fields may be left out.</summary>
public struct Header : ISection<Header>, IFieldList<Header>
{
    /// <summary>Says whether the message has to survive a failure of who holds it; not set means no.</summary>
    public bool? Durable;

    /// <summary>The higher, the sooner; not set means 4.</summary>
    public byte? Priority;

    /// <summary>The number of milliseconds for which the message is worth delivering; not set means for ever.</summary>
    public uint? Ttl;

    /// <summary>Says whether no one else has acquired the message before; not set means that someone may have.</summary>
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
