using System.Numerics;
using System.Text;
using Wire.Errors;
using Wire.Runtime;

namespace Wire.Format;

/// <summary>The table of the types that have a tag in the format; they also have a name without an assembly.</summary>
internal static class TagTypes
{
    // No lambdas: the class that holds them would be one more to initialize for each first message.
    private static readonly TagType[] Table =
    [
        new(Tag.Boolean, typeof(bool), 1, IsChecked: true, ScalarText.Boolean),
        new(Tag.SByte, typeof(sbyte), 1),
        new(Tag.Byte, typeof(byte), 1),
        new(Tag.Int16, typeof(short), 2),
        new(Tag.UInt16, typeof(ushort), 2),
        new(Tag.Int32, typeof(int), 4),
        new(Tag.UInt32, typeof(uint), 4),
        new(Tag.Int64, typeof(long), 8),
        new(Tag.UInt64, typeof(ulong), 8),
        new(Tag.Int128, typeof(Int128), 16),
        new(Tag.UInt128, typeof(UInt128), 16),
        new(Tag.IntPtr, typeof(nint), 8, IsChecked: true),
        new(Tag.UIntPtr, typeof(nuint), 8, IsChecked: true),
        new(Tag.Half, typeof(Half), 2),
        new(Tag.Single, typeof(float), 4),
        new(Tag.Double, typeof(double), 8),
        new(Tag.Decimal, typeof(decimal), 16, IsChecked: true),
        new(Tag.Char, typeof(char), 2),
        new(Tag.Rune, typeof(Rune), 4, IsChecked: true),
        new(Tag.Guid, typeof(Guid), 16),
        new(Tag.DateTime, typeof(DateTime), 8, IsChecked: true, ScalarText.DateTime),
        new(Tag.DateTimeOffset, typeof(DateTimeOffset), 10, IsChecked: true, ScalarText.DateTimeOffset),
        new(Tag.TimeSpan, typeof(TimeSpan), 8),
        new(Tag.DateOnly, typeof(DateOnly), 4, IsChecked: true, ScalarText.DateOnly),
        new(Tag.TimeOnly, typeof(TimeOnly), 8, IsChecked: true, ScalarText.TimeOnly),
        new(Tag.Complex, typeof(Complex), 16, Text: ScalarText.Complex),
        new(Tag.String, typeof(string), 0),
        new(Tag.Uri, typeof(Uri), 0),
        new(Tag.Version, typeof(Version), 0),
        new(Tag.BigInteger, typeof(BigInteger), 0, Text: ScalarText.BigInteger),
        new(Tag.Type, typeof(Type), 0),
        new(Tag.Object, typeof(object), 0),
    ];

    private static readonly TagType?[] Tags = new TagType?[Tag.FirstShortIdentifier];
    private static readonly Shape?[] Vectors = new Shape?[Tag.FirstShortIdentifier];
    private static readonly Dictionary<string, Type> Names = new(Table.Length, StringComparer.Ordinal);

    // Every Type object is of an internal class of the runtime.
    private static readonly Type RuntimeType = typeof(Type).GetType();

    static TagTypes()
    {
        foreach (TagType row in Table)
        {
            Tags[row.Tag] = row;
            Names.Add(row.Type.FullName!, row.Type);
        }
    }

    /// <summary>Gets the types and their tags.</summary>
    public static IEnumerable<(byte Tag, Type Type)> All => Table.Select(row => (row.Tag, row.Type));

    public static bool IsTag(byte tag) => tag < Tags.Length && Tags[tag] is not null;

    /// <summary>Returns the type of a tag.</summary>
    public static Type TypeOf(byte tag) => Tags[tag]!.Type;

    public static string NameOf(byte tag) => IsTag(tag) ? Tags[tag]!.Type.Name : $"0x{tag:X2}";

    /// <summary>Returns the number of bytes of each value behind a tag; 0 when that varies.</summary>
    public static int FixedSizeOf(byte tag) => tag < Tags.Length && Tags[tag] is { } row ? row.Size : 0;

    /// <summary>Returns the layout of one-dimensional arrays of the type with a tag.</summary>
    /// <exception cref="WireFormatException">It is no such tag.</exception>
    public static Shape VectorOf(byte tag)
    {
        if (!IsTag(tag))
        {
            ThrowHelper.Format(WireFormatError.Tag, $"0x{tag:X2} is not the tag of an array's elements.");
        }

        return Vectors[tag] ??= Shape.Sequence(
            Tags[tag]!.Type.IsValueType || tag == Tag.String ? Shape.BuiltIn(tag) : Shape.TaggedOnly);
    }

    /// <summary>Returns whether not all bytes of a fixed size behind a tag are a value.</summary>
    public static bool IsChecked(byte tag) => tag < Tags.Length && Tags[tag] is { IsChecked: true };

    /// <summary>Returns the text of a value of the type with a tag, in JSON and as a key in a path.</summary>
    public static string TextOf(byte tag, object value) => (Tags[tag]!.Text ?? ScalarText.Own)(value);

    /// <summary>Returns whether a type, or the type of the elements of a one-dimensional array, has a tag.</summary>
    public static bool Contains(Type type)
    {
        Type element = type.IsSZArray ? type.GetElementType()! : type;
        return type == RuntimeType || Array.Exists(Table, row => row.Type == element);
    }

    /// <summary>Finds a type by its name without an assembly.</summary>
    public static Type? FindByName(string fullName) => Names.GetValueOrDefault(fullName);

    /// <summary>One row.</summary>
    /// <param name="Tag">The tag.</param>
    /// <param name="Type">The type.</param>
    /// <param name="Size">The number of bytes of each value; 0 when that varies.</param>
    /// <param name="IsChecked">True if not all bytes of that size are a value.</param>
    /// <param name="Text">Makes the text of a value; null for that which it has by itself.</param>
    private sealed record TagType(byte Tag, Type Type, int Size, bool IsChecked = false, Func<object, string>? Text = null);
}
