namespace Wire.Amqp.V10;

/// <summary>What intermediaries are told about the message, all the way (part 3 section 3.2.3).</summary>
public struct MessageAnnotations : ISection<MessageAnnotations>
{
    /// <summary>The annotations. Keys are symbols: those that begin with <c>x-opt-</c> may be ignored by who does not know them.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.MessageAnnotations;

    static void ISection<MessageAnnotations>.Contents<TContents>(ref MessageAnnotations section, ref TContents contents) => contents.Map(ref section.Map);
}
