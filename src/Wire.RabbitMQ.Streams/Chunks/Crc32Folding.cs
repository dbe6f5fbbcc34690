using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Wire.RabbitMQ.Streams.Chunks;

/// <summary>
/// CRC-32 by multiplication without carry: 128 bits are moved on by any number of bits with two multiplications, which leave something of
/// the same remainder (Gopal et al., Fast CRC Computation for Generic Polynomials Using PCLMULQDQ, Intel 2009).
/// </summary>
internal static class Crc32Folding
{
    // So many vectors at once, since each multiplication takes several cycles and one can begin in each.
    private const int Lanes = 8;
    private const int LanesSize = Lanes * 16;

    // What moves a vector on by the bits of so many others: the remainders of x^(bits + 32), for its first half, and of x^(bits - 32), for
    // the second one, with their bits in the order of the bytes, and one place up.
    private static readonly Vector128<ulong> OverLanes = Vector128.Create(0x1e88ef372ul, 0x14a7fe880ul);
    private static readonly Vector128<ulong> OverOne = Vector128.Create(0x1751997d0ul, 0x0ccaa009eul);

    /// <summary>Gets whether the processor can.</summary>
    public static bool IsSupported => Pclmulqdq.IsSupported;

    /// <summary>Takes bytes into the state.</summary>
    public static uint Update(uint crc, ReadOnlySpan<byte> bytes) => Update(crc, bytes, isWide: Crc32Wide.IsSupported);

    /// <summary>Takes bytes into the state, by vectors of 512 bits or without them.</summary>
    internal static uint Update(uint crc, ReadOnlySpan<byte> bytes, bool isWide)
    {
        if (bytes.Length < LanesSize)
        {
            return Crc32Tables.Update(crc, bytes);
        }

        ReadOnlySpan<Vector128<ulong>> vectors = MemoryMarshal.Cast<byte, Vector128<ulong>>(bytes);
        ReadOnlySpan<byte> rest = bytes[(vectors.Length * Vector128<byte>.Count)..];
        Vector128<ulong> sum = Fold(crc, vectors, isWide);

        // The remaining bytes have the same remainder as the whole: the tables compute it.
        ReadOnlySpan<byte> folded = MemoryMarshal.AsBytes(new ReadOnlySpan<Vector128<ulong>>(in sum));
        return Crc32Tables.Update(Crc32Tables.Update(0, folded), rest);
    }

    /// <summary>Moves a vector on by its own bits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector128<ulong> MoveOne(Vector128<ulong> vector) => Move(vector, OverOne);

    private static Vector128<ulong> Fold(uint crc, ReadOnlySpan<Vector128<ulong>> vectors, bool isWide)
    {
        Vector128<ulong> sum = isWide && vectors.Length >= Crc32Wide.Least
            ? Crc32Wide.Fold(crc, ref vectors)
            : FoldLanes(crc, ref vectors);
        Vector128<ulong> near = OverOne;
        foreach (Vector128<ulong> vector in vectors)
        {
            sum = Move(sum, near) ^ vector;
        }

        return sum;
    }

    // As many as there are groups of, and leaves the others.
    private static Vector128<ulong> FoldLanes(uint crc, ref ReadOnlySpan<Vector128<ulong>> vectors)
    {
        Vector128<ulong> far = OverLanes;
        Vector128<ulong> v0 = vectors[0] ^ Vector128.CreateScalar((ulong)crc);
        Vector128<ulong> v1 = vectors[1];
        Vector128<ulong> v2 = vectors[2];
        Vector128<ulong> v3 = vectors[3];
        Vector128<ulong> v4 = vectors[4];
        Vector128<ulong> v5 = vectors[5];
        Vector128<ulong> v6 = vectors[6];
        Vector128<ulong> v7 = vectors[7];
        for (vectors = vectors[Lanes..]; vectors.Length >= Lanes; vectors = vectors[Lanes..])
        {
            v0 = Move(v0, far) ^ vectors[0];
            v1 = Move(v1, far) ^ vectors[1];
            v2 = Move(v2, far) ^ vectors[2];
            v3 = Move(v3, far) ^ vectors[3];
            v4 = Move(v4, far) ^ vectors[4];
            v5 = Move(v5, far) ^ vectors[5];
            v6 = Move(v6, far) ^ vectors[6];
            v7 = Move(v7, far) ^ vectors[7];
        }

        Vector128<ulong> near = OverOne;
        Vector128<ulong> sum = Move(v0, near) ^ v1;
        sum = Move(sum, near) ^ v2;
        sum = Move(sum, near) ^ v3;
        sum = Move(sum, near) ^ v4;
        sum = Move(sum, near) ^ v5;
        sum = Move(sum, near) ^ v6;
        return Move(sum, near) ^ v7;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector128<ulong> Move(Vector128<ulong> vector, Vector128<ulong> by) =>
        Pclmulqdq.CarrylessMultiply(vector, by, 0x00) ^ Pclmulqdq.CarrylessMultiply(vector, by, 0x11);
}
