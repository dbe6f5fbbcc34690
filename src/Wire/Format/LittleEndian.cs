using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Wire.Format;

/// <summary>
/// Fixed-size values in the format: little-endian, unaligned. The branch on byte order is a constant to the JIT.
/// </summary>
internal static class LittleEndian
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Store<T>(ref byte destination, T value)
        where T : unmanaged
    {
        Unsafe.WriteUnaligned(ref destination, value);
        if (!BitConverter.IsLittleEndian)
        {
            MemoryMarshal.CreateSpan(ref destination, Unsafe.SizeOf<T>()).Reverse();
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static T Load<T>(ref byte source)
        where T : unmanaged
    {
        if (BitConverter.IsLittleEndian)
        {
            return Unsafe.ReadUnaligned<T>(ref source);
        }

        T value = Unsafe.ReadUnaligned<T>(ref source);
        MemoryMarshal.AsBytes(MemoryMarshal.CreateSpan(ref value, 1)).Reverse();
        return value;
    }
}
