using System.Globalization;
using Wire.Format;

namespace Wire.Documents;

/// <summary>The parts of a node, one after the other: members, elements, or keys and values in turn.</summary>
internal struct Parts
{
    // By code (docs/format.md, clause 7).
    private static readonly string?[] Names =
    [
        null,
        "Ordinal",
        "OrdinalIgnoreCase",
        "InvariantCulture",
        "InvariantCultureIgnoreCase",
        "ReferenceEquality",
        "StructuralEquality",
        "Structural",
        "Comparer",
        "Comparer()",
        "CaseInsensitiveComparer()",
    ];

    private readonly PayloadDocument _document;
    private readonly Shape? _layout;
    private readonly long _parts;
    private int _at;
    private int _open;
    private long _next;

    private Parts(in PayloadNode node, bool hasLastKey = false)
    {
        _document = node.Document;
        _layout = node.Layout;
        _open = node.Inside;
        ByteCursor source = _document.CursorAt(node.Content);
        switch (node.Kind)
        {
            case PayloadKind.Sequence:
                Count = source.ReadVarUInt32();
                break;
            case PayloadKind.Array:
                Count = source.ReadBounds(0, out (int, int)[] dimensions);
                Dimensions = dimensions;
                break;
            case PayloadKind.Set or PayloadKind.Map:
                Comparer = ReadComparer(ref source, isPart: false);
                Count = source.ReadVarUInt32();
                break;
            default:
                Count = _layout?.Members.Length ?? 0;
                break;
        }

        _at = source.At;
        _parts = _layout?.Value is null ? Count : 2 * Count;
        if (node.CutParts is { } there)
        {
            bool isMap = _layout?.Value is not null;
            Count = isMap ? there / 2 : there;
            _parts = isMap && !hasLastKey ? 2 * Count : there;
        }
    }

    /// <summary>Gets the number of members, elements or pairs.</summary>
    public long Count { get; }

    /// <summary>Gets the comparer of a set or map; null for the default one.</summary>
    public string? Comparer { get; }

    /// <summary>Gets the comparers of a set or map that are objects.</summary>
    public PayloadNode[] ComparerObjects { get; private set; } = [];

    /// <summary>Gets the position of the next part.</summary>
    public readonly int At => _at;

    /// <summary>Gets the lengths and lower bounds of an array.</summary>
    public (int Length, int LowerBound)[] Dimensions { get; } = [];

    /// <summary>Gets the current part.</summary>
    public PayloadNode Current { get; private set; }

    /// <summary>Gets the number of the current part.</summary>
    public readonly long Index => _next - 1;

    /// <summary>Gets the name of the current member.</summary>
    public readonly string Name => _layout!.Members[(int)Index].Name;

    /// <summary>Begins before the first part of a node.</summary>
    public static Parts From(in PayloadNode node) => new(node);

    /// <summary>Begins before the first part, with the key whose value is not there any more as the last.</summary>
    public static Parts ToCut(in PayloadNode node) => new(node, hasLastKey: true);

    /// <summary>Goes to the next part.</summary>
    public bool MoveNext()
    {
        if (_next == _parts)
        {
            return false;
        }

        Current = PayloadNode.At(_document, LayoutOf(_next++), _at, _open);
        _at = Current.End;
        _open = Current.Behind;
        return true;
    }

    /// <summary>Goes to the part with a number, which is not behind the current one: at once where parts are of one size.</summary>
    public void GoTo(long index)
    {
        long size = _layout!.Members.Length > 0 ? 0 : _layout.ElementFixedSize;
        if (size > 0 && _layout.Value is null)
        {
            _at += (int)(size * (index - _next));
            _next = index;
        }

        while (_next < index && TrySkip(LayoutOf(_next)))
        {
            _next++;
        }

        while (_next <= index)
        {
            MoveNext();
        }
    }

    // Goes past a part without making its node, where that is quick: most are of a fixed size, texts, null, or noted in the index.
    private bool TrySkip(Shape shape)
    {
        if (_document.Index.IsOpenAt(_open, _at))
        {
            (_, _at, _open) = _document.Index.OpenValues[_open];
            return true;
        }

        ByteCursor source = _document.CursorAt(_at);
        var walker = new LayoutWalker(WalkStops.All, null);
        walker.GoTo(shape, _at);
        switch (walker.Next(ref source))
        {
            case WalkStep.Null:
                break;
            case WalkStep.Fixed:
                source.Skip(walker.Shape.FixedSize);
                break;
            case WalkStep.Scalar:
                Scalars.Skip(ref source, walker.Shape.Code, walker.IsTagged);
                break;
            default:
                return false;
        }

        _at = source.At;
        return true;
    }

    private readonly Shape LayoutOf(long index) => _layout!.Code == ShapeCode.Members ? _layout.Members[(int)index].Shape
        : _layout.Value is not null && (index & 1) != 0 ? _layout.Value : _layout.Element!;

    private string? ReadComparer(ref ByteCursor source, bool isPart)
    {
        byte code = source.ReadByte();
        switch (code)
        {
            case ComparerCode.Pair when !isPart:
                string? keys = ReadComparer(ref source, isPart: true);
                return $"{keys ?? "Default"}, values: {ReadComparer(ref source, isPart: true) ?? "Default"}";
            case ComparerCode.Culture:
                string? culture = source.ReadText();
                return string.Create(CultureInfo.InvariantCulture, $"Culture({culture}, {source.ReadInt32()})");
            case ComparerCode.Untyped:
                return $"Comparer({source.ReadText()})";
            case ComparerCode.UntypedIgnoringCase:
                return $"CaseInsensitiveComparer({source.ReadText()})";
            case ComparerCode.Object:
                PayloadNode comparer = PayloadNode.At(_document, Shape.TaggedOnly, source.At, _open);
                ComparerObjects = [.. ComparerObjects, comparer];
                source.Skip(comparer.Length);
                _open = comparer.Behind;
                return comparer.Type is { IsNamed: true } ? comparer.Type.ToString() : "object";
            default:
                return Names[code];
        }
    }
}
