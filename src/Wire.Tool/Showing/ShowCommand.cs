using Wire.Tool.Inputs;
using Wire.Tool.Running;
using Wire.Tool.Walking;

namespace Wire.Tool.Showing;

/// <summary><c>wire show</c>.</summary>
/// <param name="console">The streams.</param>
/// <param name="files">The reader of files.</param>
/// <param name="settings">The options.</param>
internal sealed class ShowCommand(ToolConsole console, PayloadFiles files, ShowSettings settings)
{
    private readonly TreeOutput _tree = new(console, settings);
    private readonly JsonOutput _json = new(console, settings);
    private bool _isPathFound;
    private long _shown;

    /// <summary>Shows files.</summary>
    public int Run(string[] paths)
    {
        var finder = settings.Find is null ? null : new Finder(console, _tree, settings);
        files.ForEach(paths, (payload, document, _) =>
        {
            if (settings.Frame is { } frame && payload.Frame != frame)
            {
                return payload.Frame < frame;
            }

            _shown++;
            if (Select(document) is { } node)
            {
                Show(payload, node, finder, isAlone: payload.Frame == 0 && paths.Length == 1);
            }

            return true;
        });
        return Conclude(finder);
    }

    private int Conclude(Finder? finder)
    {
        if (files.ExitCode == ExitCodes.Good && settings.Frame is not null && _shown == 0)
        {
            files.Complain(FormattableString.Invariant($"There is no frame {settings.Frame}."), ExitCodes.Refused);
        }
        else if (_shown > 0 && !_isPathFound)
        {
            string which = settings.At is { } at
                ? FormattableString.Invariant($"No value begins at byte {at}.")
                : $"Nothing has the path {PlainText.Quote(settings.Path ?? "")}. Names are in the case that the payload has.";
            files.Complain(which, ExitCodes.Refused);
        }
        else if (finder?.Found == 0 && _shown > 0)
        {
            files.Complain($"Nothing has the text {PlainText.Quote(settings.Find!)}.", ExitCodes.Refused);
        }
        else if (finder?.Found > settings.Limit && settings.Limit > 0)
        {
            console.Out.WriteLine(FormattableString.Invariant($"... {finder.Found - settings.Limit} more, see --limit"));
        }

        return files.ExitCode;
    }

    private PayloadNode? Select(PayloadDocument document)
    {
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

    private void Show(InputPayload payload, PayloadNode node, Finder? finder, bool isAlone)
    {
        if (finder is not null)
        {
            string frame = payload.Frame == 0 ? "" : FormattableString.Invariant($"frame {payload.Frame}: ");
            string within = settings.Path is null ? "" : $"{PlainText.Show(settings.Path)} > ";
            finder.Find(node, isAlone ? within : $"{payload.File}: {frame}{within}");
        }
        else if (settings.Json)
        {
            if (!_json.WriteLine(isIndented: isAlone, writer => _json.Write(writer, node)))
            {
                files.Complain($"{payload.Place}: {JsonOutput.TooLong}", ExitCodes.Refused);
            }
        }
        else
        {
            if (!isAlone)
            {
                console.Out.WriteLine(console.Paint(Paint.Bold, FormattableString.Invariant(
                    $"{payload.Place}: {payload.Bytes.Length} bytes")));
            }

            _tree.Write(node);
        }
    }
}
