using System.Buffers;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>A body, or part of it, that is any bytes: data (part 3 section 3.2.6). There may be several.</summary>
public struct DataSection : ISection<DataSection>
{
    /// <summary>The bytes. Of a section that was read, a view of the input.</summary>
    public ReadOnlySequence<byte> Bytes;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.Data;

    static void ISection<DataSection>.Contents<TContents>(ref DataSection section, ref TContents contents) =>
        contents.Binary(ref section.Bytes);

    // A section whose length is not known when it begins: this prefix, with the length filled in at its slot when the bytes have been
    // written.
    internal static ReadOnlySpan<byte> Prefix =>
        [Constructor.Described, Constructor.SmallULong, (byte)SectionKind.Data, Constructor.Binary32, 0, 0, 0, 0];

    /// <summary>The position of the length in <see cref="Prefix"/>, a uint: the number of bytes that follow the prefix.</summary>
    internal const int LengthSlot = 4;
}

/// <summary>A body, or part of it, that is a list of values: amqp-sequence (part 3 section 3.2.7). There may be several.</summary>
public struct SequenceSection : ISection<SequenceSection>
{
    /// <summary>The values.</summary>
    public AmqpList List;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.Sequence;

    static void ISection<SequenceSection>.Contents<TContents>(ref SequenceSection section, ref TContents contents) =>
        contents.List(ref section.List);
}

/// <summary>A body that is one value: amqp-value (part 3 section 3.2.8).</summary>
public struct ValueSection : ISection<ValueSection>
{
    /// <summary>The value.</summary>
    public AmqpValue Value;

    /// <inheritdoc/>
    public static SectionKind Kind => SectionKind.Value;

    static void ISection<ValueSection>.Contents<TContents>(ref ValueSection section, ref TContents contents) =>
        contents.Value(ref section.Value);
}
