namespace Wire.Amqp.V10;

/// <summary>What one hop tells the next about the delivery (part 3 section 3.2.2).</summary>
public struct DeliveryAnnotations : ISection<DeliveryAnnotations>
{
    /// <summary>The annotations. Keys are symbols: those that begin with <c>x-opt-</c> may be ignored by who does not know them.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.DeliveryAnnotations;

    static void ISection<DeliveryAnnotations>.Contents<TContents>(ref DeliveryAnnotations section, ref TContents contents) => contents.Map(ref section.Map);
}
