using System.Text;
using Wire.Runtime;

namespace Wire.Format;

/// <summary>One member of a <see cref="ShapeCode.Members"/> shape.</summary>
internal readonly record struct ShapeMember(string Name, Shape Shape);

/// <summary>
/// The layout of a value in the bytes, and the parts of a schema. Two shapes are equal when their values have the same encoding.
/// </summary>
internal sealed class Shape : IEquatable<Shape>
{
    private const byte Unchecked = 1;
    private const byte Checked = 2;

    private static readonly Shape?[] BuiltIns = new Shape?[Tag.FirstShortIdentifier];

    public static readonly Shape None = new(ShapeCode.None);
    public static readonly Shape Framed = new(ShapeCode.Framed);

    /// <summary>A value behind a tag, in a position that declares no type.</summary>
    public static readonly Shape TaggedOnly = new(ShapeCode.Tagged, None);
    public static readonly Shape String = BuiltIn(Tag.String);
    public static readonly Shape Empty = new(ShapeCode.Fixed, size: 1);

    // The number of bytes of every value; where that varies the complement of the least. Payloads choose how many shapes there are.
    private readonly int _bytes;

    // How many levels up the farthest recursion leads that leads out of this shape: 0 for the innermost level around it, -1 for none.
    private readonly int _reach;

    // The names of an enum, or the target of a recursion.
    private object? _more;

    // One byte, so that threads that find it at the same time do not meet half of it: 0 where it is not known.
    private byte _checks;

    private Shape(
        byte code, Shape? element = null, Shape? value = null, ShapeMember[]? members = null, EnumMember[]? names = null, int size = 0)
    {
        Code = code;
        Element = element;
        Value = value;
        Members = members ?? [];
        _more = names;
        Size = size;
        Depth = Math.Max(DepthAround(element), DepthAround(value));
        // Fields, for schemas are made in the first message of a program.
        _reach = code == ShapeCode.Recursion ? size : Math.Max(element is null ? -1 : element._reach, value is null ? -1 : value._reach);
        foreach (ShapeMember member in Members)
        {
            Depth = Math.Max(Depth, DepthAround(member.Shape));
            _reach = Math.Max(_reach, member.Shape._reach);
        }

        if (code is ShapeCode.Members or ShapeCode.Union && _reach >= 0)
        {
            BindMembers(this, 0);
            _reach--;
        }

        Parts = AddSizes(1 + (element?.Parts ?? 0), AddSizes(value?.Parts ?? 0, PartsOf(Members)));
        int fixedSize = ComputeFixedSize();
        _bytes = fixedSize > 0 ? fixedSize : ~(code == ShapeCode.Members ? Math.Max(1, MinSizeOf(Members)) : 1);
    }

    /// <summary>A <see cref="ShapeCode"/>, or the tag of a built-in type.</summary>
    public byte Code { get; }

    /// <summary>
    /// The element of a sequence, array or nullable; the key of a map; the declared layout of a tagged position; the integer of an enum.
    /// </summary>
    public Shape? Element { get; }

    /// <summary>The value of a map.</summary>
    public Shape? Value { get; }

    /// <summary>Gets the declared layout of a tagged position; null where none is declared.</summary>
    public Shape? Declared => Element is { Code: not ShapeCode.None } ? Element : null;

    /// <summary>The members of an object, or the cases of a union, each with a members shape of its fields.</summary>
    public ShapeMember[] Members { get; }

    /// <summary>The names of an enum and their values, in the order of these, as unsigned numbers, and then of the names.</summary>
    public EnumMember[] Names => _more as EnumMember[] ?? [];

    /// <summary>Finds the name of an enum's value; null where it has none.</summary>
    /// <param name="value">The bytes of the value.</param>
    public string? NameOf(ReadOnlySpan<byte> value)
    {
        // The first of those that have this value.
        ulong bits = EnumMember.BitsOf(value);
        int at = LowerBound.Find(Names, Names.Length, bits, static (names, i) => names[i].Bits);
        return at < Names.Length && Names[at].Bits == bits ? Names[at].Name : null;
    }

    /// <summary>The bytes of a fixed shape, or the levels up of a recursion.</summary>
    public int Size { get; }

    /// <summary>Gets the shape of the values: that around it to which a recursion leads, and itself for others.</summary>
    public Shape Resolved => _more as Shape ?? this;

    /// <summary>Gets whether it is or contains a recursion to a shape around it.</summary>
    public bool LeadsOut => _reach >= 0;

    /// <summary>Gets the number of levels of shapes that it contains.</summary>
    public int Depth { get; }

    /// <summary>Gets the number of shapes in it, including itself: at most the number of bytes of its schema.</summary>
    public int Parts { get; }

