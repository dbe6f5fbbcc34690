using System.Runtime.CompilerServices;
using Wire.Flat;
using Wire.Sessions.Objects;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// A value serializer that writes and reads elements of collections in a way of its own, since most elements are of one type after the
/// other.
/// </summary>
internal abstract class ElementSerializer<T> : ValueSerializer<T>
{
    /// <summary>Flat code for elements of collections; null where there is none.</summary>
    public abstract FlatElements? FlatElements { get; }

    /// <summary>Compiles the flat code.</summary>
    public void PrepareElements() => FlatElements?.Prepare();

    /// <summary>Writes an element of a collection.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The element.</param>
    /// <param name="index">Its index.</param>
    /// <param name="elements">The cache of types of the elements before it.</param>
    public abstract void WriteElement(ref WireWriter writer, T value, int index, ref WrittenElements elements);

    /// <summary>Reads an element of a collection.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="index">Its index.</param>
    /// <param name="elements">The cache of types of the elements before it.</param>
    public abstract T ReadElement(ref WireReader reader, int index, ref ReadElements elements);

    /// <summary>Writes consecutive elements of a collection, many at a time where that is possible.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="values">The elements.</param>
    /// <param name="start">The index of the first of them.</param>
    /// <param name="elements">The cache of types of the elements before them.</param>
    public void WriteElements(ref WireWriter writer, scoped ReadOnlySpan<T> values, int start, ref WrittenElements elements)
    {
        FlatElements? flat = FlatElements;
        for (int i = 0; i < values.Length; i++)
        {
            if (flat is not null && elements.Flat.IsTried)
            {
                int written = flat.Write(ref writer, ref Unsafe.As<T, byte>(ref Unsafe.AsRef(in values[i])), values.Length - i);
                elements.Flat.Note(written);
                i += written;
                if (i == values.Length)
                {
                    return;
                }
            }

            i += WriteSome(ref writer, values[i..], start + i, ref elements) - 1;
        }
    }

    /// <summary>Reads consecutive elements of a collection, many at a time where that is possible.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="values">The elements to fill.</param>
    /// <param name="start">The index of the first of them.</param>
    /// <param name="elements">The cache of types of the elements before them.</param>
    public void ReadElements(ref WireReader reader, scoped Span<T> values, int start, ref ReadElements elements)
    {
        FlatElements? flat = FlatElements;
        for (int i = 0; i < values.Length; i++)
        {
            if (flat is not null && elements.Flat.IsTried)
            {
                int read = flat.Read(ref reader, ref Unsafe.As<T, byte>(ref values[i]), values.Length - i);
                elements.Flat.Note(read);
                i += read;
                if (i == values.Length)
                {
                    return;
                }
            }

            i += ReadSome(ref reader, values[i..], start + i, ref elements) - 1;
        }
    }

    /// <summary>Writes one element of a collection, or some more of its type.</summary>
    /// <returns>The number of elements written.</returns>
    protected virtual int WriteSome(ref WireWriter writer, scoped ReadOnlySpan<T> values, int index, ref WrittenElements elements)
    {
        WriteElement(ref writer, values[0], index, ref elements);
        return 1;
    }

    /// <summary>Reads one element of a collection, or some more of its type.</summary>
    /// <returns>The number of elements read.</returns>
    protected virtual int ReadSome(ref WireReader reader, scoped Span<T> values, int index, ref ReadElements elements)
    {
        values[0] = ReadElement(ref reader, index, ref elements);
        return 1;
    }
}
