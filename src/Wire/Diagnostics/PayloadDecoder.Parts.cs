using System.Buffers.Binary;
using System.Globalization;
using Wire.Errors;
using Wire.Format;
using Wire.Manifests;
using Wire.Messages;

namespace Wire.Diagnostics;

/// <content>Manifests, single values, and the numbers and lengths that everything is made of.</content>
internal ref partial struct PayloadDecoder
{
    private const int ShownMembers = 256;

    private sealed record ManifestFacts(string Name, Shape? Shape);

    // A tag, an identifier (in a session's message), a length, a manifest, and the value of that type (docs/format.md, clauses 5 and 6).
    private void Definition(int start, string label)
    {
        uint id = _isNumbered ? ReadVarUInt32() : (uint)_manifests.Count;
        uint length = ReadCount(1);
        Line(start, $"{label}type {id}, defined in {length} byte(s){TakeNumber()}");
        page.Level++;
        ManifestFacts manifest = ReadManifest(_at + (int)length);
        page.Level--;
        _manifests[id] = manifest;
        Body(manifest, id);
    }

    private ManifestFacts ReadManifest(int end)
    {
        int start = _at;
        var parser = new ShapeParser(_payload[start..end]);
        uint header = parser.ReadVarUInt32();
        string name = (header & 1) != 0 ? string.Create(CultureInfo.InvariantCulture, $"known type {header >> 1}")
            : header == 0 ? "the declared type"
            : $"\"{DumpText.Plain(parser.ReadText(header >> 1))}\"";
        _at = end - parser.Left;
        Line(start, $"name: {name}");

        start = _at;
        byte flags = parser.ReadByte();
        bool hasSchema = (flags & Manifest.SchemaFlag) != 0;
        if ((flags & ~(Manifest.SchemaFlag | Manifest.SurrogateFlag)) != 0)
        {
            ThrowHelper.Format(WireFormatError.Manifest, $"0x{flags:X2} are not valid flags of a manifest.");
        }

        _at++;
        Line(start, $"flags: {(hasSchema ? "schema" : "fingerprint")}{((flags & Manifest.SurrogateFlag) != 0 ? ", surrogate" : "")}");

        start = _at;
        Shape? shape = null;
        if (hasSchema)
        {
            shape = parser.ReadShape();
            Schema(start, end - parser.Left, shape);
        }
        else
        {
            uint fingerprint = BinaryPrimitives.ReadUInt32LittleEndian(parser.ReadBytes(sizeof(uint)));
            _at = end - parser.Left;
            Line(start, $"fingerprint {fingerprint:X8}");
        }

        if (!parser.AtEnd)
        {
            ThrowHelper.Format(WireFormatError.Manifest, "Bytes follow the end of a manifest.");
        }

        return new ManifestFacts(name, shape);
    }

    // Each member with its bytes if they are in canonical encoding, otherwise all bytes together.
    private void Schema(int start, int end, Shape shape)
    {
        byte[] encoded = shape.Encode();
        bool canonical = _payload[start..end].SequenceEqual(encoded);
        if (shape.Code != ShapeCode.Members || !canonical)
        {
            _at = end;
            Line(start, $"schema: {DumpText.Plain(shape.ToString())}");
            return;
        }

        _at = start + encoded.Length - shape.Members.Sum(EncodedLength);
        Line(start, $"schema: {shape.Members.Length} member(s)");
        page.Level++;
        foreach (ShapeMember member in shape.Members.Take(ShownMembers))
        {
            start = _at;
            _at += EncodedLength(member);
            Line(start, $"{DumpText.Plain(member.Name)}: {DumpText.Plain(member.Shape.ToString())}");
        }

        if (shape.Members.Length > ShownMembers)
        {
            page.Line(_at, [], $"... {shape.Members.Length - ShownMembers} more");
        }

        page.Level--;
        _at = end;
    }

    // The members shape of one member, without the code and the count in front.
    private static int EncodedLength(ShapeMember member) => Shape.FromMembers([member]).Encode().Length - 2;

    private void BuiltIn(int start, string label, byte tag)
    {
        string text;
        if (TagTypes.FixedSizeOf(tag) is > 0 and int size)
        {
            text = DumpText.Fixed(tag, ReadBytes(size));
        }
        else
        {
            switch (tag)
            {
                case Tag.Uri:
                    bool absolute = ReadByte() != 0;
                    text = $"{(absolute ? "absolute" : "relative")} {ReadText()}";
                    break;
                case Tag.Version:
                    text = string.Create(CultureInfo.InvariantCulture, $"{ReadNumber()}.{ReadNumber()}.{ReadNumber()}.{ReadNumber()}");
                    break;
                case Tag.BigInteger:
                    text = DumpText.Integer(ReadBytes((int)ReadCount(1)));
                    break;
                case Tag.Object:
                    text = "";
                    break;
                default:
                    text = ReadText();
                    break;
            }
        }

        Line(start, $"{label}{TagTypes.NameOf(tag)} {text}".TrimEnd());
    }

    private string Comparer(byte code)
    {
        switch (code)
        {
            case ComparerFormat.Culture:
                string culture = ReadText();
                return $"comparer of culture {culture} with options {ReadNumber()}";
            case ComparerFormat.Untyped or ComparerFormat.UntypedIgnoringCase:
                return $"{(code == ComparerFormat.Untyped ? "comparer" : "case-insensitive comparer")} of objects, of culture {ReadText()}";
            case ComparerFormat.Object:
                return "the comparer above";
            case var _ when !ComparerFormat.IsKnown(code):
                return ThrowHelper.Format<string>(WireFormatError.InvalidValue, $"{code} is not a comparer.");
            default:
                return ComparerFormat.NameOf(code);
        }
    }

    private string ReadText()
    {
        uint header = ReadVarUInt32();
        if (header == 0)
        {
            return "null";
        }

        uint length = (header - 1) >> 1;
        bool wide = ((header - 1) & 1) != 0;
        ReadOnlySpan<byte> bytes = ReadBytes(length * (wide ? 2L : 1L));
        Span<char> start = stackalloc char[(int)Math.Min(length, DumpText.MaxCharacters)];
        for (int i = 0; i < start.Length; i++)
        {
            start[i] = wide ? (char)BinaryPrimitives.ReadUInt16LittleEndian(bytes[(2 * i)..]) : (char)bytes[i];
        }

        return DumpText.Quote(start, length);
    }

    private uint Bounds(string label, int elementSize)
    {
        int start = _at;
        byte rank = ReadByte();
        if (rank is 0 or > ArrayFormat.MaxRank)
        {
            ThrowHelper.InvalidValue("array", $"its rank is {rank} and should be 1 to {ArrayFormat.MaxRank}");
        }

        var dimensions = new List<string>();
        long count = 1;
        for (int i = 0; i < rank; i++)
        {
            uint length = ReadVarUInt32();
            int lowerBound = ReadNumber();
            dimensions.Add(string.Create(CultureInfo.InvariantCulture, $"{length}{(lowerBound == 0 ? "" : $" from {lowerBound}")}"));
            count *= length;
            if (count > uint.MaxValue)
            {
                ThrowHelper.InvalidValue("array", "its lengths multiply to more elements than an array can have");
            }
        }

        CheckLength(count * elementSize);
        Line(start, $"{label}array of {string.Join(" x ", dimensions)} element(s)");
        return (uint)count;
    }

    private uint ReadCount(int elementSize)
    {
        int start = _at;
        uint count = ReadVarUInt32();
        if ((long)count * elementSize > Left)
        {
            int left = Left;
            _at = start;
            ThrowHelper.Length((long)count * elementSize, left);
        }

        return count;
    }

    private int ReadNumber() => BinaryPrimitives.ReadInt32LittleEndian(ReadBytes(sizeof(int)));

    private uint ReadVarUInt32()
    {
        int start = _at;
        uint value = 0;
        for (int shift = 0; ; shift += 7)
        {
            uint part = ReadByte();
            if (shift == 28 && part > 0x0F)
            {
                _at = start;
                ThrowHelper.InvalidValue("variable-length integer", "it exceeds 32 bits");
            }

            value |= (part & 0x7F) << shift;
            if (part < 0x80)
            {
                return value;
            }
        }
    }

    private byte ReadByte() => ReadBytes(1)[0];

    private ReadOnlySpan<byte> ReadBytes(long size)
    {
        CheckLength(size);
        _at += (int)size;
        return _payload.Slice(_at - (int)size, (int)size);
    }

    private readonly void CheckLength(long size)
    {
        if (size > Left)
        {
            ThrowHelper.Truncated(size - Left);
        }
    }
}
