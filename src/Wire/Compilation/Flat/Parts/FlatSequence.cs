using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Flat;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;

namespace Wire.Compilation.Flat.Parts;

/// <summary>Null, or an array or list behind what announces it: a count of one or two bytes, and the elements.</summary>
/// <param name="entry">The type, which takes no identifier.</param>
/// <param name="isList">True if it is a list.</param>
/// <param name="element">The code for an element; null where its bytes are its memory.</param>
internal sealed class FlatSequence<T>(TypeEntry entry, bool isList, FlatPart? element) : FlatPart
{
    private readonly FlatLead _lead = new(entry);

    /// <summary>Makes it; null where the elements are not flat.</summary>
    public static FlatSequence<T>? TryCreate(TypeEntry entry, bool isList, ValueSerializer element, FlatParts parts) =>
        element is IFixedSerializer { CanFail: false } ? new(entry, isList, null)
        : parts.Of(element) is { } part ? new(entry, isList, part)
        : null;

    public override int Write(ref FlatOutput output, ref byte start, int room, ref byte variable)
    {
        if (Unsafe.As<byte, object?>(ref variable) is not { } value)
        {
            if (room < 1)
            {
                return TooLittle;
            }

            start = Tag.Null;
            return 1;
        }

        if (TypeIdentity.Get(value) != entry.Identity)
        {
            return NotFlat;
        }

        Span<T> values = Elements(value);
        if (values.Length > FlatBounds.MaxBytes)
        {
            return NotFlat;
        }

        int bytes = element is null ? values.Length * Unsafe.SizeOf<T>() : 0;
        int size = _lead.Size;
        if (room < size + FlatCount.MaxSize + bytes)
        {
            return TooLittle;
        }

        _lead.Write(ref start);
        size += FlatCount.Store(ref Unsafe.Add(ref start, size), values.Length);
        ref byte first = ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values));
        if (element is null)
        {
            Unsafe.CopyBlockUnaligned(ref Unsafe.Add(ref start, size), ref first, (uint)bytes);
            return size + bytes;
        }

        for (int i = 0; i < values.Length; i++)
        {
            int next = element.Write(
                ref output, ref Unsafe.Add(ref start, size), room - size, ref Unsafe.Add(ref first, (nint)i * Unsafe.SizeOf<T>()));
            if (next < 0)
            {
                return next;
            }

            size += next;
        }

        return size;
    }

    public override int Read(ref FlatInput input, ref byte start, int room, ref byte variable)
    {
        if (room > 0 && start == Tag.Null)
        {
            Unsafe.As<byte, object?>(ref variable) = null;
            return 1;
        }

        int size = 1 + _lead.Size;
        if (room < size || !_lead.Begins(ref start))
        {
            return NotFlat;
        }

        int more = FlatCount.Load(
            ref Unsafe.Add(ref start, size - 1), room - size, element is null ? Unsafe.SizeOf<T>() : 1, out int count);
        if (more < 0)
        {
            return NotFlat;
        }

        object value = Create(count);
        ref byte first = ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(Elements(value)));
        size += more;
        if (element is null)
        {
            int bytes = count * Unsafe.SizeOf<T>();
            Unsafe.CopyBlockUnaligned(ref first, ref Unsafe.Add(ref start, size), (uint)bytes);
            Unsafe.As<byte, object>(ref variable) = value;
            return size + bytes;
        }

        for (int i = 0; i < count; i++)
        {
            int next = element.Read(
                ref input, ref Unsafe.Add(ref start, size), room - size, ref Unsafe.Add(ref first, (nint)i * Unsafe.SizeOf<T>()));
            if (next < 0)
            {
                return next;
            }

            size += next;
        }

        Unsafe.As<byte, object>(ref variable) = value;
        return size;
    }

    private Span<T> Elements(object value) => isList
        ? CollectionsMarshal.AsSpan(Unsafe.As<List<T>>(value))
        : MemoryMarshal.CreateSpan(ref MemoryMarshal.GetArrayDataReference(Unsafe.As<T[]>(value)), Unsafe.As<T[]>(value).Length);

    private object Create(int count)
    {
        if (!isList)
        {
            // Fields that are no members are read by nothing, and must be zero.
            return element is null ? GC.AllocateUninitializedArray<T>(count) : new T[count];
        }

        var list = new List<T>(count);
        CollectionsMarshal.SetCount(list, count);
        return list;
    }
}
