using Wire.Amqp.V10.Sections;

namespace Wire.Amqp.V10;

/// <summary>A section of a message: its kind and position. It is decoded on demand.</summary>
public readonly ref struct Section
{
    private readonly AmqpReader _reader;

    internal Section(SectionKind kind, AmqpValue descriptor, scoped in AmqpReader reader)
    {
        Kind = kind;
        Descriptor = descriptor;
        _reader = reader;
    }

    /// <summary>The kind of section, for either form of its descriptor.</summary>
    public SectionKind Kind { get; }

    /// <summary>The descriptor of a non-standard section; otherwise null.</summary>
    public AmqpValue Descriptor { get; }

    /// <summary>Gets the position of its value in the input, after the descriptor.</summary>
    public long Offset => _reader.Offset;

    /// <summary>
    /// Decodes the section into views of the input; values across segments are copied, except those of a <see cref="DataSection"/>.
    /// </summary>
    /// <typeparam name="TSection">The type of the section's <see cref="Kind"/>.</typeparam>
    /// <exception cref="InvalidOperationException">It is a section of another kind.</exception>
    /// <exception cref="AmqpFormatException">The bytes are not such a section.</exception>
    public TSection Read<TSection>()
        where TSection : struct, ISection<TSection>
    {
        if (TSection.Kind != Kind)
        {
            throw new InvalidOperationException($"This is not a {TSection.Kind} section, but one of the kind {Kind}.");
        }

        TSection section = default;
        var contents = new ReadContents(_reader);
        TSection.Contents(ref section, ref contents);
        return section;
    }

    /// <summary>Decodes the value of any section.</summary>
    /// <exception cref="AmqpFormatException">The bytes are not a valid value.</exception>
    public AmqpValue ReadValue()
    {
        AmqpReader reader = _reader;
        return reader.ReadValue();
    }
}

/// <summary>The sections of a message (part 3 section 3.2): the values are the numeric descriptors.</summary>
public enum SectionKind
{
    /// <summary>None of the standard: another descriptor, which <see cref="Section.Descriptor"/> names.</summary>
    Unknown,

    /// <summary><see cref="V10.Header"/></summary>
    Header = 0x70,

    /// <summary><see cref="V10.DeliveryAnnotations"/></summary>
    DeliveryAnnotations = 0x71,

    /// <summary><see cref="V10.MessageAnnotations"/></summary>
    MessageAnnotations = 0x72,

    /// <summary><see cref="V10.Properties"/></summary>
    Properties = 0x73,

    /// <summary><see cref="V10.ApplicationProperties"/></summary>
    ApplicationProperties = 0x74,

    /// <summary><see cref="DataSection"/></summary>
    Data = 0x75,

    /// <summary><see cref="SequenceSection"/></summary>
    Sequence = 0x76,

    /// <summary><see cref="ValueSection"/></summary>
    Value = 0x77,

    /// <summary><see cref="V10.Footer"/></summary>
    Footer = 0x78,
}
