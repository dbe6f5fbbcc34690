using System.Buffers;
using System.Buffers.Binary;
using Wire.Errors;
using Wire.Format;

namespace Wire.AsyncSequences;

/// <summary>
/// The beginning of a payload with async sequences, in front of its value, which is a frame (docs/format.md, clause 17): a byte, and the
/// number of sequences.
/// </summary>
internal static class SequencesHeader
{
    public const int Size = 1 + sizeof(uint);

    public static void Write(IBufferWriter<byte> output, uint count)
    {
        Span<byte> bytes = output.GetSpan(Size);
        bytes[0] = PayloadHeader.AsyncSequences;
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[1..], count);
        output.Advance(Size);
    }

    /// <summary>Reads the number of sequences from the bytes behind the first.</summary>
    /// <exception cref="WireFormatException">There is no sequence.</exception>
    public static uint Read(ReadOnlySpan<byte> rest)
    {
        uint count = BinaryPrimitives.ReadUInt32LittleEndian(rest);
        if (count == 0)
        {
            ThrowHelper.Format(WireFormatError.Header, "The payload begins as one with async sequences, and has none of them.");
        }

        return count;
    }
}
