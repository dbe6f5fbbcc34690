using System.CommandLine;
using Wire.Tool.Inputs;
using Wire.Tool.Running;

namespace Wire.Tool.Showing;

/// <summary>The command line of <c>wire show</c>.</summary>
internal static class ShowLine
{
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
        Option<int?> at = CommandOptions.NewNumber("--at", "BYTE", "Only the value that begins at this byte of the payload", 0);
        Option<int?> frame = CommandOptions.NewNumber("--frame", "N", "Only this frame, from 1", 1);
        var show = new ShowOptions("As JSON: one line for each frame");
        var common = new CommandOptions();
        command.Arguments.Add(files);
        command.Options.Add(at);
        command.Options.Add(frame);
        show.AddTo(command);
        common.AddTo(command);
        command.SetAction(result =>
        {
            ShowSettings settings = show.Read(result) with { At = result.GetValue(at), Frame = result.GetValue(frame) };
            return new ShowCommand(console, new PayloadFiles(common.Read(result), console), settings).Run(result.GetValue(files)!);
        });
        return command;
    }
}
