using System.CommandLine;
using Wire.Tool.Inputs;
using Wire.Tool.Running;

namespace Wire.Tool.Measuring;

/// <summary><c>wire stats</c>.</summary>
internal static class StatsCommand
{
    private const int DefaultTop = 15;

    /// <summary>Makes the command.</summary>
    public static Command NewCommand(ToolConsole console)
    {
        var command = new ToolCommand(
            "stats",
            "Shows where the bytes of payloads go: types, members, repeated strings, definitions of types, and what would save some.",
            "wire stats orders.bin",
            "wire stats queue.frames --top 40",
            "cat queue.frames | wire stats -");
        Argument<string[]> files = CommandOptions.NewFiles();
        Option<int?> top = CommandOptions.NewNumber("--top", "N", "The rows of each table: 15 unless given", 1);
        var common = new CommandOptions();
        command.Arguments.Add(files);
        command.Options.Add(top);
        common.AddTo(command);
        command.SetAction(result =>
        {
            var reader = new PayloadFiles(common.Read(result), console);
            var statistics = new Statistics();
            reader.ForEach(result.GetValue(files)!, (payload, document, _) =>
            {
                statistics.Add(payload, document);
                return true;
            });
            if (statistics.Payloads > 0)
            {
                new StatsOutput(console.Out, statistics, result.GetValue(top) ?? DefaultTop).Write();
            }

            return reader.ExitCode;
        });
        return command;
    }
}
