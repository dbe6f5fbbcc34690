using System.CommandLine;
using System.CommandLine.Parsing;
using Wire.Tool.Inputs;
using Wire.Tool.Running;

namespace Wire.Tool;

/// <summary>The arguments and options that commands have in common.</summary>
internal sealed class CommandOptions
{
    private const int MiB = 1 << 20;

    private readonly Option<bool> _framed = new("--framed") { Description = "Each payload has its length in front, four bytes" };
    private readonly Option<bool> _single = new("--single") { Description = "Each file is one payload" };
    private readonly Option<bool> _session = new("--session")
    {
        Description = "The payloads of a file are messages of one session, from its first one",
    };

    private readonly Option<int?> _memory = NewNumber(
        "--memory", "MIB", "The memory that the index of one payload may take; 1024 unless given", 1);

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        AddFormsTo(command);
        command.Options.Add(_memory);
    }

    /// <summary>Adds those that say how payloads follow each other, for a command that parses none.</summary>
    public void AddFormsTo(Command command)
    {
        command.Options.Add(_framed);
        command.Options.Add(_single);
        command.Options.Add(_session);
        command.Validators.Add(result =>
        {
            if (result.GetValue(_framed) && result.GetValue(_single))
            {
                result.AddError("Give --framed or --single, and not both.");
            }
        });
    }

    /// <summary>Gets the settings.</summary>
    public InputSettings Read(ParseResult result) => new(
        result.GetValue(_framed) ? InputForm.Framed : result.GetValue(_single) ? InputForm.Single : InputForm.Unknown,
        result.GetValue(_session),
        result.GetValue(_memory) is { } memory
            ? InputSettings.LocalLimits with { MaxAllocation = (long)memory * MiB }
            : InputSettings.LocalLimits);

    /// <summary>Makes the argument of the files.</summary>
    /// <param name="name">The name in the help.</param>
    /// <param name="arity">The number of files.</param>
    public static Argument<string[]> NewFiles(string name = "FILE", ArgumentArity? arity = null)
    {
        var files = new Argument<string[]>(name)
        {
            Description = "The files; - is the standard input",
            Arity = arity ?? ArgumentArity.OneOrMore,
        };
        files.Validators.Add(CheckNames);
        return files;
    }

    /// <summary>Makes the argument of the only file.</summary>
    public static Argument<string> NewFile()
    {
        var file = new Argument<string>("FILE") { Description = "The file; - is the standard input" };
        file.Validators.Add(CheckNames);
        return file;
    }

    /// <summary>Makes an option for a number.</summary>
    public static Option<int?> NewNumber(string name, string helpName, string description, int least)
    {
        var option = new Option<int?>(name) { Description = description, HelpName = helpName };
        option.Validators.Add(result => Check(result, name, least));
        return option;
    }

    private static void CheckNames(ArgumentResult result)
    {
        if (result.Tokens.FirstOrDefault(given => given.Value.Length > 1 && given.Value[0] == '-') is { } token)
        {
            string option = PlainText.Show(token.Value);
            result.AddError($"There is no option {option}; a file of this name is ./{option}.");
        }
    }

    private static void Check(OptionResult result, string name, int least)
    {
        string text = result.Tokens.Count == 1 ? result.Tokens[0].Value : "";
        if (!int.TryParse(text, out int value) || value < least)
        {
            result.AddError(FormattableString.Invariant($"{name} takes a number of at least {least}, and not '{PlainText.Show(text)}'."));
        }
    }
}
