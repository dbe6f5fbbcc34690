using System.Runtime.CompilerServices;
using Wire.Sessions.Objects;

namespace Wire.ValueSerializers.Collections;

/// <summary>Writes and reads the elements of a collection: each as any value, unless its serializer has a way of its own.</summary>
/// <param name="serializer">The value serializer of the elements.</param>
internal readonly struct Elements<T>(ValueSerializer<T> serializer)
{
    /// <summary>The value serializer of the elements, if it has a way of its own.</summary>
    public readonly ElementSerializer<T>? Own = serializer as ElementSerializer<T>;

    private readonly ValueSerializer<T> _serializer = serializer;

    /// <summary>Gets whether there is flat code, which takes many elements at a time.</summary>
    public bool AreFlat => Own?.FlatElements is not null;

    /// <inheritdoc cref="ElementSerializer{T}.WriteElement"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Write(ref WireWriter writer, T value, int index, ref WrittenElements elements)
    {
        if (Own is not null)
        {
            Own.WriteElement(ref writer, value, index, ref elements);
            return;
        }

        writer.Member = ~index;
        _serializer.Write(ref writer, value);
    }

    /// <inheritdoc cref="ElementSerializer{T}.ReadElement"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public T Read(ref WireReader reader, int index, ref ReadElements elements)
    {
        if (Own is not null)
        {
            return Own.ReadElement(ref reader, index, ref elements);
        }

        reader.Member = ~index;
        return _serializer.Read(ref reader);
    }
}
