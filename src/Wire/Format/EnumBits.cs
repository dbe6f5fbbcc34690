using System.Collections.Immutable;
using System.Numerics;

namespace Wire.Format;

/// <summary>The names of the bits of an enum's value. A schema does not say whether an enum has flags: its values do.</summary>
internal static class EnumBits
{
    // Numbers in a row look like flags as long as there are no more of them.
    private const int FewInRow = 2;

    /// <summary>Gets the names of a value: its own, or those of its bits; none where it has neither.</summary>
    /// <param name="shape">The shape of the enum.</param>
    /// <param name="value">The bytes of the value.</param>
    public static ImmutableArray<string> NamesOf(Shape shape, ReadOnlySpan<byte> value) =>
        shape.NameOf(value) is { } name ? [name] : NamesOf(shape.Names, EnumMember.BitsOf(value));

    /// <summary>Gets the names of a value that has none itself: those of its bits; none where one of them has no name.</summary>
    /// <param name="names">The names of the enum, in the order of their bits.</param>
    /// <param name="bits">The bits of the value.</param>
    public static ImmutableArray<string> NamesOf(EnumMember[] names, ulong bits)
    {
        if (bits == 0 || !AreFlags(names))
        {
            return [];
        }

        var found = new List<string>();
        ulong left = bits;
        for (int i = names.Length - 1; i >= 0; i--)
        {
            // Of names with one value, the first.
            if (names[i].Bits != 0 && (left & names[i].Bits) == names[i].Bits && (i == 0 || names[i - 1].Bits != names[i].Bits))
            {
                left &= ~names[i].Bits;
                found.Add(names[i].Name);
            }
        }

        found.Reverse();
        return left == 0 ? [.. found] : [];
    }

    // Each value is one bit, or is made of bits that have names.
    private static bool AreFlags(EnumMember[] names)
    {
        ulong single = 0;
        ulong all = 0;
        ulong next = 1;
        int inRow = 0;
        foreach (EnumMember name in names)
        {
            single |= BitOperations.IsPow2(name.Bits) ? name.Bits : 0;
            all |= name.Bits;
            if (name.Bits == next)
            {
                next++;
                inRow++;
            }
        }

        return all == single && (inRow <= FewInRow || names[^1].Bits >= next);
    }
}
