namespace Wire.Amqp.V10;

/// <summary>What the application says about the message, for filters and routing too (part 3 section 3.2.5).</summary>
public struct ApplicationProperties : ISection<ApplicationProperties>
{
    /// <summary>The properties. Keys are strings, and values are neither lists, maps nor arrays.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.ApplicationProperties;

    /// <inheritdoc/>
    public static void Contents<TContents>(ref ApplicationProperties section, ref TContents contents)
        where TContents : struct, IContents, allows ref struct => contents.Map(ref section.Map);
}
