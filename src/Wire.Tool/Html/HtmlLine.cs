using System.CommandLine;
using Wire.Tool.Running;

namespace Wire.Tool.Html;

/// <summary>The command line of <c>wire html</c>.</summary>
internal static class HtmlLine
{
    private const int DefaultMost = 64;
    private const int LargestMost = 1024;

    /// <summary>Makes the command.</summary>
    public static Command NewCommand(ToolConsole console)
    {
        var command = new ToolCommand(
            "html",
            "Writes a page for a browser, one file: the tree of a payload, its bytes beside it, where they go, a search.",
            "wire html orders.bin -o orders.html",
            "wire html queue.frames --session -o queue.html",
            "cat orders.bin | wire html - > orders.html");
        Argument<string> file = CommandOptions.NewFile();
        var output = new Option<string?>("--output", "-o")
        {
            Description = "The file of the page; the standard output unless given",
            HelpName = "PAGE",
        };
        Option<int?> most = CommandOptions.NewNumber(
            "--max", "MIB", "The bytes that a page may be of: 64 MiB unless given, and 1024 at most", 1);
        most.Validators.Add(result =>
        {
            if (int.TryParse(result.Tokens.Count == 1 ? result.Tokens[0].Value : "", out int value) && value > LargestMost)
            {
                result.AddError(FormattableString.Invariant($"--max is {LargestMost} at most: no browser takes more."));
            }
        });
        var forms = new CommandOptions();
        command.Arguments.Add(file);
        command.Options.Add(output);
        command.Options.Add(most);
        forms.AddFormsTo(command);
        command.SetAction(result =>
        {
            new HtmlCommand(console, forms.Read(result), result.GetValue(most) ?? DefaultMost)
                .Run(result.GetValue(file)!, result.GetValue(output));
            return ExitCodes.Good;
        });
        return command;
    }
}
