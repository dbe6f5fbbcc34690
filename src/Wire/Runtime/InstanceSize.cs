using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using Wire.Compilation;

namespace Wire.Runtime;

/// <summary>Estimates the memory of an object: its header and its fields.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2075", Justification = TrimmingAdvice.Inside)]
internal static class InstanceSize
{
    private const int Header = 16;
    private const int Smallest = 24;

    public static int Estimate(Type type)
    {
        long fields = type.IsValueType ? RuntimeHelpers.SizeOf(type.TypeHandle) : 0;
        if (!RuntimeFeature.IsDynamicCodeSupported && !type.IsValueType)
        {
            return Math.Max(Smallest, OfClass(type));
        }

        for (Type? level = type.IsValueType ? null : type; level is not null; level = level.BaseType)
        {
            foreach (FieldInfo field in level.GetFields(MemberFinder.DeclaredInstance))
            {
                fields += OfField(field.FieldType);
            }
        }

        return (int)Math.Clamp((Header + fields + 7) & ~7L, Smallest, int.MaxValue);
    }

    // The size that the garbage collector goes by, in the description of a class: in native code, fields may be hidden.
    private static unsafe int OfClass(Type type) => ((int*)type.TypeHandle.Value)[1];

    /// <summary>Returns the bytes that the fields of a class take; 0 where the runtime does not show it.</summary>
    // What is known of two classes is checked, so that nothing depends on the layout of one runtime.
    public static int OfFields(Type type) =>
        OfClass(typeof(object)) == Smallest && OfClass(typeof(Version)) == Header + 16 ? OfClass(type) - Header : 0;

    /// <summary>Returns the bytes that a field of a type takes.</summary>
    public static int OfField(Type type) => type.IsValueType ? RuntimeHelpers.SizeOf(type.TypeHandle) : IntPtr.Size;
}