    /// <summary>Gets the number of bytes that every value takes; 0 when that varies.</summary>
    public int FixedSize => _bytes > 0 ? _bytes : 0;

    /// <summary>
    /// Gets the least number of bytes of a value: never 0, so that a count of elements is always bounded by the remaining bytes.
    /// </summary>
    public int MinSize => _bytes > 0 ? _bytes : ~_bytes;

    /// <summary>Gets the least number of bytes of an element, or of a pair of key and value.</summary>
    public int ElementMinSize => Value is null ? Element!.MinSize : AddSizes(Element!.MinSize, Value.MinSize);

    /// <summary>Gets the number of bytes of every element or pair; 0 when that varies.</summary>
    public long ElementFixedSize => Element!.FixedSize == 0 || Value is { FixedSize: 0 } ? 0
        : (long)Element.FixedSize + (Value?.FixedSize ?? 0);

    /// <summary>Gets whether not all bytes of the fixed size are a value.</summary>
    public bool IsChecked => (_checks != 0 ? _checks : _checks = FindChecked() ? Checked : Unchecked) == Checked;

    /// <summary>Gets whether a value can contain its own type without an object in between: in a collection that is part of it.</summary>
    public bool NestsInline => Reaches(-1);

    /// <summary>
    /// Gets whether it is the layout of an async sequence: a number, which stands for elements elsewhere in the same payload.
    /// </summary>
    public bool IsAsyncSequence => Code == ShapeCode.Members && Members is [{ Name: nameof(IAsyncEnumerable<>) }];

    public static Shape AsyncSequence() => FromMembers([new ShapeMember(nameof(IAsyncEnumerable<>), BuiltIn(Format.Tag.UInt32))]);

    public static Shape BuiltIn(byte tag) => BuiltIns[tag] ??= new(tag);

    public static Shape Nullable(Shape element) => new(ShapeCode.Nullable, element);

    public static Shape Sequence(Shape element) => new(ShapeCode.Sequence, element);

    public static Shape Set(Shape element) => new(ShapeCode.Set, element);

    public static Shape Map(Shape key, Shape value) => new(ShapeCode.Map, key, value);

    public static Shape Array(Shape element) => new(ShapeCode.Array, element);

    public static Shape Tagged(Shape declared) => new(ShapeCode.Tagged, declared);

    public static Shape Fixed(int size) => new(ShapeCode.Fixed, size: size);

    public static Shape Recursion(int levels) => new(ShapeCode.Recursion, size: levels);

    public static Shape FromMembers(ShapeMember[] members) => new(ShapeCode.Members, members: members);

    public static Shape Union(ShapeMember[] cases) => new(ShapeCode.Union, members: cases);

    /// <summary>Makes the shape of an enum.</summary>
    /// <param name="integer">The tag of its underlying type.</param>
    /// <param name="names">Its names, in the order of <see cref="Names"/>.</param>
    public static Shape Enum(byte integer, EnumMember[] names) => new(ShapeCode.Enum, BuiltIn(integer), names: names);

    /// <summary>Adds minimal sizes, saturating, because a payload chooses them.</summary>
    public static int AddSizes(IEnumerable<int> sizes) => sizes.Aggregate(0, AddSizes);

    /// <inheritdoc cref="AddSizes(IEnumerable{int})"/>
    public static int AddSizes(int size, int other) => (int)Math.Min((long)size + other, int.MaxValue);

    private static int DepthAround(Shape? part) => part is null ? 0 : part.Depth + 1;

    // Loops, and no queries: these would have to be compiled before the first message.
    private static int PartsOf(ShapeMember[] members)
    {
        int parts = 0;
        foreach (ShapeMember member in members)
        {
            parts = AddSizes(parts, member.Shape.Parts);
        }

        return parts;
    }

    private static int MinSizeOf(ShapeMember[] members)
    {
        int size = 0;
        foreach (ShapeMember member in members)
        {
            size = AddSizes(size, member.Shape.MinSize);
        }

        return size;
    }

    /// <inheritdoc/>
    public bool Equals(Shape? other) => other is not null && IsLike(other, namesMayBeAbsent: false);

