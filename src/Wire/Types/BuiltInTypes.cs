using System.Collections.Frozen;
using System.Numerics;
using System.Text;
using Wire.Format;

namespace Wire;

/// <summary>The one table of the types that the format knows by a tag, which have a name without an assembly too.</summary>
internal static class BuiltInTypes
{
    private static readonly (byte Tag, ValueSerializer Serializer)[] Table =
    [
        (Tag.Boolean, Fixed<bool, BooleanFormat>(Tag.Boolean)),
        (Tag.SByte, Raw<sbyte>(Tag.SByte)),
        (Tag.Byte, Raw<byte>(Tag.Byte)),
        (Tag.Int16, Raw<short>(Tag.Int16)),
        (Tag.UInt16, Raw<ushort>(Tag.UInt16)),
        (Tag.Int32, Raw<int>(Tag.Int32)),
        (Tag.UInt32, Raw<uint>(Tag.UInt32)),
        (Tag.Int64, Raw<long>(Tag.Int64)),
        (Tag.UInt64, Raw<ulong>(Tag.UInt64)),
        (Tag.Int128, Raw<Int128>(Tag.Int128)),
        (Tag.UInt128, Raw<UInt128>(Tag.UInt128)),
        (Tag.IntPtr, Fixed<nint, IntPtrFormat>(Tag.IntPtr)),
        (Tag.UIntPtr, Fixed<nuint, UIntPtrFormat>(Tag.UIntPtr)),
        (Tag.Half, Raw<Half>(Tag.Half)),
        (Tag.Single, Raw<float>(Tag.Single)),
        (Tag.Double, Raw<double>(Tag.Double)),
        (Tag.Decimal, Fixed<decimal, DecimalFormat>(Tag.Decimal)),
        (Tag.Char, Raw<char>(Tag.Char)),
        (Tag.Rune, Fixed<Rune, RuneFormat>(Tag.Rune)),
        (Tag.Guid, Fixed<Guid, GuidFormat>(Tag.Guid)),
        (Tag.DateTime, Fixed<DateTime, DateTimeFormat>(Tag.DateTime)),
        (Tag.DateTimeOffset, Fixed<DateTimeOffset, DateTimeOffsetFormat>(Tag.DateTimeOffset)),
        (Tag.TimeSpan, Raw<TimeSpan>(Tag.TimeSpan)),
        (Tag.DateOnly, Fixed<DateOnly, DateOnlyFormat>(Tag.DateOnly)),
        (Tag.TimeOnly, Fixed<TimeOnly, TimeOnlyFormat>(Tag.TimeOnly)),
        (Tag.Complex, Fixed<Complex, ComplexFormat>(Tag.Complex)),
        (Tag.String, StringSerializer.Instance),
        (Tag.Uri, UriSerializer.Instance),
        (Tag.Version, VersionSerializer.Instance),
        (Tag.BigInteger, BigIntegerSerializer.Instance),
        (Tag.Type, TypeSerializer.Instance),
        (Tag.Object, PlainObjectSerializer.Instance),
    ];

    private static readonly ValueSerializer?[] Tags = new ValueSerializer?[Tag.FirstShortIdentifier];
    private static readonly ValueSerializer?[] Vectors = new ValueSerializer?[Tag.FirstShortIdentifier];
    private static readonly FrozenDictionary<Type, TypeEntry> Entries;
    private static readonly FrozenDictionary<string, Type> Names;

    static BuiltInTypes()
    {
        var entries = new Dictionary<Type, TypeEntry>();
        foreach ((byte tag, ValueSerializer serializer) in Table)
        {
            Tags[tag] = serializer;
            entries.Add(serializer.Type, new TypeEntry(serializer.Type, serializer, [tag], isTracked: tag == Tag.Object));
            if (serializer.CreateVectorSerializer() is { } vector)
            {
                Vectors[tag] = vector;
                entries.Add(vector.Type, new TypeEntry(vector.Type, vector, [Tag.Vector, tag], isTracked: true));
            }
        }

        // Every Type object is of a class of the runtime's own.
        entries.Add(typeof(Type).GetType(), entries[typeof(Type)]);
        Entries = entries.ToFrozenDictionary();
        Names = Table.Select(row => row.Serializer.Type).ToFrozenDictionary(type => type.FullName!);
    }

    /// <summary>The types with a tag.</summary>
    public static IEnumerable<Type> All => Table.Select(row => row.Serializer.Type);

    public static bool IsTag(byte tag) => tag < Tags.Length && Tags[tag] is not null;

    public static ValueSerializer ByTag(byte tag)
    {
        if (tag < Tags.Length && Tags[tag] is { } serializer)
        {
            return serializer;
        }

        return Throw.Format<ValueSerializer>(WireFormatError.Tag, $"0x{tag:X2} is no tag, or may not stand here.");
    }

    /// <summary>The serializer of one-dimensional arrays of the built-in type with this tag.</summary>
    public static ValueSerializer Vector(byte tag)
    {
        if (tag < Vectors.Length && Vectors[tag] is { } serializer)
        {
            return serializer;
        }

        return Throw.Format<ValueSerializer>(WireFormatError.Tag, $"0x{tag:X2} is no tag of an array's element.");
    }

    /// <summary>How an element of such an array lies in the bytes.</summary>
    public static Shape VectorElement(byte tag) => Vector(tag).Describe(new ShapeBuilder()).Element!;

    /// <summary>The entry of a type with a tag, or of an array of one; user factories and surrogates do not change these.</summary>
    public static TypeEntry? Find(Type type) => Entries.GetValueOrDefault(type);

    /// <summary>Finds a type by the name that stands without an assembly.</summary>
    public static Type? FindByName(string fullName) => Names.GetValueOrDefault(fullName) ?? Families.FindByName(fullName) ?? OptIns.FindByName(fullName);

    /// <summary>Whether the library knows this type, or the definition of this generic type, by its name alone.</summary>
    public static bool IsNamed(Type definition) => Families.Find(definition) is not null || OptIns.IsNamed(definition)
        || (definition.FullName is { } name && Names.TryGetValue(name, out Type? type) && type == definition);

    public static string NameOf(byte tag) => IsTag(tag) ? Tags[tag]!.Type.Name : $"0x{tag:X2}";

    public static int FixedSizeOf(byte tag) => tag < Tags.Length && Tags[tag] is { } serializer ? serializer.FixedSize : 0;

    private static FixedSerializer<T, RawFormat<T>> Raw<T>(byte tag)
        where T : unmanaged => Fixed<T, RawFormat<T>>(tag);

    private static FixedSerializer<T, TFormat> Fixed<T, TFormat>(byte tag)
        where T : unmanaged
        where TFormat : IFixedFormat<T> => new(tag);
}
