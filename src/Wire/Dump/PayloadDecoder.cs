using System.Buffers.Binary;
using Wire.Format;

namespace Wire;

/// <summary>Walks through a payload by what it says of itself, and tells a page what it meets. Throws where that ends.</summary>
internal ref partial struct PayloadDecoder(ReadOnlySpan<byte> payload, DumpPage page)
{
    private const int MaxDepth = 100;
    private const int MaxValues = 1_000_000;
    private const int ShownElements = 32;
    private const int ShownInLine = 8;

    private readonly ReadOnlySpan<byte> _payload = payload;
    private readonly Dictionary<uint, ManifestFacts> _manifests = [];
    private int _at;
    private int _objects;
    private int _depth;
    private int _values;
    private bool _tracking;
    private bool _isNumbered;

    /// <summary>Where the next byte is.</summary>
    public readonly int Offset => _at;

    private readonly int Left => _payload.Length - _at;

    /// <summary>Describes the whole payload (docs/format.md, clauses 1 and 2).</summary>
    public void Payload()
    {
        byte header = ReadByte();
        if (!Header.IsKnown(header))
        {
            _at--;
            Header.Refuse(header, _payload[1..]);
        }

        _tracking = (header & Header.References) != 0;
        _isNumbered = (header & Header.Session) != 0;
        bool typed = (header & Header.Typed) != 0;
        string kind = (_isNumbered ? ", of a session" : "") + (_tracking ? ", object references" : "") + (typed ? ", typed root" : "");
        Line(0, $"header: format {Header.Version >> 4}{kind}");
        if (typed)
        {
            int start = _at;
            uint fingerprint = BinaryPrimitives.ReadUInt32LittleEndian(Take(sizeof(uint)));
            Line(start, $"fingerprint {fingerprint:X8}");
            Throw.Format(WireFormatError.SchemaMismatch, "The layout of a typed root is known only to the type that it was written as.");
        }

        Tagged("root: ", Shape.None, null);
        if (Left > 0)
        {
            Throw.Format(WireFormatError.TrailingBytes, $"{Left} byte(s) follow the end of the value.");
        }
    }

    private void Value(string label, Shape shape, Skipper.Levels? above)
    {
        if (_depth >= MaxDepth)
        {
            Throw.Format(WireFormatError.Limit, $"The payload is nested deeper than the {MaxDepth} levels that a dump follows.");
        }

        if (++_values > MaxValues)
        {
            Throw.Format(WireFormatError.Limit, $"The payload has more than the {MaxValues} values that a dump follows.");
        }

        _depth++;
        int start = _at;
        switch (shape.Code)
        {
            case ShapeCode.Nullable:
                byte present = ReadByte();
                Line(start, $"{label}{(present == 0 ? "null" : present == 1 ? "not null" : "invalid: neither null nor not null")}");
                if (present == 1)
                {
                    Below("value: ", shape.Element!, above);
                }
                else if (present > 1)
                {
                    Throw.Format(WireFormatError.InvalidValue, "The byte in front of a nullable value is neither 0 nor 1.");
                }

                break;
            case ShapeCode.Sequence:
                uint count = ReadCount(shape.Element!.MinSize);
                Line(start, $"{label}{count} element(s)");
                Elements(count, shape.Element, null, above);
                break;
            case ShapeCode.Set:
                string comparer = Comparer(ref start);
                count = ReadCount(shape.Element!.MinSize);
                Line(start, $"{label}set of {count} element(s), {comparer}");
                Elements(count, shape.Element, null, above);
                break;
            case ShapeCode.Map:
                comparer = Comparer(ref start);
                count = ReadCount(Shape.AddSizes(shape.Element!.MinSize, shape.Value!.MinSize));
                Line(start, $"{label}map of {count} pair(s), {comparer}");
                Elements(count, shape.Element, shape.Value, above);
                break;
            case ShapeCode.Array:
                count = Bounds(label, shape.Element!.MinSize);
                Elements(count, shape.Element, null, above);
                break;
            case ShapeCode.Members:
                Line(start, $"{label}{shape.Members.Length} member(s)");
                var level = new Skipper.Levels(shape, above);
                foreach (ShapeMember member in shape.Members)
                {
                    Below($"{DumpText.Plain(member.Name)}: ", member.Shape, level);
                }

                break;
            case ShapeCode.Union:
                uint number = ReadVarUInt32();
                if (number >= (uint)shape.Members.Length)
                {
                    _at = start;
                    UnionFormat.NoSuchCase(number, shape.Members.Length);
                }

                ShapeMember union = shape.Members[(int)number];
                Line(start, $"{label}case {DumpText.Plain(union.Name)}");
                level = new Skipper.Levels(union.Shape, new Skipper.Levels(shape, above));
                foreach (ShapeMember field in union.Shape.Members)
                {
                    Below($"{DumpText.Plain(field.Name)}: ", field.Shape, level);
                }

                break;
            case ShapeCode.Recursion:
                Skipper.Levels target = above!;
                for (int i = 0; i < shape.Size; i++)
                {
                    target = target.Above!;
                }

                Value(label, target.Shape, target.Above);
                break;
            case ShapeCode.Tagged:
                Tagged(label, shape.Element!, above);
                break;
            case ShapeCode.Framed:
                uint length = ReadCount(1);
                uint objects = _tracking ? Math.Min(ReadVarUInt32(), length) : 0;
                Line(start, $"{label}frame of {length} byte(s){(_tracking ? $" with {objects} object(s)" : "")}");
                _objects += (int)objects;
                start = _at;
                Take((int)length);
                Below(start, "in the format of a user's value serializer");
                break;
            case ShapeCode.Fixed:
                Take(shape.Size);
                Line(start, $"{label}{shape.Size} byte(s)");
                break;
            default:
                BuiltIn(start, label, shape.Code);
                break;
        }

        _depth--;
    }

    // A tag, and what the tag says (docs/format.md, clause 3).
    private void Tagged(string label, Shape declared, Skipper.Levels? above)
    {
        int start = _at;
        byte tag = ReadByte();
        switch (tag)
        {
            case Tag.Null:
                Line(start, $"{label}null");
                break;
            case Tag.Reference:
                uint number = ReadVarUInt32();
                string fault = !_tracking ? ", invalid: the header says that there are no references"
                    : number >= (uint)_objects ? $", invalid: there have been {_objects} objects"
                    : "";
                Line(start, $"{label}object #{number} again{fault}");
                break;
            case Tag.Declared when declared.Code != ShapeCode.None:
                Line(start, $"{label}declared type{TakeNumber()}");
                Below("", declared, above);
                break;
            case Tag.Definition:
                Definition(start, label);
                break;
            case Tag.Defined or >= Tag.FirstShortIdentifier:
                uint id = tag == Tag.Defined ? ReadVarUInt32() : tag - (uint)Tag.FirstShortIdentifier;
                ManifestFacts? manifest = _manifests.GetValueOrDefault(id);
                Line(start, $"{label}type {id} ({manifest?.Name ?? "unknown"}){TakeNumber()}");
                Body(manifest, id);
                break;
            case Tag.Vector:
                byte element = ReadByte();
                Shape shape = BuiltInTypes.VectorElement(element);
                Line(start, $"{label}array of {BuiltInTypes.NameOf(element)}{TakeNumber()}");
                Below("", Shape.Sequence(shape), null);
                break;
            case Tag.Object:
                Line(start, $"{label}Object{TakeNumber()}");
                break;
            case var _ when BuiltInTypes.IsTag(tag):
                BuiltIn(start, label, tag);
                break;
            default:
                _at = start;
                Throw.Format(WireFormatError.Tag, $"0x{tag:X2} is no tag, or may not stand here.");
                break;
        }
    }

    private void Body(ManifestFacts? manifest, uint id)
    {
        Shape shape = manifest is null
            ? Throw.Format<Shape>(WireFormatError.UnknownManifest, $"Manifest {id} is not in this payload: an earlier message of the session has it, or a user's frame.")
            : manifest.Shape ?? Throw.Format<Shape>(WireFormatError.SchemaMismatch, "The manifest carries a fingerprint instead of the schema (VersionTolerance was off).");
        Below("", shape, null);
    }

    private string TakeNumber() => _tracking ? $", object #{_objects++}" : "";

    private void Elements(uint count, Shape element, Shape? value, Skipper.Levels? above)
    {
        page.Level++;
        int start = _at;
        if (value is null && count > 0 && BuiltInTypes.FixedSizeOf(element.Code) is > 0 and int size)
        {
            Block(count, element.Code, size);
        }
        else
        {
            for (uint i = 0; i < count; i++)
            {
                if (i == ShownElements)
                {
                    start = _at;
                    page.Muted++;
                }

                Value(value is null ? $"[{i}]: " : $"[{i}] key: ", element, above);
                if (value is not null)
                {
                    Value($"[{i}] value: ", value, above);
                }
            }

            if (count > ShownElements)
            {
                page.Muted--;
                page.Line(start, [], $"... {count - ShownElements} more, {_at - start} byte(s)");
            }
        }

        page.Level--;
    }

    // Elements of a built-in type of fixed size lie side by side: one line shows the first.
    private void Block(uint count, byte tag, int size)
    {
        int start = _at;
        ReadOnlySpan<byte> bytes = Take((int)(count * size));
        var shown = new List<string>();
        for (int i = 0; i < count && i < ShownInLine; i++)
        {
            shown.Add(DumpText.Fixed(tag, bytes.Slice(i * size, size)));
        }

        Line(start, $"{BuiltInTypes.NameOf(tag)} {string.Join(", ", shown)}{(count > ShownInLine ? $", ... {count - ShownInLine} more" : "")}");
    }

    private void Below(string label, Shape shape, Skipper.Levels? above)
    {
        page.Level++;
        Value(label, shape, above);
        page.Level--;
    }

    private readonly void Below(int start, string meaning)
    {
        page.Level++;
        Line(start, meaning);
        page.Level--;
    }

    private readonly void Line(int start, string meaning) => page.Line(start, _payload[start.._at], meaning);
}
