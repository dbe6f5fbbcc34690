namespace Wire.Amqp.V10;

/// <summary>What the application says about the message, for filters and routing too (part 3 section 3.2.5).</summary>
public struct ApplicationProperties : ISection<ApplicationProperties>
{
    /// <summary>The properties. Keys are strings, and values are neither lists, maps nor arrays.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.ApplicationProperties;

    static void ISection<ApplicationProperties>.Contents<TContents>(ref ApplicationProperties section, ref TContents contents) => contents.Map(ref section.Map);
}
