using System.CommandLine;
using Wire.Tool.Running;

namespace Wire.Tool.Contracting;

/// <summary><c>wire contract</c>.</summary>
internal static class ContractCommand
{
    private static readonly string[] Notes =
    [
        "Each file is the text of a contract, or an assembly, which is loaded. Unless --type is given, its types are all public classes",
        "and structs, but static, abstract and generic ones, exceptions, attributes, and those that Wire cannot write.",
        "Exit codes: 0 compatible; 1 payloads are refused; 2 a text is damaged, or a file, a type or what an assembly needs is missing.",
    ];

    /// <summary>Makes the command.</summary>
    public static Command NewCommand(ToolConsole console)
    {
        var command = new ToolCommand(
            "contract",
            "Writes the contract of an assembly's types, or compares two contracts: what becomes of payloads in both directions.",
            "wire contract Shop.dll -o shop.contract",
            "wire contract shop.contract Shop.dll",
            "wire contract Shop.dll --type OrderPlaced --type 'Shop.Events.*' --options Shop.Setup.Options",
            "git show HEAD~1:shop.contract | wire contract - shop.contract --backward")
        {
            Notes = Notes,
        };
        Argument<string[]> files = CommandOptions.NewFiles(arity: new ArgumentArity(1, 2));
        files.Description = "A contract or an assembly (.dll); of two, the old one first; - is the standard input";
        var types = new Option<string[]>("--type")
        {
            Description = "A type of the assembly, or such types as below in a namespace: Shop.Events.*; may be repeated",
            HelpName = "NAME",
        };
        var options = new Option<string?>("--options")
        {
            Description = "The static property, field or method that returns the SerializerOptions or the Serializer",
            HelpName = "TYPE.MEMBER",
        };
        var output = new Option<string?>("--output", "-o")
        {
            Description = "Where the contract is written; the output unless given",
            HelpName = "FILE",
        };
        var backward = new Option<bool>("--backward")
        {
            Description = "Exit with 1 only where old payloads are refused: programs with the old types read no new ones",
        };
        command.Arguments.Add(files);
        foreach (Option option in new Option[] { types, options, output, backward })
        {
            command.Options.Add(option);
        }

        command.Validators.Add(result =>
        {
            if (result.GetValue(files) is { Length: 2 } && result.GetValue(output) is not null)
            {
                result.AddError("-o is for the contract of one assembly, and not for two.");
            }
        });
        command.SetAction(result =>
        {
            string[] paths = result.GetValue(files)!;
            var source = new ContractSource(console, result.GetValue(types) ?? [], result.GetValue(options));
            WireContract[] contracts = source.ReadAll(paths);
            return contracts.Length == 1
                ? Write(console, contracts[0], result.GetValue(output))
                : Compare(console, contracts[0], contracts[1], result.GetValue(backward));
        });
        return command;
    }

    private static int Write(ToolConsole console, WireContract contract, string? file)
    {
        if (file is null)
        {
            console.Out.Write(contract);
            return ExitCodes.Good;
        }

        try
        {
            contract.Save(file);
            return ExitCodes.Good;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new ToolException(
                $"{PlainText.Show(file)}: The file cannot be written: {PlainText.Show(exception.Message)}", ExitCodes.Usage);
        }
    }

    private static int Compare(ToolConsole console, WireContract old, WireContract now, bool isBackward)
    {
        ContractComparison comparison = now.CompareWith(old);
        foreach (string line in comparison.ToString().TrimEnd('\n').Split('\n'))
        {
            console.Out.WriteLine(PlainText.Show(line, int.MaxValue));
        }

        bool isRefused = comparison.BreaksOldPayloads || (!isBackward && comparison.IsReadByOld >= ContractVerdict.RefusesSome);
        return isRefused ? ExitCodes.Refused : ExitCodes.Good;
    }
}
