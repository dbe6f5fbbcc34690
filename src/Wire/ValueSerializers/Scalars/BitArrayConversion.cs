using System.Collections;

namespace Wire.ValueSerializers.Scalars;

/// <summary>A BitArray: how many bits, and the bytes that hold them, the first bit lowest.</summary>
internal static class BitArrayConversion
{
    public static Parts To(BitArray value)
    {
        var bytes = new byte[BytesFor(value.Length)];
        value.CopyTo(bytes, 0);
        return new Parts(value.Length, bytes);
    }

    public static BitArray From(Parts written) =>
        written.Count >= 0 && written.Bits.Length == BytesFor(written.Count)
            ? new BitArray(written.Bits.ToArray()) { Length = written.Count }
            : throw new FormatException($"{written.Bits.Length} bytes do not match {written.Count} bits.");

    private static int BytesFor(int bits) => (int)(((long)bits + 7) / 8);

    internal readonly record struct Parts(int Count, ReadOnlyMemory<byte> Bits);
}
