namespace Wire.Amqp.V10;

/// <summary>A body, or part of it, that is a list of values: amqp-sequence (part 3 section 3.2.7). There may be several.</summary>
public struct SequenceSection : ISection<SequenceSection>
{
    /// <summary>The values.</summary>
    public AmqpList List;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.Sequence;

    static void ISection<SequenceSection>.Contents<TContents>(ref SequenceSection section, ref TContents contents) => contents.List(ref section.List);
}
