using System.Globalization;
using Wire.Documents;
using Wire.Format;
using Wire.Runtime;

namespace Wire.Diagnostics;

/// <summary>
/// The lines of a document: one for each value, with the bytes in front of its parts, and those of the types that it defines.
/// </summary>
/// <param name="document">The document.</param>
/// <param name="end">The position up to which there are values.</param>
/// <param name="page">The page.</param>
internal sealed class DumpView(PayloadDocument document, int end, DumpPage page)
{
    // Deeper values are skipped: their lines would mostly be spaces.
    private const int ShownDepth = 100;

    private const int ShownElements = 32;
    private const int ShownInLine = 8;

    private readonly PayloadType[] _types = document.Index.Defined;

    /// <summary>Shows the value of the payload, as far as it goes.</summary>
    public void Show()
    {
        int root = document.Index.Root;
        if (root < end)
        {
            TryShow(document.Root, "root: ", root);
        }

        // What could not be walked through may have said its type.
        page.Level = 0;
        foreach (PayloadType type in _types.Where(type => type.Offset >= end))
        {
            Define(type, type.Offset, "");
        }
    }

    // False where there are no more values.
    private bool TryShow(PayloadNode node, string label, int start)
    {
        int level = page.Level;
        string head = Head(node);

        // The types that are defined in front of the value itself: its own, and those of values that it stands for.
        int next = LowerBound.Find(_types, _types.Length, start, static (types, i) => types[i].Offset);
        for (; next < _types.Length && _types[next].Offset < node.Content; next++)
        {
            page.Level = level;
            start = Define(_types[next], start, label + NumberOf(node));
            page.Level = level + 1;
            label = head = "";
        }

        bool goesOn = !node.HasParts || node.Layout is null ? ShowAlone(node, label, head, start)
            : page.Level < ShownDepth ? TryShowParts(node, label + head, start)
            : TryPass(start, node.End, $"{label}{head}deeper: ");
        page.Level = level;
        return goesOn;
    }

    private int Define(PayloadType type, int start, string label)
    {
        int manifest = type.Offset + type.Length - type.Definition.Bytes.Length;
        Line(start, manifest, $"{label}type {type.Id}, defined in {type.Definition.Bytes.Length} byte(s)");
        page.Level++;
        DumpType.Show(page, type, manifest);
        page.Level--;
        return type.Offset + type.Length;
    }

    private bool ShowAlone(PayloadNode node, string label, string head, int start)
    {
        string text = node.Kind switch
        {
            PayloadKind.Null => "null",
            PayloadKind.Members => "Object",
            PayloadKind.Reference => Reference(node.Number),
            PayloadKind.Opaque when node.Layout!.Code == ShapeCode.Framed =>
                $"block of {node.GetBytes().Length} byte(s) in the format of a user's value serializer",
            PayloadKind.Opaque => $"{node.Length} byte(s)",
            _ => DumpText.Scalar(node),
        };
        Line(start, node.End, label + head + text);
        return true;
    }

    private bool TryShowParts(PayloadNode node, string label, int start)
    {
        int level = page.Level;
        var parts = Parts.From(node);
        foreach (PayloadNode comparer in parts.ComparerObjects)
        {
            Line(start, comparer.Offset, "a comparer that is an object:");
            page.Level = level + 1;
            TryShow(comparer, "comparer: ", comparer.Offset);
            page.Level = level;
            start = comparer.End;
        }

        Line(start, parts.At, label + Describe(node, parts));
        page.Level = level + 1;
        if (parts.Count > 0
            && node is { Layout.Element: { } element, Kind: PayloadKind.Sequence or PayloadKind.Set or PayloadKind.Array }
            && (element.Code == ShapeCode.Enum || TagTypes.FixedSizeOf(element.Code) > 0))
        {
            Line(parts.At, node.End, Block(parts, element));
            return true;
        }

        bool isMap = node.Kind == PayloadKind.Map;
        bool hasNames = node.Kind is PayloadKind.Members or PayloadKind.Union;
        long shown = hasNames ? parts.Count : Math.Min(ShownElements, parts.Count);
        for (long i = 0; i < (isMap ? 2 * shown : shown); i++)
        {
            if (parts.At >= end || !parts.MoveNext())
            {
                return false;
            }

            string name = hasNames ? DumpText.Plain(parts.Name)
                : !isMap ? Invariant($"[{i}]")
                : Invariant($"[{i >> 1}] {((i & 1) == 0 ? "key" : "value")}");
            if (!TryShow(parts.Current, $"{name}: ", parts.Current.Offset))
            {
                return false;
            }
        }

        page.Level = level + 1;
        return parts.Count == shown || TryPass(parts.At, node.End, Invariant($"{parts.Count - shown} more, "));
    }

