using System.CommandLine;
using System.CommandLine.Parsing;
using Wire.Tool.Running;

namespace Wire.Tool.Showing;

/// <summary>The options for what is shown of a payload, which several commands have.</summary>
internal sealed class ShowOptions
{
    private const int DefaultLimit = 100;

    // The smallest payload: any path can be looked for in it.
    private static readonly byte[] Null = [0x10, 0x00];

    private readonly Option<string?> _path = new("--path")
    {
        Description = "Only the value with this path, such as Lines[2].Price or Prices[\"apple\"]",
        HelpName = "PATH",
    };

    private readonly Option<string?> _find = new("--find")
    {
        Description = "The paths of values that have this text in their name, value or type, in any case",
        HelpName = "TEXT",
    };

    private readonly Option<int?> _depth = CommandOptions.NewNumber(
        "--depth", "N", "The levels that are shown: 20 unless given, 300 as JSON, and 0 for all", 0);

    private readonly Option<int?> _limit = CommandOptions.NewNumber(
        "--limit", "N", "The elements shown of each collection, or the values found: 100 unless given, and 0 for all", 0);

    private readonly Option<bool> _hex = new("--hex") { Description = "Bytes of each value, in hexadecimal" };

    private readonly Option<bool> _json;

    /// <summary>Makes the options.</summary>
    /// <param name="json">What <c>--json</c> writes.</param>
    public ShowOptions(string json) => _json = new("--json") { Description = json };

    /// <summary>Adds the options to a command.</summary>
    public void AddTo(Command command)
    {
        foreach (Option option in new Option[] { _path, _find, _depth, _limit, _hex, _json })
        {
            command.Options.Add(option);
        }
    }

    /// <summary>Refuses the options where nothing is shown, because a file is written.</summary>
    public void KeepApart(Command command, Option<string?> output) => command.Validators.Add(result =>
    {
        if (result.GetValue(output) is not null && result.Children.OfType<OptionResult>().Any(
            given => !given.Implicit && new Option[] { _path, _find, _depth, _limit, _hex, _json }.Contains(given.Option)))
        {
            result.AddError($"{output.Name} writes whole payloads, and shows none: the options of wire show do not go with it.");
        }
    });

    /// <summary>Returns whether a part of each payload is asked for.</summary>
    public bool LooksFor(SymbolResult result) => result.GetValue(_path) is not null || result.GetValue(_find) is not null;

    /// <summary>Gets the settings.</summary>
    public ShowSettings Read(ParseResult result) => new()
    {
        Path = Checked(result.GetValue(_path)),
        Find = result.GetValue(_find),
        Depth = result.GetValue(_depth),
        Limit = result.GetValue(_limit) ?? DefaultLimit,
        Hex = result.GetValue(_hex),
        Json = result.GetValue(_json),
    };

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
