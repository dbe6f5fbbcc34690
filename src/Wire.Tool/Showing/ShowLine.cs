using System.CommandLine;
using Wire.Tool.Inputs;
using Wire.Tool.Running;

namespace Wire.Tool.Showing;

/// <summary>The command line of <c>wire show</c>.</summary>
internal static class ShowLine
{
    private const int DefaultLimit = 100;

    // The smallest payload: any path can be looked for in it.
    private static readonly byte[] Null = [0x10, 0x00];

    /// <summary>Makes the command.</summary>
    public static Command NewCommand(ToolConsole console)
    {
        var command = new ToolCommand(
            "show",
            "Shows payloads as a tree: offset, name, value and type of each value.",
            "wire show orders.bin",
            "wire show orders.bin --path 'Lines[2].Price'",
            "wire show orders.bin --find apple",
            "cat queue.frames | wire show - --frame 3 --json");
        Argument<string[]> files = CommandOptions.NewFiles();
        var path = new Option<string?>("--path")
        {
            Description = "Only the value with this path, such as Lines[2].Price or Prices[\"apple\"]",
            HelpName = "PATH",
        };
        var find = new Option<string?>("--find")
        {
            Description = "The paths of values that have this text in their name, value or type, in any case",
            HelpName = "TEXT",
        };
        Option<int?> at = CommandOptions.NewNumber("--at", "BYTE", "Only the value that begins at this byte of the payload", 0);
        Option<int?> frame = CommandOptions.NewNumber("--frame", "N", "Only this frame, from 1", 1);
        Option<int?> depth = CommandOptions.NewNumber(
            "--depth", "N", "The levels that are shown: 20 unless given, 300 as JSON, and 0 for all", 0);
        Option<int?> limit = CommandOptions.NewNumber(
            "--limit", "N", "The elements shown of each collection, or the values found: 100 unless given, and 0 for all", 0);
        var hex = new Option<bool>("--hex") { Description = "Bytes of each value, in hexadecimal" };
        var json = new Option<bool>("--json") { Description = "As JSON: one line for each frame" };
        var common = new CommandOptions();
        command.Arguments.Add(files);
        foreach (Option option in new Option[] { path, find, at, frame, depth, limit, hex, json })
        {
            command.Options.Add(option);
        }

        common.AddTo(command);
        command.SetAction(result =>
        {
            var settings = new ShowSettings
            {
                Path = Checked(result.GetValue(path)),
                Find = result.GetValue(find),
                At = result.GetValue(at),
                Frame = result.GetValue(frame),
                Depth = result.GetValue(depth),
                Limit = result.GetValue(limit) ?? DefaultLimit,
                Hex = result.GetValue(hex),
                Json = result.GetValue(json),
            };
            return new ShowCommand(console, new PayloadFiles(common.Read(result), console), settings).Run(result.GetValue(files)!);
        });
        return command;
    }

    private static string? Checked(string? path)
    {
        try
        {
            PayloadDocument.Parse(Null).Root.TryGet(path ?? "", out _);
            return path;
        }
        catch (FormatException exception)
        {
            throw new ToolException(PlainText.Show(exception.Message), ExitCodes.Usage);
        }
    }
}
