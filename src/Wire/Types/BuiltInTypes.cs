using Wire.Errors;
using Wire.Format;
using Wire.Messages;

namespace Wire.Types;

/// <summary>The types that have a tag in the format; they also have a name without an assembly.</summary>
internal static class BuiltInTypes
{
    private static readonly BuiltInType[] Table = SerializerSource.Library.CreateBuiltInTypes();

    private static readonly BuiltInType?[] Tags = new BuiltInType?[Tag.FirstShortIdentifier];

    // The rows by type, for the types and their arrays. A frozen table costs more to build than it saves.
    private static readonly Dictionary<Type, BuiltInType> Types = new(2 * Table.Length + 1);
    private static readonly Dictionary<string, Type> Names = new(Table.Length, StringComparer.Ordinal);

    static BuiltInTypes()
    {
        foreach (BuiltInType row in Table)
        {
            Tags[row.Tag] = row;
            Types.Add(row.Type, row);
            Types.Add(row.Type.MakeArrayType(), row);
            Names.Add(row.Type.FullName!, row.Type);
        }

        // Every Type object is of an internal class of the runtime.
        Types.Add(typeof(Type).GetType(), Tags[Tag.Type]!);
    }

    /// <summary>The types with a tag.</summary>
    public static IEnumerable<Type> All => Table.Select(row => row.Type);

    public static bool IsTag(byte tag) => tag < Tags.Length && Tags[tag] is not null;

    public static ValueSerializer ByTag(byte tag)
    {
        if (tag < Tags.Length && Tags[tag] is { } row)
        {
            return row.Entry.Serializer;
        }

        return ThrowHelper.Format<ValueSerializer>(WireFormatError.Tag, $"0x{tag:X2} is not a tag, or not one that is allowed here.");
    }

    /// <summary>The serializer of one-dimensional arrays of the built-in type with this tag.</summary>
    public static ValueSerializer Vector(byte tag)
    {
        if (tag < Tags.Length && Tags[tag] is { } row)
        {
            return row.Vector.Serializer;
        }

        return ThrowHelper.Format<ValueSerializer>(WireFormatError.Tag, $"0x{tag:X2} is not the tag of an array's elements.");
    }

    /// <summary>Returns the layout of an element of such an array.</summary>
    public static Shape VectorElement(byte tag) => new ShapeBuilder().Build(Vector(tag)).Element!;

    /// <summary>The entry of a type with a tag, or of an array of one; user factories and surrogates do not change these.</summary>
    public static TypeEntry? Find(Type type) =>
        Types.TryGetValue(type, out BuiltInType? row) ? type.IsArray ? row.Vector : row.Entry : null;

    /// <summary>Finds a type by its name without an assembly.</summary>
    public static Type? FindByName(string fullName) =>
        Names.GetValueOrDefault(fullName) ?? SerializerSource.Library.FindByName(fullName);

    /// <summary>Says whether the library knows this type, or the definition of this generic type, by its name alone.</summary>
    public static bool IsNamed(Type definition) =>
        (definition.FullName is { } name && Names.TryGetValue(name, out Type? type) && type == definition)
        || SerializerSource.Library.IsNamed(definition);

    public static string NameOf(byte tag) => IsTag(tag) ? Tags[tag]!.Type.Name : $"0x{tag:X2}";

    public static int FixedSizeOf(byte tag) => tag < Tags.Length && Tags[tag] is { } row ? row.Entry.Serializer.FixedSize : 0;
}