    /// <summary>Returns whether values of this shape, which a payload has, are values of another, which is the program's own.</summary>
    /// <param name="other">The program's own.</param>
    /// <param name="namesMayBeAbsent">True if the writer may have left out the names of enums; else the shapes have to be equal.</param>
    public bool IsLike(Shape other, bool namesMayBeAbsent)
    {
        if (ReferenceEquals(this, other))
        {
            return true;
        }

        if (namesMayBeAbsent && other.Code == ShapeCode.Enum && Code == other.Element!.Code)
        {
            return true;
        }

        if (Code != other.Code || Size != other.Size || Members.Length != other.Members.Length || Names.Length != other.Names.Length
            || !IsLike(Element, other.Element, namesMayBeAbsent) || !IsLike(Value, other.Value, namesMayBeAbsent))
        {
            return false;
        }

        // A loop, and no code of the runtime: that would be compiled before the first message.
        for (int i = 0; i < Names.Length; i++)
        {
            if (Names[i].Name != other.Names[i].Name || Names[i].Bits != other.Names[i].Bits)
            {
                return false;
            }
        }

        for (int i = 0; i < Members.Length; i++)
        {
            if (Members[i].Name != other.Members[i].Name || !Members[i].Shape.IsLike(other.Members[i].Shape, namesMayBeAbsent))
            {
                return false;
            }
        }

        return true;
    }

    private static bool IsLike(Shape? part, Shape? other, bool namesMayBeAbsent) =>
        part is null || other is null ? ReferenceEquals(part, other) : part.IsLike(other, namesMayBeAbsent);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as Shape);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Code, Size, Members.Length);

    /// <summary>For error messages and dumps.</summary>
    public override string ToString() => ShapeText.Describe(this);

    /// <summary>Returns the text without words of the format: a variable for several types is one of object.</summary>
    public string InWords() => ToString().Replace("tagged value", "object", StringComparison.Ordinal);

    /// <summary>Gets the shape's bytes in a schema.</summary>
    /// <param name="withNames">True if enums are to have their names.</param>
    public byte[] Encode(bool withNames = true)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        Encode(writer, withNames);
        writer.Flush();
        return stream.ToArray();
    }

    private void Encode(BinaryWriter writer, bool withNames)
    {
        if (Code == ShapeCode.Enum && !withNames)
        {
            Element!.Encode(writer, withNames);
            return;
        }

        writer.Write(Code);
        switch (Code)
        {
            case ShapeCode.Fixed or ShapeCode.Recursion:
                writer.Write7BitEncodedInt(Size);
                break;
            case ShapeCode.Members or ShapeCode.Union:
                writer.Write7BitEncodedInt(Members.Length);
                foreach (ShapeMember member in Members)
                {
                    Write(writer, member.Name);
                    member.Shape.Encode(writer, withNames);
                }

                break;
            case ShapeCode.Enum:
                Element!.Encode(writer, withNames);
                writer.Write7BitEncodedInt(Names.Length);
                ulong before = 0;
                foreach (EnumMember member in Names)
                {
                    Write(writer, member.Name);
                    writer.Write7BitEncodedInt64((long)(member.Bits - before));
                    before = member.Bits;
                }

                break;
            default:
                Element?.Encode(writer, withNames);
                Value?.Encode(writer, withNames);
                break;
        }
    }

    private static void Write(BinaryWriter writer, string name)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(name);
        writer.Write7BitEncodedInt(utf8.Length);
        writer.Write(utf8);
    }

    // Gives the recursions inside that lead so many levels up their target. Where a level is made again with other names, they keep the one
    // that they have.
    private void Bind(Shape target, int levels)
    {
        if (_reach < levels)
        {
            return;
        }

        if (Code == ShapeCode.Recursion && Size == levels)
        {
            _more ??= target;
        }

        Element?.Bind(target, levels);
        Value?.Bind(target, levels);
        BindMembers(target, levels + 1);
    }

    private void BindMembers(Shape target, int levels)
    {
        foreach (ShapeMember member in Members)
        {
            member.Shape.Bind(target, levels);
        }
    }

    // Returns whether a recursion leads that many levels up, without a tagged position on the way.
    private bool Reaches(int levels) => Code switch
    {
        ShapeCode.Recursion => Size == levels,
        ShapeCode.Tagged => false,
        ShapeCode.Members or ShapeCode.Union => System.Array.Exists(Members, member => member.Shape.Reaches(levels + 1)),
        _ => Element?.Reaches(levels) == true || Value?.Reaches(levels) == true,
    };

    private bool FindChecked() => Code == ShapeCode.Members ? System.Array.Exists(Members, member => member.Shape.IsChecked)
        : TagTypes.IsChecked(Code);

    private int ComputeFixedSize()
    {
        switch (Code)
        {
            case ShapeCode.Fixed:
                return Size;
            case ShapeCode.Enum:
                return Element!.FixedSize;
            case ShapeCode.Members:
                long total = 0;
                foreach (ShapeMember member in Members)
                {
                    if (member.Shape.FixedSize == 0)
                    {
                        return 0;
                    }

                    total += member.Shape.FixedSize;
                }

                return total <= int.MaxValue ? (int)total : 0;
            default:
                return TagTypes.FixedSizeOf(Code);
        }
    }
}
