using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>The same as <see cref="Crc32Folding"/> with vectors of 512 bits, where the processor multiplies these.</summary>
internal static class Crc32Wide
{
    private const int Lanes = 4;

    // What moves each quarter of a vector on by the bits of so many others, as there.
    private static readonly Vector512<ulong> OverLanes = Quarters(0x11542778aul, 0x1322d1430ul);
    private static readonly Vector512<ulong> OverOne = Quarters(0x154442bd4ul, 0x1c6e41596ul);

    /// <summary>Gets whether the processor can.</summary>
    public static bool IsSupported => Pclmulqdq.V512.IsSupported && Vector512.IsHardwareAccelerated;

    /// <summary>Gets the least number of vectors of 128 bits to fold.</summary>
    public static int Least => Lanes * 4;

    /// <summary>Folds the state and as many vectors as there are groups of, and leaves the others.</summary>
    /// <returns>A vector with the same remainder, at the place of the last of them.</returns>
    public static Vector128<ulong> Fold(uint crc, ref ReadOnlySpan<Vector128<ulong>> vectors)
    {
        ReadOnlySpan<Vector512<ulong>> wide = MemoryMarshal.Cast<Vector128<ulong>, Vector512<ulong>>(vectors);
        wide = wide[..(wide.Length - (wide.Length % Lanes))];
        vectors = vectors[(wide.Length * 4)..];
        Vector512<ulong> far = OverLanes;
        Vector512<ulong> v0 = wide[0] ^ Vector512.CreateScalar((ulong)crc);
        Vector512<ulong> v1 = wide[1];
        Vector512<ulong> v2 = wide[2];
        Vector512<ulong> v3 = wide[3];
        for (wide = wide[Lanes..]; wide.Length >= Lanes; wide = wide[Lanes..])
        {
            v0 = Move(v0, far) ^ wide[0];
            v1 = Move(v1, far) ^ wide[1];
            v2 = Move(v2, far) ^ wide[2];
            v3 = Move(v3, far) ^ wide[3];
        }

        Vector512<ulong> near = OverOne;
        Vector512<ulong> sum = Move(v0, near) ^ v1;
        sum = Move(sum, near) ^ v2;
        sum = Move(sum, near) ^ v3;
        Vector128<ulong> one = Crc32Folding.MoveOne(sum.GetLower().GetLower()) ^ sum.GetLower().GetUpper();
        one = Crc32Folding.MoveOne(one) ^ sum.GetUpper().GetLower();
        return Crc32Folding.MoveOne(one) ^ sum.GetUpper().GetUpper();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector512<ulong> Move(Vector512<ulong> vector, Vector512<ulong> by) =>
        Pclmulqdq.V512.CarrylessMultiply(vector, by, 0x00) ^ Pclmulqdq.V512.CarrylessMultiply(vector, by, 0x11);

    private static Vector512<ulong> Quarters(ulong first, ulong second) =>
        Vector512.Create(first, second, first, second, first, second, first, second);
}
