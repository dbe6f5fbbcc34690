using System.Runtime.CompilerServices;

namespace Wire.Runtime;

/// <summary>
/// The identity of an object's runtime type among all that are alive: the word in front of its fields, which the runtime shows as <see
/// cref="RuntimeTypeHandle.Value"/> too. It takes one load, where <see cref="object.GetType"/> is a call and four dependent loads; a
/// comparison with a constant type is as cheap, but here the types are known only at run time.
/// </summary>
internal static class TypeIdentity
{
    // Checked once at run time, so that nothing depends on the object layout of one runtime.
    private static readonly bool IsInFront = InFrontOf(new StrongBox<byte>()) == Get(typeof(StrongBox<byte>))
        && InFrontOf("") == Get(typeof(string))
        && InFrontOf(new byte[1]) == Get(typeof(byte[]));

    public static nint Get(Type type) => type.TypeHandle.Value;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static nint Get(object value) => IsInFront ? InFrontOf(value) : Get(value.GetType());

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static nint InFrontOf(object value) =>
        Unsafe.Subtract(ref Unsafe.As<byte, nint>(ref ObjectMemory.FieldsOf(value)), 1);
}
