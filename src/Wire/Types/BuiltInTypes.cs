using System.Numerics;
using System.Text;
using Wire.Errors;
using Wire.Format;
using Wire.OptIn;
using Wire.SerializerFactories;
using Wire.ValueSerializers;

namespace Wire.Types;

/// <summary>The table of the types that have a tag in the format; they also have a name without an assembly.</summary>
internal static class BuiltInTypes
{
    private static readonly BuiltInType[] Table =
    [
        new(Tag.Boolean, typeof(bool), static () => new FixedSerializer<bool, BooleanFormat>(Tag.Boolean)),
        new(Tag.SByte, typeof(sbyte), static () => new FixedSerializer<sbyte, RawFormat<sbyte>>(Tag.SByte)),
        new(Tag.Byte, typeof(byte), static () => new FixedSerializer<byte, RawFormat<byte>>(Tag.Byte)),
        new(Tag.Int16, typeof(short), static () => new FixedSerializer<short, RawFormat<short>>(Tag.Int16)),
        new(Tag.UInt16, typeof(ushort), static () => new FixedSerializer<ushort, RawFormat<ushort>>(Tag.UInt16)),
        new(Tag.Int32, typeof(int), static () => new FixedSerializer<int, RawFormat<int>>(Tag.Int32)),
        new(Tag.UInt32, typeof(uint), static () => new FixedSerializer<uint, RawFormat<uint>>(Tag.UInt32)),
        new(Tag.Int64, typeof(long), static () => new FixedSerializer<long, RawFormat<long>>(Tag.Int64)),
        new(Tag.UInt64, typeof(ulong), static () => new FixedSerializer<ulong, RawFormat<ulong>>(Tag.UInt64)),
        new(Tag.Int128, typeof(Int128), static () => new FixedSerializer<Int128, RawFormat<Int128>>(Tag.Int128)),
        new(Tag.UInt128, typeof(UInt128), static () => new FixedSerializer<UInt128, RawFormat<UInt128>>(Tag.UInt128)),
        new(Tag.IntPtr, typeof(nint), static () => new FixedSerializer<nint, NativeIntegerFormat<nint, long>>(Tag.IntPtr)),
        new(Tag.UIntPtr, typeof(nuint), static () => new FixedSerializer<nuint, NativeIntegerFormat<nuint, ulong>>(Tag.UIntPtr)),
        new(Tag.Half, typeof(Half), static () => new FixedSerializer<Half, RawFormat<Half>>(Tag.Half)),
        new(Tag.Single, typeof(float), static () => new FixedSerializer<float, RawFormat<float>>(Tag.Single)),
        new(Tag.Double, typeof(double), static () => new FixedSerializer<double, RawFormat<double>>(Tag.Double)),
        new(Tag.Decimal, typeof(decimal), static () => new FixedSerializer<decimal, DecimalFormat>(Tag.Decimal)),
        new(Tag.Char, typeof(char), static () => new FixedSerializer<char, RawFormat<char>>(Tag.Char)),
        new(Tag.Rune, typeof(Rune), static () => new FixedSerializer<Rune, RuneFormat>(Tag.Rune)),
        new(Tag.Guid, typeof(Guid), static () => new FixedSerializer<Guid, GuidFormat>(Tag.Guid)),
        new(Tag.DateTime, typeof(DateTime), static () => new FixedSerializer<DateTime, DateTimeFormat>(Tag.DateTime)),
        new(
            Tag.DateTimeOffset,
            typeof(DateTimeOffset),
            static () => new FixedSerializer<DateTimeOffset, DateTimeOffsetFormat>(Tag.DateTimeOffset)),
        new(Tag.TimeSpan, typeof(TimeSpan), static () => new FixedSerializer<TimeSpan, RawFormat<TimeSpan>>(Tag.TimeSpan)),
        new(Tag.DateOnly, typeof(DateOnly), static () => new FixedSerializer<DateOnly, DateOnlyFormat>(Tag.DateOnly)),
        new(Tag.TimeOnly, typeof(TimeOnly), static () => new FixedSerializer<TimeOnly, TimeOnlyFormat>(Tag.TimeOnly)),
        new(Tag.Complex, typeof(Complex), static () => new FixedSerializer<Complex, ComplexFormat>(Tag.Complex)),
        new(Tag.String, typeof(string), static () => StringSerializer.Instance),
        new(Tag.Uri, typeof(Uri), static () => UriSerializer.Instance),
        new(Tag.Version, typeof(Version), static () => VersionSerializer.Instance),
        new(Tag.BigInteger, typeof(BigInteger), static () => BigIntegerSerializer.Instance),
        new(Tag.Type, typeof(Type), static () => TypeSerializer.Instance),
        new(Tag.Object, typeof(object), static () => PlainObjectSerializer.Instance),
    ];

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
        Names.GetValueOrDefault(fullName) ?? Families.FindByName(fullName) ?? OptIns.FindByName(fullName);

    /// <summary>Says whether the library knows this type, or the definition of this generic type, by its name alone.</summary>
    public static bool IsNamed(Type definition) =>
        (definition.FullName is { } name && Names.TryGetValue(name, out Type? type) && type == definition)
        || Families.Find(definition) is not null || OptIns.IsNamed(definition);

    public static string NameOf(byte tag) => IsTag(tag) ? Tags[tag]!.Type.Name : $"0x{tag:X2}";

    public static int FixedSizeOf(byte tag) => tag < Tags.Length && Tags[tag] is { } row ? row.Entry.Serializer.FixedSize : 0;
}
