using System.Runtime.CompilerServices;

namespace Wire.Flat;

/// <summary>The elements of a small collection in a flat object: a count of one or two bytes, and the elements.</summary>
internal static class FlatElements
{
    private const int NotFlat = -1;

    /// <summary>Gets the bounds of a collection; null when its elements are not flat, or contain it.</summary>
    public static FlatBounds? Bound<T>(ValueSerializer collection, ValueSerializer<T> element, FlatScope scope) =>
        scope.Inside(collection, below => element.BoundFlat(below)?.Many(Unsafe.SizeOf<T>()));

    /// <summary>Writes a count and the elements; negative when they are not flat, or there is too little room.</summary>
    public static int Write<T>(
        ref byte destination, int room, ValueSerializer<T> element, ReadOnlySpan<T> values, ref FlatTypes types)
    {
        int header = values.Length < 0x80 ? 1 : 2;
        if (room - header < (long)values.Length * element.UsualFlatSize)
        {
            return NotFlat;
        }

        destination = (byte)(header == 1 ? values.Length : values.Length | 0x80);
        if (header == 2)
        {
            Unsafe.Add(ref destination, 1) = (byte)(values.Length >> 7);
        }

        int size = element.WriteManyFlat(ref Unsafe.Add(ref destination, header), room - header, values, ref types);
        return size < 0 ? size : header + size;
    }

    /// <summary>Reads the count in front of the elements.</summary>
    /// <param name="source">Where it begins.</param>
    /// <param name="available">How many bytes there are.</param>
    /// <param name="element">The value serializer of the elements.</param>
    /// <param name="count">The count, for which there are enough bytes; 0 when it gives up.</param>
    /// <returns>The number of bytes read; negative when the collection is not flat, or there are too few bytes.</returns>
    public static int ReadCount(ref byte source, int available, ValueSerializer element, out int count)
    {
        count = 0;
        if (available < 1)
        {
            return NotFlat;
        }

        int header = 1;
        int read = source;
        if (read >= 0x80)
        {
            header = 2;
            int high = available > 1 ? Unsafe.Add(ref source, 1) : 0;
            if (high is 0 or >= 0x80)
            {
                return NotFlat;
            }

            read = (read & 0x7F) | (high << 7);
        }

        if ((long)read * element.ElementSize > available - header)
        {
            return NotFlat;
        }

        count = read;
        return header;
    }

    /// <summary>Reads the elements behind a count.</summary>
    /// <param name="source">Where the count begins.</param>
    /// <param name="available">How many bytes there are from there on.</param>
    /// <param name="element">The value serializer of the elements.</param>
    /// <param name="values">The elements to fill.</param>
    /// <param name="header">The number of bytes of the count.</param>
    /// <param name="types">The types that the message has defined.</param>
    /// <returns>The number of bytes of the collection; negative when an element is not flat, or there are too few bytes.</returns>
    public static int Read<T>(
        ref byte source, int available, ValueSerializer<T> element, Span<T> values, int header, ref FlatTypes types)
    {
        int size = element.ReadManyFlat(ref Unsafe.Add(ref source, header), available - header, values, ref types);
        return size < 0 ? size : header + size;
    }
}