    private bool TryPass(int start, int behind, string what)
    {
        if (start < end)
        {
            page.Line(start, [], Invariant($"... {what}{behind - start} byte(s)"));
        }

        return behind <= end;
    }

    // Elements of a built-in type of fixed size are contiguous: one line shows the first.
    private string Block(Parts parts, Shape element)
    {
        ReadOnlySpan<byte> bytes = document.Payload.Span[parts.At..];
        var shown = new List<string>();
        for (int i = 0; i < Math.Min(parts.Count, ShownInLine); i++)
        {
            shown.Add(DumpText.Fixed(element, bytes.Slice(i * element.FixedSize, element.FixedSize)));
        }

        string more = parts.Count > ShownInLine ? Invariant($", ... {parts.Count - ShownInLine} more") : "";
        return $"{TagTypes.NameOf((element.Element ?? element).Code)} {string.Join(", ", shown)}{more}";
    }

    private static string Describe(PayloadNode node, Parts parts) => node.Kind switch
    {
        PayloadKind.Members => Invariant($"{parts.Count} member(s)"),
        PayloadKind.Union => $"case {DumpText.Plain(node.CaseName)}",
        PayloadKind.Map => Invariant($"map of {parts.Count} pair(s), {Comparer(parts)}"),
        PayloadKind.Set => Invariant($"set of {parts.Count} element(s), {Comparer(parts)}"),
        PayloadKind.Array => $"array of {string.Join(" x ", parts.Dimensions.Select(Dimension))} element(s)",
        _ => Invariant($"{parts.Count} element(s)"),
    };

    private static string Dimension((int Length, int LowerBound) dimension) =>
        dimension.LowerBound == 0 ? Invariant($"{dimension.Length}") : Invariant($"{dimension.Length} from {dimension.LowerBound}");

    private static string Comparer(Parts parts) =>
        parts.Comparer is null ? "default comparer" : $"comparer {DumpText.Plain(parts.Comparer)}";

    // What a tag says of the value behind it.
    private static string Head(PayloadNode node)
    {
        string head = node.Type is { } type ? Invariant($"type {type.Id} ({DumpType.NameOf(type)})")
            : node.IsVector ? $"array of {TagTypes.NameOf((byte)node.Number)}"
            : node.IsDeclared ? "declared type"
            : "";
        string number = NumberOf(node);
        return head.Length == 0 && number.Length == 0 ? "" : $"{number}{head}{(head.Length == 0 ? "" : ", ")}";
    }

    private static string NumberOf(PayloadNode node) =>
        node.Kind == PayloadKind.Reference || node.ObjectNumber < 0 ? "" : Invariant($"object #{node.ObjectNumber}, ");

    private string Reference(int number)
    {
        int objects = document.Index.Objects.Count;
        return Invariant($"object #{number} again") + (
            !document.Index.HasReferences ? ", invalid: the header says that there are no references"
            : number < 0 || number >= objects ? Invariant($", invalid: the payload has only {objects} objects")
            : "");
    }

    private void Line(int start, int behind, string meaning) => page.Line(start, document.Payload.Span[start..behind], meaning);

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
