using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Wire.Flat;
using Wire.Format;
using Wire.Runtime;
using Wire.Slots;
using Wire.Types;

namespace Wire.Compilation.Flat.Parts;

/// <summary>Null, or an array or list behind what announces it: a count of one or two bytes, and the elements.</summary>
/// <param name="element">The code for an element; null where its bytes are its memory.</param>
internal abstract class FlatSequence(FlatPart? element) : FlatPart
{
    /// <summary>The code for an element; null where its bytes are its memory.</summary>
    public readonly FlatPart? Element = element;
}

/// <inheritdoc/>
/// <param name="entry">The type, which takes no identifier.</param>
/// <param name="isList">True if it is a list.</param>
/// <param name="element">The code for an element; null where its bytes are its memory.</param>
internal sealed class FlatSequence<T>(TypeEntry entry, bool isList, FlatPart? element) : FlatSequence(element)
{
    private readonly nint _identity = entry.Identity;
    private readonly FlatLead _lead = new(entry);

    /// <summary>Makes it; null where the elements are not flat.</summary>
    public static FlatSequence<T>? TryCreate(TypeEntry entry, bool isList, ValueSerializer element, FlatParts parts) =>
        element is IFixedSerializer { CanFail: false } ? new(entry, isList, null)
        : parts.Of(element) is { } part ? new(entry, isList, part)
        : null;

    public override int Write(ref FlatOutput output, ref byte start, int room, ref byte variable)
    {
        object? value = Unsafe.As<byte, object?>(ref variable);
        if (Element is null)
        {
            return WriteMemory(ref start, room, value, isList);
        }

        int size = Begin(ref start, room, value, isList, 0, out Span<T> values);
        if (size <= 0)
        {
            return size < 0 ? size : 1;
        }

        foreach (ref T item in values)
        {
            int next = Element.Write(ref output, ref Unsafe.Add(ref start, size), room - size, ref Unsafe.As<T, byte>(ref item));
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
        if (Element is null)
        {
            return ReadMemory(ref start, room, ref Unsafe.As<byte, object?>(ref variable), isList);
        }

        int size = Begin(ref start, room, isList, out object? made, out Span<T> values);
        foreach (ref T item in values)
        {
            int next = Element.Read(ref input, ref Unsafe.Add(ref start, size), room - size, ref Unsafe.As<T, byte>(ref item));
            if (next < 0)
            {
                return next;
            }

            size += next;
        }

        Unsafe.As<byte, object?>(ref variable) = made;
        return size;
    }

    /// <summary>Writes null, or what announces a collection, and the number of its elements.</summary>
    /// <param name="start">Where the first byte goes.</param>
    /// <param name="room">The number of bytes that may be written from there on.</param>
    /// <param name="value">The collection.</param>
    /// <param name="isOfList">True if it is a list.</param>
    /// <param name="distance">The number of bytes that each element takes at least.</param>
    /// <param name="values">The elements.</param>
    /// <returns>The number of bytes; 0 for null, which is one byte; negative as that of <see cref="FlatPart.Write"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Begin(ref byte start, int room, object? value, bool isOfList, int distance, out Span<T> values)
    {
        values = default;
        if (value is null)
        {
            return Null(ref start, room);
        }

        if (TypeIdentity.Get(value) != _identity)
        {
            return NotFlat;
        }

        values = Elements(value, isOfList);
        if (values.Length > FlatBounds.MaxBytes)
        {
            return NotFlat;
        }

        int size = _lead.Size;
        if (room < size + FlatCount.MaxSize + (values.Length * distance))
        {
            return TooLittle;
        }

        _lead.Write(ref start);
        return size + FlatCount.Store(ref Unsafe.Add(ref start, size), values.Length);
    }

    /// <summary>Reads null, or what announces a collection, and makes one.</summary>
    /// <param name="start">Where the first byte is.</param>
    /// <param name="room">The number of bytes that may be read from there on.</param>
    /// <param name="isOfList">True if it is a list.</param>
    /// <param name="made">The collection; null where there is none.</param>
    /// <param name="values">Its elements.</param>
    /// <returns>The number of bytes; negative where it is not flat.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Begin(ref byte start, int room, bool isOfList, out object? made, out Span<T> values)
    {
        values = default;
        made = null;
        if (room > 0 && start == Tag.Null)
        {
            return 1;
        }

        int size = 1 + _lead.Size;
        if (room < size || !_lead.Begins(ref start))
        {
            return NotFlat;
        }

        int more = FlatCount.Load(
            ref Unsafe.Add(ref start, size - 1), room - size, Element is null ? Unsafe.SizeOf<T>() : 1, out int count);
        if (more < 0)
        {
            return NotFlat;
        }

        made = Create(count, isOfList);
        values = Elements(made, isOfList);
        return size + more;
    }

    /// <summary>Writes a collection whose elements are bytes, or null.</summary>
    /// <inheritdoc cref="Begin(ref byte, int, object?, bool, int, out Span{T})"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int WriteMemory(ref byte start, int room, object? value, bool isOfList)
    {
        int size = Begin(ref start, room, value, isOfList, Unsafe.SizeOf<T>(), out Span<T> values);
        if (size <= 0)
        {
            return size < 0 ? size : 1;
        }

        int bytes = values.Length * Unsafe.SizeOf<T>();
        Unsafe.CopyBlockUnaligned(
            ref Unsafe.Add(ref start, size), ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values)), (uint)bytes);
        return size + bytes;
    }

    /// <summary>Reads a collection whose elements are bytes, or null.</summary>
    /// <inheritdoc cref="Begin(ref byte, int, bool, out object?, out Span{T})"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadMemory(ref byte start, int room, ref object? variable, bool isOfList)
    {
        int size = Begin(ref start, room, isOfList, out object? made, out Span<T> values);
        if (size < 0)
        {
            return size;
        }

        int bytes = values.Length * Unsafe.SizeOf<T>();
        Unsafe.CopyBlockUnaligned(
            ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values)), ref Unsafe.Add(ref start, size), (uint)bytes);
        variable = made;
        return size + bytes;
    }

    private static int Null(ref byte start, int room)
    {
        if (room < 1)
        {
            return TooLittle;
        }

        start = Tag.Null;
        return 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Span<T> Elements(object value, bool isOfList) => isOfList
        ? CollectionsMarshal.AsSpan(Unsafe.As<List<T>>(value))
        : MemoryMarshal.CreateSpan(ref MemoryMarshal.GetArrayDataReference(Unsafe.As<T[]>(value)), Unsafe.As<T[]>(value).Length);

    private object Create(int count, bool isOfList)
    {
        if (!isOfList)
        {
            // Fields that are no members are read by nothing, and must be zero.
            return Element is null ? GC.AllocateUninitializedArray<T>(count) : new T[count];
        }

        var list = new List<T>(count);
        CollectionsMarshal.SetCount(list, count);
        return list;
    }
}
