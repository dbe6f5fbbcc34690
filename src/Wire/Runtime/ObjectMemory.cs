using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>The memory of an object: its fields, one beside the other.</summary>
internal static class ObjectMemory
{
    /// <summary>Returns the first byte of an object's fields, or of a value type in its box.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte FieldsOf(object value) => ref Unsafe.As<Fields>(value).First;

    /// <summary>Makes an object with the same fields.</summary>
    [UnsafeAccessor(UnsafeAccessorKind.Method, Name = "MemberwiseClone")]
    public static extern object Clone(object original);

    private sealed class Fields
    {
        public byte First;
    }
}
