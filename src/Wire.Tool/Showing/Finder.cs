using Wire.Tool.Running;
using Wire.Tool.Walking;

namespace Wire.Tool.Showing;

/// <summary>Looks for a text in names of members, values and names of types, in any case.</summary>
/// <param name="console">The output.</param>
/// <param name="tree">Describes what is found.</param>
/// <param name="settings">The options.</param>
internal sealed class Finder(ToolConsole console, TreeOutput tree, ShowSettings settings)
{
    private readonly string _text = settings.Find!;
    private readonly bool _mayBeInteger = settings.Find!.All(character => character == '-' || char.IsAsciiDigit(character));
    private readonly Dictionary<string, bool> _names = new(ReferenceEqualityComparer.Instance);
    private readonly Dictionary<PayloadType, bool> _types = [];

    /// <summary>Gets the number of nodes that were found.</summary>
    public long Found { get; private set; }

    /// <summary>Writes the path of each node that has the text.</summary>
    /// <param name="root">Where it is looked for.</param>
    /// <param name="prefix">What stands in front of each path.</param>
    public void Find(PayloadNode root, string prefix)
    {
        // Those of another payload are other objects.
        _names.Clear();
        _types.Clear();
        var walk = new NodeWalk(root);
        while (walk.MoveNext())
        {
            if (!Matches(walk.Node, walk.Part))
            {
                continue;
            }

            Found++;
            if (settings.Limit <= 0 || Found <= settings.Limit)
            {
                console.Out.WriteLine(FormattableString.Invariant(
                    $"{prefix}{walk.DescribePath()} @{walk.Node.Offset}: {tree.Describe(walk.Node)}").TrimEnd());
            }
        }
    }

    private bool Matches(PayloadNode node, NodePart part)
    {
        if (part.Name is { } name)
        {
            if (!_names.TryGetValue(name, out bool isFound))
            {
                isFound = Has(name);
                _names.Add(name, isFound);
            }

            if (isFound)
            {
                return true;
            }
        }

        if (node.Type is { } type)
        {
            if (!_types.TryGetValue(type, out bool isFound))
            {
                isFound = Has(type.ToString());
                _types.Add(type, isFound);
            }

            if (isFound)
            {
                return true;
            }
        }

        return (node.Kind == PayloadKind.Scalar && ((_mayBeInteger || !IsInteger(node)) && Has(node.GetText()) || node.EnumNames.Any(Has)))
            || (node.Kind == PayloadKind.Union && Has(node.CaseName));
    }

    private static bool IsInteger(PayloadNode scalar) => scalar.Type is null && Type.GetTypeCode(scalar.ScalarType) is
        (>= TypeCode.SByte and <= TypeCode.UInt64);

    private bool Has(string text) => text.Contains(_text, StringComparison.OrdinalIgnoreCase);
}
