using Wire.Tool.Running;
using Wire.Tool.Walking;

namespace Wire.Tool.Showing;

/// <summary>Shows of payloads what the options ask for, and says in the end what none of them had.</summary>
/// <param name="console">The streams.</param>
/// <param name="settings">The options.</param>
internal sealed class PayloadView(ToolConsole console, ShowSettings settings)
{
    private readonly TreeOutput _tree = new(console, settings);
    private Finder? _finder;
    private bool _isPathFound;

    /// <summary>Gets the number of payloads that were looked at.</summary>
    public long Payloads { get; private set; }

    /// <summary>Gets the writer of values as JSON.</summary>
    public JsonOutput Json { get; } = new(console, settings);

    /// <summary>Gets the value of a payload that is asked for; null where it has none.</summary>
    public PayloadNode? Select(PayloadDocument document)
    {
        Payloads++;
        PayloadNode? selected = document.Root;
        if (settings.Path is { } path)
        {
            selected = document.Root.TryGet(path, out PayloadNode found) ? found : null;
        }

        if (settings.At is { } at && selected is { } within)
        {
            selected = NodeAt(within, at);
        }

        _isPathFound |= selected is not null;
        return selected;
    }

    /// <summary>Writes the paths of the values that have the text.</summary>
    /// <param name="node">Where it is looked for.</param>
    /// <param name="prefix">What stands in front of each path; plain.</param>
    public void Find(PayloadNode node, string prefix)
    {
        _finder ??= new Finder(console, _tree, settings);
        _finder.Find(node, settings.Path is null ? prefix : $"{prefix}{PlainText.Show(settings.Path)} > ");
    }

    /// <summary>Writes a value as a tree.</summary>
    public void WriteTree(PayloadNode node) => _tree.Write(node);

    /// <summary>Writes where a payload is damaged, behind the values in front of that.</summary>
    public void WriteDamage(WireFormatException failure) => _tree.WriteDamage(failure);

    /// <summary>Reports what was asked for and not found.</summary>
    public void Conclude(Action<string, int> complain)
    {
        if (Payloads == 0)
        {
            return;
        }

        if (!_isPathFound)
        {
            string which = settings.At is { } at
                ? FormattableString.Invariant($"No value begins at byte {at}.")
                : $"Nothing has the path {PlainText.Quote(settings.Path ?? "")}. Names are in the case that the payload has.";
            complain(which, ExitCodes.Refused);
        }
        else if (settings.Find is { } text && _finder is not { Found: > 0 })
        {
            complain($"Nothing has the text {PlainText.Quote(text)}.", ExitCodes.Refused);
        }
        else if (_finder?.Found > settings.Limit && settings.Limit > 0)
        {
            console.Out.WriteLine(FormattableString.Invariant($"... {_finder.Found - settings.Limit} more, see --limit"));
        }
    }

    // Only what is around the byte is entered.
    private static PayloadNode? NodeAt(PayloadNode root, int at)
    {
        var walk = new NodeWalk(root);
        while (walk.MoveNext())
        {
            if (walk.Node.Offset == at && walk.Node.Length > 0)
            {
                return walk.Node;
            }

            if (at < walk.Node.Offset || at >= walk.Node.Offset + walk.Node.Length)
            {
                walk.Skip();
            }
        }

        return null;
    }
}
