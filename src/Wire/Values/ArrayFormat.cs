using Wire.Errors;

namespace Wire.Values;

/// <summary>
/// An array of any rank and any lower bounds: the rank, a length and a lower bound per dimension, the elements in row-major order.
/// </summary>
internal static class ArrayFormat
{
    public const int MaxRank = 32;

    public readonly record struct Bounds(int[] Lengths, int[] LowerBounds, uint Count);

    public static void WriteBounds(ref WireWriter writer, Array array)
    {
        writer.WriteByte((byte)array.Rank);
        for (int i = 0; i < array.Rank; i++)
        {
            writer.WriteVarUInt32((uint)array.GetLength(i));
            writer.WriteFixed(array.GetLowerBound(i));
        }
    }

    /// <param name="reader">The reader.</param>
    /// <param name="elementSize">The least size of an element, in bytes.</param>
    /// <param name="memorySize">The number of bytes of memory that an element takes.</param>
    /// <param name="rank">The rank that is expected; null accepts any.</param>
    public static Bounds ReadBounds(ref WireReader reader, int elementSize, int memorySize, int? rank)
    {
        byte actual = reader.ReadByte();
        if (actual is 0 or > MaxRank || (rank is { } expected && actual != expected))
        {
            ThrowHelper.InvalidValue(
                "array",
                $"its rank is {actual} and should be {rank?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "1 to 32"}");
        }

        var lengths = new int[actual];
        var lowerBounds = new int[actual];
        var elements = new ElementCount();
        for (int i = 0; i < actual; i++)
        {
            uint length = reader.ReadVarUInt32();
            int lowerBound = reader.ReadFixed<int>();
            elements.Multiply(length, lowerBound);
            lengths[i] = (int)length;
            lowerBounds[i] = lowerBound;
        }

        reader.CheckCount(elements.Count, elementSize, memorySize, out _);
        return new Bounds(lengths, lowerBounds, (uint)elements.Count);
    }

    /// <summary>The number of elements of an array, which its dimensions multiply to.</summary>
    public struct ElementCount()
    {
        private long _nonZero = 1;

        /// <summary>Gets the number, which fits 32 bits.</summary>
        public long Count { get; private set; } = 1;

        /// <summary>Takes the next dimension.</summary>
        /// <exception cref="WireFormatException">No array has it, or so many elements.</exception>
        public void Multiply(uint length, int lowerBound)
        {
            if (length > int.MaxValue || lowerBound + (long)length - 1 > int.MaxValue)
            {
                ThrowHelper.InvalidValue("array", $"{length} elements from index {lowerBound} on exceed the range of an index");
            }

            // The product is kept below 2^32 at every step, so that it cannot overflow 64 bits at the next. The runtime multiplies the
            // other lengths even when one of them is 0.
            Count *= length;
            _nonZero *= Math.Max(1, length);
            if (Count > uint.MaxValue || _nonZero > Array.MaxLength)
            {
                ThrowHelper.InvalidValue("array", "its lengths multiply to more elements than an array can have");
            }
        }
    }
}
