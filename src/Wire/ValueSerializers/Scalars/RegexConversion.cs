using System.Text.RegularExpressions;

namespace Wire;

/// <summary>
/// A Regex: pattern, options and timeout. Compiled is left out, on both sides: how fast a pattern runs is the program's own
/// affair, and a payload does not choose that code is generated. Classes that a source generator made come back as Regex.
/// </summary>
internal sealed class RegexConversion : IConversion<Regex, RegexConversion.Parts>
{
    // The parser of .NET calls itself for each class inside another, without looking at the stack.
    private const int MaxSubtractions = 500;

    public static Parts To(Regex value) => new(value.ToString(), value.Options & ~RegexOptions.Compiled, value.MatchTimeout);

    public static Regex From(Parts written)
    {
        if (written.Pattern is not null && written.Pattern.AsSpan().Count("-[") > MaxSubtractions)
        {
            throw new FormatException($"Its pattern subtracts classes of characters more than {MaxSubtractions} times.");
        }

        return new Regex(written.Pattern!, written.Options & ~RegexOptions.Compiled, written.Timeout);
    }

    internal readonly record struct Parts(string Pattern, RegexOptions Options, TimeSpan Timeout);
}
