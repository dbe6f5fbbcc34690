using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Format;

namespace Wire;

/// <content>
/// Reading from a position that emitted code keeps in a local, from one member to the next. Whatever may leave the window, or refuse
/// the bytes, brings the reader to that position first; it is told the member's number, which nobody else needs.
/// </content>
public ref partial struct WireReader
{
    /// <summary>Reads a string, or null.</summary>
    /// <returns>The position behind it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte ReadStringAt([UnscopedRef] ref byte position, int member, out string? value)
    {
        int left = LeftFrom(ref position);
        if (left > 0)
        {
            uint header = position;
            int length = (int)(header >> 1);
            if ((header & 0x81) == 1 && length < left)
            {
                string text = new('\0', length);
                Latin1.Widen(ref Unsafe.Add(ref position, 1), length, ref Unsafe.AsRef(in text.GetPinnableReference()));
                value = text;
                return ref Unsafe.Add(ref position, 1 + length);
            }

            if (header == 0)
            {
                value = null;
                return ref Unsafe.Add(ref position, 1);
            }
        }

        value = ReadAnyString(ref position, member);
        return ref _current;
    }

    /// <summary>The place in the window.</summary>
    internal readonly ref byte Position => ref _current;

    /// <summary>How many bytes of the window follow a position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int LeftFrom(ref readonly byte position) => (int)Unsafe.ByteOffset(in position, ref _end);

    /// <summary>Goes to a position, for what may fail there.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void GoTo([UnscopedRef] ref byte position, int member)
    {
        Member = member;
        _current = ref position;
    }

    /// <summary>Makes sure that bytes can be read from a position on, where the window has not as many.</summary>
    /// <returns>The position, perhaps in another window.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal ref byte RefillAt([UnscopedRef] ref byte position, int size, int member)
    {
        Member = member;
        _current = ref position;
        Refill(size);
        return ref _current;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private string? ReadAnyString([UnscopedRef] ref byte position, int member)
    {
        Member = member;
        _current = ref position;
        return StringFormat.Read(ref this);
    }
}
