namespace Wire.Amqp.V10;

/// <summary>What can be said only behind the body, such as hashes and signatures of it (part 3 section 3.2.9).</summary>
public struct Footer : ISection<Footer>
{
    /// <summary>The annotations. Keys are symbols: those that begin with <c>x-opt-</c> may be ignored by who does not know them.</summary>
    public AmqpMap Map;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.Footer;

    static void ISection<Footer>.Contents<TContents>(ref Footer section, ref TContents contents) => contents.Map(ref section.Map);
}
