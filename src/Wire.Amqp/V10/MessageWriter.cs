using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Amqp.Errors;
using Wire.Amqp.V10.Sections;
using Wire.Amqp.V10.Values;

namespace Wire.Amqp.V10;

/// <summary>
/// Writes the sections of a message, one after the other; their order is that of <see cref="SectionKind"/>. Thread-safe: there is no state.
/// </summary>
public static class MessageWriter
{
    /// <summary>Returns the number of bytes that a section takes.</summary>
    /// <exception cref="ArgumentException">A field has a value that it cannot have.</exception>
    public static int SizeOf<TSection>(in TSection section)
        where TSection : struct, ISection<TSection> => Measure(section).Size + Sizes.Descriptor;

    /// <summary>Writes a section into memory of the output, which is asked for once and in the right size.</summary>
    /// <returns>How many bytes were written.</returns>
    /// <exception cref="ArgumentException">A field has a value that it cannot have. Nothing has been written.</exception>
    /// <exception cref="InvalidOperationException">The section has changed in the meantime. Nothing has been written.</exception>
    public static int Write<TSection>(IBufferWriter<byte> output, in TSection section)
        where TSection : struct, ISection<TSection>
    {
        ArgumentNullException.ThrowIfNull(output);
        SizeContents measured = Measure(section);
        int size = measured.Size + Sizes.Descriptor;
        Write(output.GetSpan(size)[..size], section, measured);
        output.Advance(size);
        return size;
    }

    /// <summary>Writes a section to the beginning of a span.</summary>
    /// <returns>How many bytes were written.</returns>
    /// <exception cref="ArgumentException">
    /// The span is shorter than <see cref="SizeOf"/>, or a field has a value that it cannot have.
    /// </exception>
    /// <exception cref="InvalidOperationException">The section has changed in the meantime.</exception>
    public static int Write<TSection>(Span<byte> destination, in TSection section)
        where TSection : struct, ISection<TSection>
    {
        SizeContents measured = Measure(section);
        int size = measured.Size + Sizes.Descriptor;
        if (size > destination.Length)
        {
            ThrowHelper.DestinationTooSmall(size, destination.Length);
        }

        Write(destination[..size], section, measured);
        return size;
    }

    private static SizeContents Measure<TSection>(in TSection section)
        where TSection : struct, ISection<TSection>
    {
        var sizes = default(SizeContents);
        TSection.Contents(ref Unsafe.AsRef(in section), ref sizes);
        return sizes;
    }

    private static void Write<TSection>(Span<byte> exact, in TSection section, in SizeContents measured)
        where TSection : struct, ISection<TSection>
    {
        var writer = new AmqpWriter(exact);
        writer.Write((ushort)((Constructor.Described << 8) | Constructor.SmallULong));
        writer.Write((byte)TSection.Kind);
        var contents = new WriteContents(writer, measured.Measured);
        TSection.Contents(ref Unsafe.AsRef(in section), ref contents);
        int written = contents.Writer.Written;
        if (written != exact.Length)
        {
            throw new InvalidOperationException(
                $"The {TSection.Kind} section took {written} bytes where {exact.Length} were measured: it was changed while it was " +
                "written.");
        }
    }
}
