using Wire.Format;

namespace Wire.Types;

/// <summary>
/// A type that has a tag in the format, and its one-dimensional arrays. Their value serializers are made on first use: most programs use
/// few of these types, and the code for each would have to be compiled.
/// </summary>
internal sealed class BuiltInType(byte tag, Func<ValueSerializer> make)
{
    private TypeEntry? _entry;
    private TypeEntry? _vector;

    /// <summary>The tag.</summary>
    public byte Tag { get; } = tag;

    /// <summary>The type.</summary>
    public Type Type { get; } = TagTypes.TypeOf(tag);

    /// <summary>The shared entry of the type.</summary>
    public TypeEntry Entry => _entry ?? One(ref _entry, new TypeEntry(Type, make(), [Tag], isTracked: Tag == Format.Tag.Object));

    /// <summary>The shared entry of its one-dimensional arrays.</summary>
    public TypeEntry Vector => _vector ?? One(ref _vector, VectorEntry(SerializerSource.Library.CreateVector(Entry.Serializer)));

    private TypeEntry VectorEntry(ValueSerializer vector) => new(vector.Type, vector, [Format.Tag.Vector, Tag], isTracked: true);

    private static TypeEntry One(ref TypeEntry? place, TypeEntry made) => Interlocked.CompareExchange(ref place, made, null) ?? made;
}
