using System.Buffers.Binary;
using Wire.Errors;
using Wire.Format;
using Wire.Messages;
using Wire.Types;

namespace Wire.Diagnostics;

/// <summary>Walks through a payload by its own manifests, and adds lines to a page. Throws where it cannot continue.</summary>
internal ref partial struct PayloadDecoder(ReadOnlySpan<byte> payload, DumpPage page)
{
    // Deeper values are skipped: their lines would mostly be spaces.
    private const int ShownDepth = 100;

    // Each open value takes about a hundred bytes of memory, and two bytes of a payload may open one.
    private const int MaxDepth = 1_000_000;

    // Some values take no bytes, so that the bytes alone are no bound.
    private const int MaxValues = 1_000_000;
    private const long MaxValuesPerByte = 8;
    private const int ShownElements = 32;
    private const int ShownInLine = 8;

    private readonly ReadOnlySpan<byte> _payload = payload;
    private readonly Dictionary<uint, ManifestFacts> _manifests = [];
    private readonly Stack<DumpNest> _open = [];
    private int _at;
    private int _objects;
    private int _deepest;
    private int _passedOver;
    private long _values;
    private bool _tracking;
    private bool _isNumbered;

    /// <summary>Gets the position of the next byte.</summary>
    public readonly int Offset => _at;

    private readonly int Left => _payload.Length - _at;

    /// <summary>Describes the whole payload (docs/format.md, clauses 1 and 2).</summary>
    public void Payload()
    {
        byte header = ReadByte();
        if (!PayloadHeader.IsKnown(header))
        {
            _at--;
            PayloadHeader.Refuse(header, _payload[1..]);
        }

        _tracking = (header & PayloadHeader.References) != 0;
        _isNumbered = (header & PayloadHeader.Session) != 0;
        bool typed = (header & PayloadHeader.Typed) != 0;
        string kind = (_isNumbered ? ", of a session" : "") + (_tracking ? ", object references" : "") + (typed ? ", typed root" : "");
        Line(0, $"header: format {PayloadHeader.Version >> 4}{kind}");
        if (typed)
        {
            int start = _at;
            uint fingerprint = BinaryPrimitives.ReadUInt32LittleEndian(ReadBytes(sizeof(uint)));
            Line(start, $"fingerprint {fingerprint:X8}");
            ThrowHelper.Format(
                WireFormatError.SchemaMismatch, "The layout of a typed root is known only to the type that it was written as.");
        }

        Tagged("root: ", Shape.None, null);
        while (_open.TryPeek(out DumpNest? nest))
        {
            GoOn(nest);
        }

        if (Left > 0)
        {
            ThrowHelper.Format(WireFormatError.TrailingBytes, $"{Left} byte(s) follow the end of the value.");
        }
    }

    // Shows the next part of a value, or ends it.
    private void GoOn(DumpNest nest)
    {
        if (nest.Next == nest.Count)
        {
            Close(nest);
        }
        else
        {
            if (nest.Next == nest.Shown)
            {
                nest.Start = _at;
                page.Muted++;
            }

            Shape part = nest.TakePart(page.Muted == 0, out string name);
            Value(name, part, nest.Above);
        }
    }

    private void Open(DumpNest nest)
    {
        if (nest.Count == 0)
        {
            return;
        }

        if (_open.Count == MaxDepth)
        {
            ThrowHelper.Format(WireFormatError.Limit, $"The payload is nested deeper than the {MaxDepth} levels that a dump follows.");
        }

        if (_open.Count == ShownDepth)
        {
            _passedOver = _at;
            _deepest = 0;
            page.Muted++;
        }

        _open.Push(nest);
        _deepest = Math.Max(_deepest, _open.Count);
        page.Level = _open.Count;
    }

    private void Close(DumpNest nest)
    {
        bool isShortened = nest.Next > nest.Shown;
        if (isShortened)
        {
            page.Muted--;
        }

        if (_open.Count == ShownDepth + 1)
        {
            page.Muted--;
            page.Line(_passedOver, [], $"... {_deepest - ShownDepth} level(s) deeper, {_at - _passedOver} byte(s) passed over");
        }
        else if (isShortened)
        {
            long more = nest.Count - nest.Shown;
            page.Line(nest.Start, [], $"... {(nest.Shape.Code == ShapeCode.Map ? more / 2 : more)} more, {_at - nest.Start} byte(s)");
        }

        _open.Pop();
        page.Level = _open.Count;
        if (nest.CollectionBehind is { } collection)
        {
            ReadHead(collection);
        }
    }

    private void Value(string label, Shape shape, Skipper.Levels? above)
    {
        if (++_values > MaxValues + (MaxValuesPerByte * _payload.Length))
        {
            ThrowHelper.Format(
                WireFormatError.Limit,
                $"The payload has more than {MaxValues} values, and more than {MaxValuesPerByte} for each byte.");
        }

        int start = _at;
        switch (shape.Code)
        {
            case ShapeCode.Nullable:
                byte present = ReadByte();
                Line(start, $"{label}{(present == 0 ? "null" : present == 1 ? "not null" : "invalid: neither null nor not null")}");
                if (present == 1)
                {
                    Open(new DumpNest(shape.Element!, above, "value: "));
                }
                else if (present > 1)
                {
                    ThrowHelper.Format(WireFormatError.InvalidValue, "The byte in front of a nullable value is neither 0 nor 1.");
                }

                break;
            case ShapeCode.Sequence:
                uint count = ReadCount(shape.Element!.MinSize);
                Line(start, $"{label}{count} element(s)");
                Elements(shape, count, above);
                break;
            case ShapeCode.Set or ShapeCode.Map:
                ReadHead(new DumpHead(label, shape, above));
                break;
            case ShapeCode.Array:
                count = Bounds(label, shape.Element!.MinSize);
                Elements(shape, count, above);
                break;
            case ShapeCode.Members:
                Line(start, $"{label}{shape.Members.Length} member(s)");
                Members(shape, above);
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
                Members(union.Shape, new Skipper.Levels(shape, above));
                break;
            case ShapeCode.Recursion:
                Skipper.Levels target = above!;
                for (int i = 0; i < shape.Size; i++)
                {
                    target = target.Above!;
                }

                // Only members or a union, so the recursion ends here.
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
                ReadBytes((int)length);
                Below(start, "in the format of a user's value serializer");
                break;
            case ShapeCode.Fixed:
                ReadBytes(shape.Size);
                Line(start, $"{label}{shape.Size} byte(s)");
                break;
            case ShapeCode.Enum:
                Line(start, $"{label}{DumpText.Fixed(shape, ReadBytes(shape.FixedSize))}");
                break;
            default:
                BuiltIn(start, label, shape.Code);
                break;
        }
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
                    : number >= (uint)_objects ? $", invalid: there are only {_objects} objects so far"
                    : "";
                Line(start, $"{label}object #{number} again{fault}");
                break;
            case Tag.Declared when declared.Code != ShapeCode.None:
                Line(start, $"{label}declared type{TakeNumber()}");
                Open(new DumpNest(declared, above, ""));
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
                Line(start, $"{label}array of {TagTypes.NameOf(element)}{TakeNumber()}");
                Open(new DumpNest(Shape.Sequence(shape), null, ""));
                break;
            case Tag.Object:
                Line(start, $"{label}Object{TakeNumber()}");
                break;
            case var _ when TagTypes.IsTag(tag):
                BuiltIn(start, label, tag);
                break;
            default:
                _at = start;
                ThrowHelper.Format(WireFormatError.Tag, $"0x{tag:X2} is not a tag, or not one that is allowed here.");
                break;
        }
    }

    private void Body(ManifestFacts? manifest, uint id)
    {
        Shape shape = manifest is null
            ? ThrowHelper.Format<Shape>(
                WireFormatError.UnknownManifest,
                $"Manifest {id} is not defined in this payload, but in an earlier message of the session, or in the frame of a user's " +
                "value serializer.")
            : manifest.Shape ?? ThrowHelper.Format<Shape>(
                WireFormatError.SchemaMismatch, "The manifest carries a fingerprint instead of the schema (VersionTolerance was off).");
        Open(new DumpNest(shape, null, ""));
    }

    private string TakeNumber() => _tracking ? $", object #{_objects++}" : "";

    private void Members(Shape shape, Skipper.Levels? above) =>
        Open(new DumpNest(shape, new Skipper.Levels(shape, above)) { Count = shape.Members.Length });

    private void Elements(Shape shape, uint count, Skipper.Levels? above)
    {
        if (shape.Code != ShapeCode.Map && count > 0 && (shape.Element!.Names.Length > 0 || TagTypes.FixedSizeOf(shape.Element.Code) > 0))
        {
            Block(count, shape.Element);
            return;
        }

        int parts = shape.Code == ShapeCode.Map ? 2 : 1;
        Open(new DumpNest(shape, above) { Count = (long)parts * count, Shown = parts * ShownElements });
    }

    // The comparers of a set or map, and its count. A comparer that is an object has its own lines, before those.
    private void ReadHead(DumpHead head)
    {
        int start = _at;
        while (head.Left > 0)
        {
            byte code = ReadByte();
            if (code == ComparerFormat.Pair && head is { Left: 1, Comparers: null })
            {
                head.Left = 2;
                continue;
            }

            head.Add(Comparer(code));
            if (code == ComparerFormat.Object)
            {
                Line(start, "a comparer that is an object:");
                Open(new DumpNest(Shape.TaggedOnly, null, "comparer: ") { CollectionBehind = head });
                return;
            }
        }

        bool isMap = head.Shape.Code == ShapeCode.Map;
        uint count = ReadCount(Shape.AddSizes(head.Shape.Element!.MinSize, isMap ? head.Shape.Value!.MinSize : 0));
        Line(start, $"{head.Label}{(isMap ? $"map of {count} pair(s)" : $"set of {count} element(s)")}, {head.Comparers}");
        Elements(head.Shape, count, head.Above);
    }

    // Elements of a built-in type of fixed size are contiguous: one line shows the first.
    private void Block(uint count, Shape element)
    {
        int start = _at;
        int size = element.FixedSize;
        ReadOnlySpan<byte> bytes = ReadBytes((int)(count * size));
        var shown = new List<string>();
        for (int i = 0; i < count && i < ShownInLine; i++)
        {
            shown.Add(DumpText.Fixed(element, bytes.Slice(i * size, size)));
        }

        string more = count > ShownInLine ? $", ... {count - ShownInLine} more" : "";
        Below(start, $"{TagTypes.NameOf((element.Element ?? element).Code)} {string.Join(", ", shown)}{more}");
    }

    private readonly void Below(int start, string meaning)
    {
        page.Level++;
        Line(start, meaning);
        page.Level--;
    }

    private readonly void Line(int start, string meaning) => page.Line(start, _payload[start.._at], meaning);
}
