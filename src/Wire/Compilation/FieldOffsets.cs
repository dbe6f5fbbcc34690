using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.Compilation;

/// <summary>
/// Finds where the fields of a type lie in its objects, so that they are read and written in place, without boxing and without emitted
/// code. No runtime tells, so that each is tried once: a field is set by reflection, and the bytes that change are its place; or references
/// are put everywhere, and that which reflection reads from the field tells where it lies. All is done to objects that nobody else sees.
/// </summary>
[RequiresUnreferencedCode(TrimmingAdvice.Inside)]
internal static class FieldOffsets
{
    /// <summary>A member whose place is not in the object, such as a field that was added while the program runs.</summary>
    public const int None = -1;

    /// <summary>A member whose place has not been looked for.</summary>
    public const int Unknown = -2;

    /// <summary>Finds the offsets of members of a type: <see cref="WireMember.Offset"/>.</summary>
    public static void Find(Type type, WireMember[] members)
    {
        int size = SizeOf(type);
        object? empty = null, full = null;
        foreach (WireMember member in members)
        {
            if (member.Offset != Unknown)
            {
                continue;
            }

            if (member.Field is not { } field || size == 0)
            {
                member.Offset = None;
                continue;
            }

            if (member.Slot.HoldsReferences && Nullable.GetUnderlyingType(field.FieldType) is null)
            {
                member.Offset = OfReference(field, full ??= FullOfReferences(type, size), size);
            }
            else
            {
                member.Offset = OfValue(field, empty ??= ObjectFactory.Uninitialized(type), size);
            }

            if (type.IsValueType && member.Offset == None)
            {
                throw Hidden(type, field);
            }
        }
    }

    /// <summary>Finds the offset of a number in the objects of a type.</summary>
    public static int OfNumber(Type type, FieldInfo number) =>
        SizeOf(type) is > 0 and var size && OfValue(number, ObjectFactory.Uninitialized(type), size) is >= 0 and var offset
            ? offset
            : throw Hidden(type, number);

    private static int SizeOf(Type type) => type.IsValueType ? InstanceSize.OfField(type) : InstanceSize.OfFields(type);

    private static UnsupportedTypeException Hidden(Type type, FieldInfo field) =>
        new(type, $"this runtime does not show where its field {field.Name} lies. {Advice.Replace(type)}");

    // All bits of a value are set. A nullable one is given zero, and begins with the mark that it is not null.
    private static int OfValue(FieldInfo field, object owner, int size)
    {
        object value = RuntimeHelpers.GetUninitializedObject(field.FieldType);
        int length = Nullable.GetUnderlyingType(field.FieldType) is null ? InstanceSize.OfField(field.FieldType) : 1;
        if (value.GetType() == field.FieldType)
        {
            Unsafe.InitBlockUnaligned(ref ObjectMemory.FieldsOf(value), byte.MaxValue, (uint)length);
        }

        field.SetValue(owner, value);
        Span<byte> bytes = MemoryMarshal.CreateSpan(ref ObjectMemory.FieldsOf(owner), size);
        int offset = bytes.IndexOfAnyExcept((byte)0);
        bool isAlone = offset >= 0 && bytes.LastIndexOfAnyExcept((byte)0) == offset + length - 1;
        bytes.Clear();
        return isAlone ? offset : None;
    }

    // A struct that holds references is made of whole words, and its first is one of the owner's, whatever it means.
    private static int OfReference(FieldInfo field, object owner, int size)
    {
        object? value = field.GetValue(owner);
        nint first = field.FieldType.IsValueType
            ? Unsafe.As<byte, nint>(ref ObjectMemory.FieldsOf(value!))
            : Unsafe.As<object?, nint>(ref value);
        int word = MemoryMarshal.CreateSpan(ref Unsafe.As<byte, nint>(ref ObjectMemory.FieldsOf(owner)), size / IntPtr.Size).IndexOf(first);
        return word < 0 ? None : word * IntPtr.Size;
    }

    // Each is to another object, none of which moves: so they can be compared as numbers, also where the owner has no reference.
    private static object FullOfReferences(Type type, int size)
    {
        object owner = ObjectFactory.Uninitialized(type);
        var targets = new object[size / IntPtr.Size];
        for (int i = 0; i < targets.Length; i++)
        {
            targets[i] = GC.AllocateUninitializedArray<byte>(1, pinned: true);
            Unsafe.Add(ref Unsafe.As<byte, object>(ref ObjectMemory.FieldsOf(owner)), i) = targets[i];
        }

        GC.KeepAlive(targets);
        return owner;
    }
}
