namespace Wire.Amqp.V10;

/// <summary>Annotations from one hop to the next about the delivery (part 3 section 3.2.2).</summary>
public struct DeliveryAnnotations : ISection<DeliveryAnnotations>
{
    /// <summary>The annotations. Keys are symbols: those that begin with <c>x-opt-</c> may be ignored when unknown.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.DeliveryAnnotations;

    static void ISection<DeliveryAnnotations>.Contents<TContents>(ref DeliveryAnnotations section, ref TContents contents) =>
        contents.Map(ref section.Map);
}

/// <summary>Annotations for all intermediaries about the message (part 3 section 3.2.3).</summary>
public struct MessageAnnotations : ISection<MessageAnnotations>
{
    /// <summary>The annotations. Keys are symbols: those that begin with <c>x-opt-</c> may be ignored when unknown.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.MessageAnnotations;

    static void ISection<MessageAnnotations>.Contents<TContents>(ref MessageAnnotations section, ref TContents contents) =>
        contents.Map(ref section.Map);
}

/// <summary>The application's own properties of the message, for filters and routing too (part 3 section 3.2.5).</summary>
public struct ApplicationProperties : ISection<ApplicationProperties>
{
    /// <summary>The properties. Keys are strings, and values are neither lists, maps nor arrays.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.ApplicationProperties;

    static void ISection<ApplicationProperties>.Contents<TContents>(ref ApplicationProperties section, ref TContents contents) =>
        contents.Map(ref section.Map);
}

/// <summary>Annotations that can only follow the body, such as its hashes and signatures (part 3 section 3.2.9).</summary>
public struct Footer : ISection<Footer>
{
    /// <summary>The annotations. Keys are symbols: those that begin with <c>x-opt-</c> may be ignored when unknown.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.Footer;

    static void ISection<Footer>.Contents<TContents>(ref Footer section, ref TContents contents) => contents.Map(ref section.Map);
}
