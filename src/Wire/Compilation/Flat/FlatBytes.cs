using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Wire.Compilation.Emit;

namespace Wire.Compilation.Flat;

/// <summary>
/// Emits stores of constant bytes, and comparisons with them: in groups, of which the last one overlaps the one before it.
/// </summary>
internal static class FlatBytes
{
    private static readonly MethodInfo Store32 = ((Action32)Store).Method;
    private static readonly MethodInfo Store16 = ((Action16)Store).Method;
    private static readonly MethodInfo Compare32 = ((Func32)Compare).Method;
    private static readonly MethodInfo Compare16 = ((Func16)Compare).Method;

    private delegate void Action32(ref byte destination, ulong first, ulong second, ulong third, ulong fourth);

    private delegate void Action16(ref byte destination, ulong first, ulong second);

    private delegate bool Func32(ref byte source, ulong first, ulong second, ulong third, ulong fourth);

    private delegate bool Func16(ref byte source, ulong first, ulong second);

    /// <summary>Emits the store of the bytes.</summary>
    /// <param name="compiler">The method that is being emitted.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="load">Pushes the destination of the first of them.</param>
    public static void EmitStore(MethodCompiler<ObjectWriter> compiler, ReadOnlySpan<byte> bytes, Action load)
    {
        ILGenerator il = compiler.IL;
        foreach ((int at, int size) in Groups(bytes.Length))
        {
            LoadAt(il, load, at);
            PushGroup(il, bytes.Slice(at, size));
            switch (size)
            {
                case 32:
                    compiler.EmitCall(Store32);
                    break;
                case 16:
                    compiler.EmitCall(Store16);
                    break;
                default:
                    il.Emit(OpCodes.Unaligned, (byte)1);
                    il.Emit(size == 8 ? OpCodes.Stind_I8 : size == 4 ? OpCodes.Stind_I4 : size == 2 ? OpCodes.Stind_I2 : OpCodes.Stind_I1);
                    break;
            }
        }
    }

    /// <summary>Emits a jump that is taken unless there are these bytes.</summary>
    /// <param name="compiler">The method that is being emitted.</param>
    /// <param name="bytes">The bytes.</param>
    /// <param name="load">Pushes the place of the first of them.</param>
    /// <param name="otherwise">The destination of the jump.</param>
    public static void EmitCompare(MethodCompiler<ObjectReader> compiler, ReadOnlySpan<byte> bytes, Action load, Label otherwise)
    {
        ILGenerator il = compiler.IL;
        foreach ((int at, int size) in Groups(bytes.Length))
        {
            LoadAt(il, load, at);
            if (size >= 16)
            {
                PushGroup(il, bytes.Slice(at, size));
                compiler.EmitCall(size == 32 ? Compare32 : Compare16);
                il.Emit(OpCodes.Brfalse, otherwise);
                continue;
            }

            il.Emit(OpCodes.Unaligned, (byte)1);
            il.Emit(size == 8 ? OpCodes.Ldind_I8 : size == 4 ? OpCodes.Ldind_I4 : size == 2 ? OpCodes.Ldind_U2 : OpCodes.Ldind_U1);
            PushGroup(il, bytes.Slice(at, size));
            il.Emit(OpCodes.Bne_Un, otherwise);
        }
    }

    private static IEnumerable<(int At, int Size)> Groups(int length)
    {
        int size = Vector256.IsHardwareAccelerated ? 32 : 16;
        while (size > length && size > 1)
        {
            size /= 2;
        }

        for (int at = 0; at < length; at += size)
        {
            yield return (Math.Min(at, length - size), size);
        }
    }

    private static void LoadAt(ILGenerator il, Action load, int offset)
    {
        load();
        if (offset > 0)
        {
            il.Emit(OpCodes.Ldc_I4, offset);
            il.Emit(OpCodes.Add);
        }
    }

    private static void PushGroup(ILGenerator il, ReadOnlySpan<byte> group)
    {
        switch (group.Length)
        {
            case 1:
                il.Emit(OpCodes.Ldc_I4, (int)group[0]);
                break;
            case 2:
                il.Emit(OpCodes.Ldc_I4, (int)MemoryMarshal.Read<ushort>(group));
                break;
            case 4:
                il.Emit(OpCodes.Ldc_I4, MemoryMarshal.Read<int>(group));
                break;
            default:
                for (int i = 0; i < group.Length; i += sizeof(long))
                {
                    il.Emit(OpCodes.Ldc_I8, MemoryMarshal.Read<long>(group[i..]));
                }

                break;
        }
    }

    // The arguments are constants, which the JIT makes one of.

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Store(ref byte destination, ulong first, ulong second, ulong third, ulong fourth) =>
        Vector256.Create(first, second, third, fourth).AsByte().StoreUnsafe(ref destination);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Store(ref byte destination, ulong first, ulong second) =>
        Vector128.Create(first, second).AsByte().StoreUnsafe(ref destination);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Compare(ref byte source, ulong first, ulong second, ulong third, ulong fourth) =>
        Vector256.LoadUnsafe(ref source) == Vector256.Create(first, second, third, fourth).AsByte();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool Compare(ref byte source, ulong first, ulong second) =>
        Vector128.LoadUnsafe(ref source) == Vector128.Create(first, second).AsByte();
}
