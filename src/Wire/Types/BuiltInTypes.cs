using System.Diagnostics.CodeAnalysis;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;

namespace Wire.Types;

/// <summary>The entries of the types that have a tag in the format, which all serializers share.</summary>
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
internal static class BuiltInTypes
{
    private static readonly BuiltInType[] Table = SerializerSource.Library.CreateBuiltInTypes();

    private static readonly BuiltInType?[] Tags = new BuiltInType?[Tag.FirstShortIdentifier];

    // The rows by type, for the types and their arrays. A frozen table costs more to build than it saves.
    private static readonly Dictionary<Type, BuiltInType> Types = new(2 * Table.Length + 1);

    static BuiltInTypes()
    {
        foreach (BuiltInType row in Table)
        {
            Tags[row.Tag] = row;
            Types.Add(row.Type, row);
            Types.Add(row.Type.MakeArrayType(), row);
        }

        // Every Type object is of an internal class of the runtime.
        Types.Add(typeof(Type).GetType(), Tags[Tag.Type]!);
    }

    /// <summary>The types with a tag.</summary>
    public static IEnumerable<Type> All => Table.Select(row => row.Type);

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

    /// <summary>The entry of a type with a tag, or of an array of one; user factories and surrogates do not change these.</summary>
    public static TypeEntry? Find(Type type) =>
        Types.TryGetValue(type, out BuiltInType? row) ? type.IsArray ? row.Vector : row.Entry : null;
}
