using Wire.Tool.Inputs;
using Wire.Tool.Running;

namespace Wire.Tool.Showing;

/// <summary><c>wire show</c>.</summary>
/// <param name="console">The streams.</param>
/// <param name="files">The reader of files.</param>
/// <param name="settings">The options.</param>
internal sealed class ShowCommand(ToolConsole console, PayloadFiles files, ShowSettings settings)
{
    private readonly PayloadView _view = new(console, settings);

    /// <summary>Shows files.</summary>
    public int Run(string[] paths)
    {
        files.ForEach(
            paths,
            (payload, document, _) =>
            {
                if (settings.Frame is { } frame && payload.Frame != frame)
                {
                    return payload.Frame < frame;
                }

                if (_view.Select(document) is { } node)
                {
                    Show(payload, node, IsAlone(payload, paths));
                }

                return true;
            },
            damaged: (payload, document, failure) => ShowDamaged(payload, document, failure, IsAlone(payload, paths)));
        if (files.ExitCode == ExitCodes.Good && settings.Frame is not null && _view.Payloads == 0)
        {
            files.Complain(FormattableString.Invariant($"There is no frame {settings.Frame}."), ExitCodes.Refused);
        }

        _view.Conclude(files.Complain);
        return files.ExitCode;
    }

    private static bool IsAlone(InputPayload payload, string[] paths) => payload.Frame == 0 && paths.Length == 1;

    // JSON is for programs, which could take a part for all of it.
    private void ShowDamaged(InputPayload payload, PayloadDocument document, WireFormatException failure, bool isAlone)
    {
        if (!settings.Json && (settings.Frame is null || settings.Frame == payload.Frame) && _view.Select(document) is { } node)
        {
            Show(payload, node, isAlone);
            if (settings is { Find: null, Path: null, At: null })
            {
                _view.WriteDamage(failure);
            }
        }
    }

    private void Show(InputPayload payload, PayloadNode node, bool isAlone)
    {
        if (settings.Find is not null)
        {
            string frame = payload.Frame == 0 ? "" : FormattableString.Invariant($"frame {payload.Frame}: ");
            _view.Find(node, isAlone ? "" : $"{payload.File}: {frame}");
        }
        else if (settings.Json)
        {
            if (!_view.Json.WriteLine(isIndented: isAlone, writer => _view.Json.Write(writer, node)))
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

            _view.WriteTree(node);
        }
    }
}
