namespace Wire.Amqp.V10;

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
