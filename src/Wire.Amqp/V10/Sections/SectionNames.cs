namespace Wire.Amqp.V10.Sections;

/// <summary>The symbolic descriptors of the sections, which are rarely used.</summary>
internal static class SectionNames
{
    private static readonly (string Name, SectionKind Kind)[] All =
    [
        ("amqp:header:list", SectionKind.Header),
        ("amqp:delivery-annotations:map", SectionKind.DeliveryAnnotations),
        ("amqp:message-annotations:map", SectionKind.MessageAnnotations),
        ("amqp:properties:list", SectionKind.Properties),
        ("amqp:application-properties:map", SectionKind.ApplicationProperties),
        ("amqp:data:binary", SectionKind.Data),
        ("amqp:amqp-sequence:list", SectionKind.Sequence),
        ("amqp:amqp-value:*", SectionKind.Value),
        ("amqp:footer:map", SectionKind.Footer),
    ];

    /// <summary>The section with a name; <see cref="SectionKind.Unknown"/> if there is none.</summary>
    public static SectionKind Find(AmqpString name)
    {
        foreach ((string known, SectionKind kind) in All)
        {
            if (name.Equals(known))
            {
                return kind;
            }
        }

        return SectionKind.Unknown;
    }
}
