using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Wire.Buffers;

/// <summary>
/// Copies the short byte strings that begin messages. In line: for some dozens of bytes a call costs as much as the copy.
/// </summary>
internal static class Blocks
{
    private const int Size = 32;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Copy(byte[] source, ref byte destination)
    {
        int length = source.Length;
        ref byte from = ref MemoryMarshal.GetArrayDataReference(source);
        if (length is < 32 or > 128)
        {
            Unsafe.CopyBlockUnaligned(ref destination, ref from, (uint)length);
            return;
        }

        // The last block overlaps the one before it, so that no tail remains.
        for (int i = 0; i < length - 32; i += 32)
        {
            Vector256.LoadUnsafe(ref from, (nuint)i).StoreUnsafe(ref destination, (nuint)i);
        }

        Vector256.LoadUnsafe(ref from, (nuint)length - 32).StoreUnsafe(ref destination, (nuint)length - 32);
    }

    /// <summary>Fills bytes up with zeros to whole blocks, for <see cref="CopyWhole"/>.</summary>
    public static byte[] Pad(byte[] bytes)
    {
        var padded = new byte[(bytes.Length + Size - 1) & -Size];
        bytes.CopyTo(padded, 0);
        return padded;
    }

    /// <summary>Copies whole blocks, at least one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void CopyWhole(byte[] blocks, ref byte destination)
    {
        ref byte from = ref MemoryMarshal.GetArrayDataReference(blocks);
        nuint i = 0;
        do
        {
            Vector256.LoadUnsafe(ref from, i).StoreUnsafe(ref destination, i);
            i += Size;
        }
        while (i < (nuint)blocks.Length);
    }
}
