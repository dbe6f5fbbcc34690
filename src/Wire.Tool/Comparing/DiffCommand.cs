using System.CommandLine;
using Wire.Tool.Inputs;
using Wire.Tool.Running;

namespace Wire.Tool.Comparing;

/// <summary><c>wire diff</c>.</summary>
internal static class DiffCommand
{
    private const int DefaultLimit = 100;

    /// <summary>Makes the command.</summary>
    public static Command NewCommand(ToolConsole console)
    {
        var command = new ToolCommand(
            "diff",
            "Compares two payloads, or the frames of two files one by one: - is only in the first, + only in the second, ~ differs.",
            "wire diff before.bin after.bin",
            "wire diff before.frames after.frames --limit 0",
            "cat after.bin | wire diff before.bin -");
        Argument<string[]> files = CommandOptions.NewFiles("A B", new ArgumentArity(2, 2));
        Option<int?> limit = CommandOptions.NewNumber("--limit", "N", "The differences that are shown: 100 unless given, and 0 for all", 0);
        var common = new CommandOptions();
        command.Arguments.Add(files);
        command.Options.Add(limit);
        common.AddTo(command);
        command.SetAction(result =>
        {
            string[] paths = result.GetValue(files)!;
            if (paths is ["-", "-"])
            {
                throw new ToolException("Only one of the two files can be the standard input.", ExitCodes.Usage);
            }

            return Run(console, common.Read(result), paths, new DiffOutput(console, result.GetValue(limit) ?? DefaultLimit));
        });
        return command;
    }

    private static int Run(ToolConsole console, InputSettings settings, string[] paths, DiffOutput output)
    {
        var reader = new PayloadFiles(settings, console);
        try
        {
            using PayloadFile first = PayloadFile.Open(paths[0], settings, console);
            using PayloadFile second = PayloadFile.Open(paths[1], settings, console);
            Compare(reader, settings, first, second, output);
        }
        catch (ToolException exception)
        {
            reader.Complain(exception.Message, exception.ExitCode);
        }

        console.EndProgress();
        output.Conclude();
        return Math.Max(reader.ExitCode, output.Count > 0 ? ExitCodes.Refused : ExitCodes.Good);
    }

    private static void Compare(PayloadFiles reader, InputSettings settings, PayloadFile first, PayloadFile second, DiffOutput output)
    {
        PayloadDocumentSession? firstSession = settings.IsSession ? new() : null;
        PayloadDocumentSession? secondSession = settings.IsSession ? new() : null;
        string frame = "";
        var comparison = new Comparison(difference => output.Write(frame, difference));
        for (long number = 1; ; number++)
        {
            InputPayload? a = first.Read();
            InputPayload? b = second.Read();
            if (a is null && b is null)
            {
                return;
            }

            frame = first.IsFramed || second.IsFramed ? FormattableString.Invariant($"frame {number}: ") : "";
            PayloadDocument? before = a is null ? null : reader.Parse(a, firstSession);
            PayloadDocument? after = b is null ? null : reader.Parse(b, secondSession);
            if (a is null || b is null)
            {
                InputPayload only = (a ?? b)!;
                output.WriteFrame(
                    a is null ? DifferenceKind.OnlyInSecond : DifferenceKind.OnlyInFirst,
                    FormattableString.Invariant($"frame {number}: {only.Bytes.Length} bytes"));
            }
            else if (before is not null && after is not null)
            {
                comparison.Compare(before.Root, after.Root);
            }
        }
    }
}
