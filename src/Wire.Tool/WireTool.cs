using System.CommandLine;
using System.CommandLine.Help;
using System.Reflection;
using Wire.Tool.Checking;
using Wire.Tool.Comparing;
using Wire.Tool.Contracting;
using Wire.Tool.ErrorQueues;
using Wire.Tool.Html;
using Wire.Tool.Measuring;
using Wire.Tool.Queues;
using Wire.Tool.Running;
using Wire.Tool.Showing;
using Wire.Tool.Streams;

namespace Wire.Tool;

/// <summary>The program.</summary>
internal static class WireTool
{
    private const string Description =
        "Shows what is in payloads of Wire, without the types that they were written from.\n\n"
        + "Exit codes: 0 good; 1 a payload was refused, nothing was found, files differ, a contract breaks, or a message could not be\n"
        + "sent back; 2 the command line is wrong, or a file, broker or queue cannot be read; 141 the program that read the output has\n"
        + "ended.";

    /// <summary>Runs a command.</summary>
    /// <param name="args">The arguments.</param>
    /// <param name="console">The streams.</param>
    /// <returns>One of <see cref="ExitCodes"/>.</returns>
    public static int Run(string[] args, ToolConsole console)
    {
        try
        {
            int exitCode = InvokeOrComplain(args, console);
            console.FlushText();
            return exitCode;
        }
        catch (OutputClosedException)
        {
            return ExitCodes.PipeClosed;
        }
        catch (ToolException exception)
        {
            // What is left could not be written either.
            console.Complain(exception.Message);
            return exception.ExitCode;
        }
    }

    private static int InvokeOrComplain(string[] args, ToolConsole console)
    {
        try
        {
            return Invoke(args, console);
        }
        catch (ToolException exception)
        {
            console.FlushText();
            console.Complain(exception.Message);
            return exception.ExitCode;
        }
        catch (OutOfMemoryException)
        {
            console.FlushText();
            console.Complain("there is not enough memory for the payload.");
            return ExitCodes.Usage;
        }
    }

    private static int Invoke(string[] args, ToolConsole console)
    {
        var version = new Option<bool>("--version") { Description = "Show the version" };
        var root = new Command("wire", Description) { new HelpOption(), version };
        root.Subcommands.Add(ShowLine.NewCommand(console));
        root.Subcommands.Add(CheckCommand.NewCommand(console));
        root.Subcommands.Add(StatsCommand.NewCommand(console));
        root.Subcommands.Add(DiffCommand.NewCommand(console));
        root.Subcommands.Add(ContractCommand.NewCommand(console));
        root.Subcommands.Add(HtmlLine.NewCommand(console));
        root.Subcommands.Add(QueueCommand.NewCommand(console));
        root.Subcommands.Add(StreamCommand.NewCommand(console));
        root.Subcommands.Add(ErrorsCommand.NewCommand(console));
        root.SetAction(result =>
        {
            if (result.GetValue(version))
            {
                var attribute = typeof(WireTool).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>();
                console.Out.WriteLine(attribute?.InformationalVersion);
                return ExitCodes.Good;
            }

            throw new ToolException("Which command? wire --help lists them.", ExitCodes.Usage);
        });

        ParseResult parsed = root.Parse(args);
        if (parsed.Errors.Count > 0 && parsed.Action is not HelpAction)
        {
            string name = parsed.CommandResult.Command == root ? "wire" : $"wire {parsed.CommandResult.Command.Name}";
            throw new ToolException($"{PlainText.Show(parsed.Errors[0].Message)} See {name} --help.", ExitCodes.Usage);
        }

        int exitCode = parsed.Invoke(new InvocationConfiguration
        {
            Output = console.Out,
            Error = console.Error,
            EnableDefaultExceptionHandler = false,
        });
        if (parsed.Action is HelpAction && parsed.CommandResult.Command is ToolCommand command)
        {
            command.WriteExamples(console.Out);
        }

        return exitCode;
    }
}
