namespace Wire.Amqp.V10;

/// <summary>A body that is one value: amqp-value (part 3 section 3.2.8).</summary>
public struct ValueSection : ISection<ValueSection>
{
    /// <summary>The value.</summary>
    public AmqpValue Value;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.Value;

    static void ISection<ValueSection>.Contents<TContents>(ref ValueSection section, ref TContents contents) => contents.Value(ref section.Value);
}
