using System.Text;
using Wire.Errors;

namespace Wire.Format;

/// <summary>Reads shapes from the bytes of a manifest, within bounds that no valid schema reaches.</summary>
internal ref struct ShapeParser(ReadOnlySpan<byte> bytes)
{
    /// <summary>The maximal number of nested levels of a shape.</summary>
    public const int MaxDepth = 32;

    private const int MaxFixedSize = 1 << 16;

    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    private ReadOnlySpan<byte> _rest = bytes;
    private int _membersAbove;

    // The number of enclosing levels with something that can be empty in between, so that a recursion to them ends.
    private int _endingAbove;

    public readonly bool AtEnd => _rest.IsEmpty;

    /// <summary>Gets the number of bytes that have not been read.</summary>
    public readonly int Left => _rest.Length;

    public Shape ReadShape(int depth = 0)
    {
        if (depth > MaxDepth)
        {
            ThrowHelper.Format(WireFormatError.Manifest, $"A schema is nested deeper than {MaxDepth} levels.");
        }

        byte code = ReadByte();
        switch (code)
        {
            case ShapeCode.Nullable:
                return Shape.Nullable(ReadShape(depth + 1));
            case ShapeCode.Sequence:
                return Shape.Sequence(ReadPart(depth));
            case ShapeCode.Set:
                return Shape.Set(ReadPart(depth));
            case ShapeCode.Array:
                return Shape.Array(ReadPart(depth));
            case ShapeCode.Map:
                Shape key = ReadPart(depth);
                return Shape.Map(key, ReadPart(depth));
            case ShapeCode.Tagged:
                return Shape.Tagged(_rest is [ShapeCode.None, ..] ? ReadNone() : ReadPart(depth));
            case ShapeCode.Members:
                return Shape.FromMembers(ReadMembers(isPart: depth > 0, depth));
            case ShapeCode.Union:
                return ReadUnion(depth);
            case ShapeCode.Enum:
                return ReadEnum();
            case ShapeCode.Recursion:
                uint levels = ReadVarUInt32();
                if (levels >= (uint)_membersAbove)
                {
                    ThrowHelper.Format(
                        WireFormatError.Manifest, $"A schema recurses {levels} level(s) up, and only {_membersAbove} are above it.");
                }

                if (_membersAbove - levels > _endingAbove)
                {
                    ThrowHelper.Format(WireFormatError.Manifest, "A schema has values that contain themselves.");
                }

                return Shape.Recursion((int)levels);
            case ShapeCode.Fixed:
                uint size = ReadVarUInt32();
                if (size is 0 or > MaxFixedSize)
                {
                    ThrowHelper.Format(WireFormatError.Manifest, $"A schema has a value of {size} bytes; 1 to {MaxFixedSize} are allowed.");
                }

                return Shape.Fixed((int)size);
            case ShapeCode.Framed:
                return Shape.Framed;
            default:
                // A plain object takes no byte without its tag: zero bytes could contain any number of them.
                if (!TagTypes.IsTag(code) || code == Tag.Object)
                {
                    ThrowHelper.Format(WireFormatError.Manifest, $"0x{code:X2} is not the code of a shape.");
                }

                return Shape.BuiltIn(code);
        }
    }

    public uint ReadVarUInt32() => (uint)ReadVarint(32);

    private ulong ReadVarint(int bits)
    {
        ulong value = 0;
        for (int shift = 0; shift < bits; shift += 7)
        {
            ulong part = ReadByte();
            if (bits - shift < 7 && part >> (bits - shift) != 0)
            {
                break;
            }

            value |= (part & 0x7F) << shift;
            if (part < 0x80)
            {
                return value;
            }
        }

        return ThrowHelper.Format<ulong>(WireFormatError.Manifest, $"A number in a manifest exceeds {bits} bits.");
    }

    public string ReadText(uint length)
    {
        ReadOnlySpan<byte> text = ReadBytes(length);
        try
        {
            return StrictUtf8.GetString(text);
        }
        catch (DecoderFallbackException e)
        {
            throw new WireFormatException(WireFormatError.Manifest, "A name in a manifest is not UTF-8.", e);
        }
    }

    public ReadOnlySpan<byte> ReadBytes(uint length)
    {
        if (length > (uint)_rest.Length)
        {
            ThrowHelper.Format(WireFormatError.Manifest, $"A manifest ends inside a part of {length} byte(s).");
        }

        ReadOnlySpan<byte> part = _rest[..(int)length];
        _rest = _rest[(int)length..];
        return part;
    }

    public byte ReadByte() => ReadBytes(1)[0];

    // Reads the shape of a part that may be absent.
    private Shape ReadPart(int depth)
    {
        int before = _endingAbove;
        _endingAbove = _membersAbove;
        Shape shape = ReadShape(depth + 1);
        _endingAbove = before;
        return shape;
    }

    private Shape ReadNone()
    {
        ReadByte();
        return Shape.None;
    }

    private Shape ReadEnum()
    {
        byte integer = ReadByte();
        if (!EnumMember.IsInteger(integer))
        {
            ThrowHelper.Format(WireFormatError.Manifest, $"0x{integer:X2} is not the tag of an integer that an enum can be made of.");
        }

        uint count = ReadVarUInt32();

        // A name takes at least its length and a value.
        if (count == 0 || count > (uint)_rest.Length / 2)
        {
            ThrowHelper.Format(
                WireFormatError.Manifest, $"An enum of {count} names does not fit the {_rest.Length} byte(s) of its manifest.");
        }

        var members = new EnumMember[count];
        var names = new HashSet<string>(StringComparer.Ordinal);
        ulong bits = 0;
        for (int i = 0; i < members.Length; i++)
        {
            string name = ReadText(ReadVarUInt32());
            ulong more = ReadVarint(64);
            if (more > EnumMember.MaxBits(integer) - bits)
            {
                ThrowHelper.Format(WireFormatError.Manifest, $"The value of '{name}' does not fit the integer of its enum.");
            }

            bits += more;
            if (!names.Add(name) || (i > 0 && more == 0 && string.CompareOrdinal(members[i - 1].Name, name) > 0))
            {
                ThrowHelper.Format(WireFormatError.Manifest, $"The name '{name}' of an enum comes twice, or not in its order.");
            }

            members[i] = new EnumMember(name, bits);
        }

        return Shape.Enum(integer, members);
    }

    private Shape ReadUnion(int depth)
    {
        uint count = ReadVarUInt32();

        // A case takes at least the length of its name, a code and a count.
        if (count == 0 || count > (uint)_rest.Length / 3)
        {
            ThrowHelper.Format(
                WireFormatError.Manifest, $"A union of {count} cases does not fit the {_rest.Length} byte(s) of its manifest.");
        }

        _membersAbove++;
        var cases = new ShapeMember[count];
        var names = new HashSet<string>(StringComparer.Ordinal);
        for (int i = 0; i < cases.Length; i++)
        {
            string name = ReadText(ReadVarUInt32());
            if (!names.Add(name))
            {
                ThrowHelper.Format(WireFormatError.Manifest, $"A union has two cases named '{name}'.");
            }

            if (ReadByte() is var code && code != ShapeCode.Members)
            {
                ThrowHelper.Format(WireFormatError.Manifest, $"The case '{name}' of a union has the shape 0x{code:X2} instead of members.");
            }

            // The number of the case precedes its fields, so there may be none.
            cases[i] = new ShapeMember(name, Shape.FromMembers(ReadMembers(isPart: false, depth + 1)));
        }

        _membersAbove--;
        return Shape.Union(cases);
    }

    private ShapeMember[] ReadMembers(bool isPart, int depth)
    {
        uint count = ReadVarUInt32();
        if (count == 0 && isPart)
        {
            // A value without members takes a byte, so that a count of values is always bounded by the bytes that are left.
            ThrowHelper.Format(WireFormatError.Manifest, "A schema has a part without members.");
        }

        // A member takes at least the length of its name and a code.
        if (count > (uint)_rest.Length / 2)
        {
            ThrowHelper.Format(
                WireFormatError.Manifest, $"A schema of {count} members cannot fit the {_rest.Length} byte(s) of its manifest.");
        }

        _membersAbove++;
        var members = new ShapeMember[count];
        var names = new HashSet<string>(StringComparer.Ordinal);
        for (int i = 0; i < members.Length; i++)
        {
            string name = ReadText(ReadVarUInt32());
            if (!names.Add(name))
            {
                ThrowHelper.Format(WireFormatError.Manifest, $"A schema has two members named '{name}'.");
            }

            members[i] = new ShapeMember(name, ReadShape(depth + 1));
        }

        _membersAbove--;
        return members;
    }
}
