using System.Collections;
using Wire.Errors;

namespace Wire.ValueSerializers.Scalars;

/// <summary>A BitArray: how many bits, and the bytes that hold them, the first bit lowest.</summary>
internal static class BitArrayConversion
{
    public static Parts To(BitArray value) => Changes.Taken(value, bits =>
    {
        int count = bits.Length;
        var bytes = new byte[BytesFor(count)];
        bits.CopyTo(bytes, 0);
        Changes.Check<BitArray>(count, bits.Length);
        return new Parts(count, bytes);
    });

    public static BitArray From(Parts written) =>
        written.Count >= 0 && written.Bits.Length == BytesFor(written.Count)
            ? new BitArray(written.Bits.ToArray()) { Length = written.Count }
            : throw new FormatException($"{written.Bits.Length} bytes do not match {written.Count} bits.");

    private static int BytesFor(int bits) => (int)(((long)bits + 7) / 8);

    internal readonly record struct Parts(int Count, ReadOnlyMemory<byte> Bits);
}
