using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire;

/// <content>
/// Writing from a position that emitted code keeps in a local, from one member to the next. Whatever may leave the window, or refuse
/// the value, brings the writer to that position first; it is told the member's number, which nobody else needs.
/// </content>
public ref partial struct WireWriter
{
    /// <summary>Writes a string, or null.</summary>
    /// <returns>The position behind it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte WriteStringAt([UnscopedRef] ref byte position, string? value, int member)
    {
        int left = (int)Unsafe.ByteOffset(ref position, ref _end);
        if (value is null)
        {
            if (left > 0)
            {
                position = 0;
                return ref Unsafe.Add(ref position, 1);
            }
        }
        else
        {
            int length = value.Length;
            if (length <= StringFormat.MaxShortLength && length < left
                && Latin1.TryNarrow(ref Unsafe.AsRef(in value.GetPinnableReference()), length, ref Unsafe.Add(ref position, 1)))
            {
                position = (byte)StringFormat.Header(length, wide: false);
                return ref Unsafe.Add(ref position, 1 + length);
            }
        }

        return ref WriteAnyString(ref position, value, member);
    }

    /// <summary>Makes sure that bytes can be written from a position on.</summary>
    /// <returns>The position, perhaps in another window.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte EnsureAt([UnscopedRef] ref byte position, int size, int member)
    {
        if ((int)Unsafe.ByteOffset(ref position, ref _end) < size)
        {
            return ref GrowAt(ref position, size, member);
        }

        return ref position;
    }

    /// <summary>Makes sure that bytes can be written from a position on, where they cannot.</summary>
    /// <returns>The position, perhaps in another window.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal ref byte GrowAt([UnscopedRef] ref byte position, int size, int member)
    {
        Member = member;
        _current = ref position;
        Grow(size, size);
        return ref _current;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ref byte WriteAnyString([UnscopedRef] ref byte position, string? value, int member)
    {
        Member = member;
        _current = ref position;
        if (value is null)
        {
            WriteByte(0);
        }
        else
        {
            StringFormat.WriteLong(ref this, value);
        }

        return ref _current;
    }
}
