using Wire.Testing;

namespace Wire.Fuzz.Mutation;

/// <summary>What a part of an input is.</summary>
internal enum PartKind
{
    /// <summary>The byte in front of a payload.</summary>
    Header,

    /// <summary>One byte that says what follows.</summary>
    Tag,

    /// <summary>A value with its tag.</summary>
    Tagged,

    /// <summary>A value without a tag.</summary>
    Untagged,

    /// <summary>A value of fixed size.</summary>
    Fixed,

    /// <summary>The count of a collection, as a variable-length integer.</summary>
    Count,

    /// <summary>The number of a manifest behind its tag.</summary>
    Identifier,

    /// <summary>The number of an earlier object.</summary>
    Reference,

    /// <summary>The bytes of a text, without its length.</summary>
    Text,

    /// <summary>A manifest with its tag and its length.</summary>
    Definition,

    /// <summary>A use of a manifest that came earlier: its tag, and its number where that follows.</summary>
    Use,

    /// <summary>The name of a type in a manifest, without its length.</summary>
    TypeName,

    /// <summary>The flags of a manifest.</summary>
    Flags,

    /// <summary>A shape in a schema, with everything in it.</summary>
    Shape,

    /// <summary>The name of a member or case in a schema, without its length.</summary>
    MemberName,

    /// <summary>A comparer.</summary>
    Comparer,

    /// <summary>A whole message, without its length.</summary>
    Message,
}

/// <summary>A part of an input: its bytes from <paramref name="Start"/> to before <paramref name="End"/>.</summary>
internal readonly record struct Part(PartKind Kind, int Start, int End)
{
    public int Length => End - Start;
}

/// <summary>How a length is written.</summary>
internal enum LengthCode
{
    /// <summary>A variable-length integer.</summary>
    Varint,

    /// <summary>That of a text: with 1 added, and a bit for its width.</summary>
    Text,

    /// <summary>That of the name of a type: doubled.</summary>
    Name,

    /// <summary>Four bytes.</summary>
    Frame,
}

/// <summary>
/// Content with a length in front: the length from <paramref name="Field"/>, the content from <paramref name="Start"/> to before
/// <paramref name="End"/>.
/// </summary>
internal readonly record struct Sized(LengthCode Code, int Field, int Start, int End);

/// <summary>Where the parts of an input are, as far as it could be understood.</summary>
internal sealed class Layout(byte[] input)
{
    private readonly Dictionary<PartKind, List<Part>> _byKind = [];
    private readonly List<Sized> _sized = [];
    private readonly List<(uint Identifier, int Start, int End)> _checked = [];

    public byte[] Input => input;

    /// <summary>The parts of a kind, in order of their ends.</summary>
    public IReadOnlyList<Part> Of(PartKind kind) => _byKind.TryGetValue(kind, out List<Part>? parts) ? parts : [];

    public ReadOnlySpan<byte> Bytes(Part part) => input.AsSpan(part.Start, part.Length);

    /// <summary>Takes note of a part; what would lie behind the end of a cut input is none.</summary>
    public void Add(PartKind kind, int start, int end)
    {
        if (end > input.Length)
        {
            return;
        }

        if (!_byKind.TryGetValue(kind, out List<Part>? parts))
        {
            _byKind[kind] = parts = [];
        }

        parts.Add(new Part(kind, start, end));
    }

    public void Add(Sized sized) => _sized.Add(sized);

    /// <summary>Takes note of a manifest with a check of four bytes behind it, as messages of sessions have them.</summary>
    public void AddCheck(uint identifier, int start, int end) => _checked.Add((identifier, start, end));

    /// <summary>The input with all checks made right, so that what is behind a changed definition is read too.</summary>
    public byte[] WithChecks()
    {
        byte[] bytes = [.. input];
        foreach ((uint identifier, int start, int end) in _checked.Where(check => check.End + sizeof(uint) <= bytes.Length))
        {
            BitConverter.TryWriteBytes(bytes.AsSpan(end), Crc32C.OfDefinition(identifier, bytes.AsSpan(start..end)));
        }

        return bytes;
    }

    /// <summary>The input with other bytes in place of a part, and with the lengths of everything around it made right.</summary>
    public byte[] Replace(int start, int end, ReadOnlySpan<byte> with)
    {
        var bytes = new List<byte>(input.Length + with.Length + 8);
        bytes.AddRange(input.AsSpan(0, start));
        bytes.AddRange(with);
        bytes.AddRange(input.AsSpan(end));
        int growth = with.Length - (end - start);

        // From the inside out: the field of each lies in front of all that has changed before.
        foreach (Sized sized in _sized.Where(s => s.Start <= start && end <= s.End).OrderByDescending(s => s.Start))
        {
            byte[] field = LengthField(sized, sized.End - sized.Start + growth);
            int old = sized.Start - sized.Field;
            bytes.RemoveRange(sized.Field, old);
            bytes.InsertRange(sized.Field, field);
            growth += field.Length - old;
        }

        return [.. bytes];
    }

    public byte[] Replace(Part part, ReadOnlySpan<byte> with) => Replace(part.Start, part.End, with);

    private byte[] LengthField(Sized sized, int length)
    {
        bool isWide = sized.Code == LengthCode.Text && (input[sized.Field] & 1) == 0;
        return sized.Code switch
        {
            LengthCode.Frame => BitConverter.GetBytes(length),
            LengthCode.Name => Varint((uint)length << 1),
            LengthCode.Text => Varint(((uint)(isWide ? length / 2 : length) << 1) + (isWide ? 2u : 1u)),
            _ => Varint((uint)length),
        };
    }

    /// <summary>A variable-length integer (docs/format.md, clause 4.3).</summary>
    public static byte[] Varint(uint value)
    {
        var bytes = new List<byte>();
        for (; value >= 0x80; value >>= 7)
        {
            bytes.Add((byte)(value | 0x80));
        }

        bytes.Add((byte)value);
        return [.. bytes];
    }
}
