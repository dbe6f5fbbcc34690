namespace Wire.Amqp.V10;

/// <summary>What one hop tells the next about the delivery (part 3 section 3.2.2).</summary>
public struct DeliveryAnnotations : ISection<DeliveryAnnotations>
{
    /// <summary>The annotations. Keys are symbols: those that begin with <c>x-opt-</c> may be ignored by who does not know them.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.DeliveryAnnotations;

    static void ISection<DeliveryAnnotations>.Contents<TContents>(ref DeliveryAnnotations section, ref TContents contents) =>
        contents.Map(ref section.Map);
}

/// <summary>What intermediaries are told about the message, all the way (part 3 section 3.2.3).</summary>
public struct MessageAnnotations : ISection<MessageAnnotations>
{
    /// <summary>The annotations. Keys are symbols: those that begin with <c>x-opt-</c> may be ignored by who does not know them.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.MessageAnnotations;

    static void ISection<MessageAnnotations>.Contents<TContents>(ref MessageAnnotations section, ref TContents contents) =>
        contents.Map(ref section.Map);
}

/// <summary>What the application says about the message, for filters and routing too (part 3 section 3.2.5).</summary>
public struct ApplicationProperties : ISection<ApplicationProperties>
{
    /// <summary>The properties. Keys are strings, and values are neither lists, maps nor arrays.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.ApplicationProperties;

    static void ISection<ApplicationProperties>.Contents<TContents>(ref ApplicationProperties section, ref TContents contents) =>
        contents.Map(ref section.Map);
}

/// <summary>What can be said only behind the body, such as hashes and signatures of it (part 3 section 3.2.9).</summary>
public struct Footer : ISection<Footer>
{
    /// <summary>The annotations. Keys are symbols: those that begin with <c>x-opt-</c> may be ignored by who does not know them.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.Footer;

    static void ISection<Footer>.Contents<TContents>(ref Footer section, ref TContents contents) => contents.Map(ref section.Map);
}
