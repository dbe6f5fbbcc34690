using System.Collections;
using System.Collections.Specialized;

namespace Wire.ValueSerializers.Scalars;

/// <summary>An Index: the number, or its complement when it counts from the end.</summary>
internal sealed class IndexConversion : IConversion<Index, int>
{
    public static int To(Index value) => value.IsFromEnd ? ~value.Value : value.Value;

    public static Index From(int written) => written < 0 ? Index.FromEnd(~written) : Index.FromStart(written);
}

/// <summary>A BitVector32: its 32 bits.</summary>
internal sealed class BitVector32Conversion : IConversion<BitVector32, int>
{
    public static int To(BitVector32 value) => value.Data;

    public static BitVector32 From(int written) => new(written);
}

/// <summary>A BitArray: how many bits, and the bytes that hold them, the first bit lowest.</summary>
internal sealed class BitArrayConversion : IConversion<BitArray, BitArrayConversion.Parts>
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
            : throw new FormatException($"{written.Bits.Length} bytes are not what {written.Count} bits take.");

    private static int BytesFor(int bits) => (int)(((long)bits + 7) / 8);

    internal readonly record struct Parts(int Count, ReadOnlyMemory<byte> Bits);
}
