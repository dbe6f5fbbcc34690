using System.Globalization;
using Wire.Tool.Running;
using Wire.Tool.Walking;

namespace Wire.Tool.Showing;

/// <summary>Writes nodes as a tree: one line for each, with its offset in front.</summary>
/// <param name="console">The output.</param>
/// <param name="settings">The options.</param>
internal sealed class TreeOutput(ToolConsole console, ShowSettings settings)
{
    /// <summary>The number of levels that are indented.</summary>
    public const int MostIndent = 40;

    private const int MostText = 200;
    private const int HexWidth = 8;
    private const int DefaultDepth = 20;

    private readonly int _depth = settings.Depth ?? DefaultDepth;

    /// <summary>Writes a node and what is inside it.</summary>
    public void Write(PayloadNode root)
    {
        var walk = new NodeWalk(root);
        while (walk.MoveNext())
        {
            if (settings.Limit > 0 && walk.Part.Index >= settings.Limit)
            {
                // All that is behind it is left out with it.
                Line(walk.Node, walk.Depth, console.Paint(Paint.Faint, "... more, see --limit"));
                walk.SkipBehind();
                continue;
            }

            if (walk.Part.Kind == PartKind.Key && walk.Node.Kind == PayloadKind.Scalar)
            {
                // It stands in front of its value.
                continue;
            }

            bool isCut = _depth > 0 && walk.Depth >= _depth && HasParts(walk.Node);
            Line(walk.Node, walk.Depth, Label(walk.Part) + Describe(walk.Node)
                + (isCut ? console.Paint(Paint.Faint, " ... deeper, see --depth") : ""));
            if (isCut)
            {
                walk.Skip();
            }
        }
    }

    /// <summary>Writes where the payload is damaged.</summary>
    public void WriteDamage(WireFormatException failure)
    {
        string offset = Math.Max(failure.Offset, 0).ToString(CultureInfo.InvariantCulture).PadLeft(8);
        console.Out.WriteLine($"{console.Paint(Paint.Faint, offset)}  {console.Paint(Paint.Bad, PlainText.Show(failure.Message, 3000))}");
    }

    /// <summary>Returns what a node is, in one line.</summary>
    public string Describe(PayloadNode node)
    {
        string? type = NodeFacts.NameOf(node);
        string shownType = type is null ? "" : console.Paint(Paint.Type, type);
        string number = node.Kind != PayloadKind.Reference && node.ObjectNumber >= 0
            ? string.Create(CultureInfo.InvariantCulture, $" (object {node.ObjectNumber})")
            : "";
        return node.Kind switch
        {
            PayloadKind.Null or PayloadKind.Reference => console.Paint(Paint.Value, ScalarTexts.Show(node, MostText)),
            PayloadKind.Scalar => $"{console.Paint(Paint.Value, ScalarTexts.Show(node, MostText))} {shownType}{number}",
            PayloadKind.Opaque => $"{shownType}{number} {Bytes(node, "opaque byte")}".TrimStart(),
            PayloadKind.Sequence when NodeFacts.IsOfBytes(node) => $"{shownType}{number} {Bytes(node, "byte")}".TrimStart(),
            _ => $"{shownType}{number} {Sum(node)}".TrimStart(),
        };
    }

    private static bool HasParts(PayloadNode node) => node.Count > 0 && !NodeFacts.IsOfBytes(node);

    private static string Counted(int count, string what) =>
        string.Create(CultureInfo.InvariantCulture, $"{count} {what}{(count == 1 ? "" : "s")}");

    private static string Sum(PayloadNode node) => node.Kind switch
    {
        PayloadKind.Members => Counted(node.Count, "member"),
        PayloadKind.Union => $"case {PlainText.Show(node.CaseName)}, {Counted(node.Count, "field")}",
        PayloadKind.Map => Counted(node.Count, "pair") + Comparer(node),
        PayloadKind.Set => "set, " + Counted(node.Count, "element") + Comparer(node),
        PayloadKind.Array => $"[{string.Join(", ", node.GetDimensions().Select(Dimension))}]",
        _ => Counted(node.Count, "element"),
    };

    private static string Dimension((int Length, int LowerBound) dimension) => dimension.LowerBound == 0
        ? dimension.Length.ToString(CultureInfo.InvariantCulture)
        : string.Create(CultureInfo.InvariantCulture, $"{dimension.LowerBound}..{(long)dimension.LowerBound + dimension.Length}");

    private static string Comparer(PayloadNode node) => node.Comparer is { } comparer ? $", {PlainText.Show(comparer)}" : "";

    private string Bytes(PayloadNode node, string what)
    {
        ReadOnlyMemory<byte> bytes = node.GetBytes();
        return $"{Counted(bytes.Length, what)} {console.Paint(Paint.Value, ScalarTexts.ShowBytes(bytes, 32))}";
    }

    private string Label(NodePart part) => part.Kind switch
    {
        PartKind.Root => "",
        PartKind.Member => console.Paint(Paint.Name, PlainText.Show(part.Name)) + ": ",
        PartKind.Element => string.Create(CultureInfo.InvariantCulture, $"[{part.Index}] "),
        PartKind.Key => string.Create(CultureInfo.InvariantCulture, $"[key {part.Index}] "),
        _ when part.Key.Kind == PayloadKind.Scalar => $"[{console.Paint(Paint.Name, ScalarTexts.Show(part.Key, MostText))}]: ",
        _ => string.Create(CultureInfo.InvariantCulture, $"[value {part.Index}] "),
    };

    private void Line(PayloadNode node, int depth, string text)
    {
        string indent = depth <= MostIndent ? new string(' ', 2 * depth)
            : new string(' ', 2 * MostIndent) + string.Create(CultureInfo.InvariantCulture, $"({depth} levels) ");
        string offset = node.Offset.ToString(CultureInfo.InvariantCulture).PadLeft(8);
        console.Out.WriteLine($"{console.Paint(Paint.Faint, offset)}  {Hex(node)}{indent}{text}".TrimEnd());
    }

    private string Hex(PayloadNode node)
    {
        if (!settings.Hex)
        {
            return "";
        }

        int head = NodeFacts.HeadOf(node);
        string hex = Convert.ToHexString(node.RawBytes.Span[..Math.Min(head, HexWidth)]) + (head > HexWidth ? ".." : "");
        return console.Paint(Paint.Faint, hex.PadRight((2 * HexWidth) + 2)) + "  ";
    }
}
