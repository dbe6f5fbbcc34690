using System.Text.RegularExpressions;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// A Regex: pattern, options and timeout. The Compiled option is dropped on both sides: a payload must not decide that code is generated.
/// Classes of the source generator are restored as Regex.
/// </summary>
internal static class RegexConversion
{
    // The parser of .NET recurses for each nested class, without checking the stack.
    private const int MaxSubtractions = 500;

    // It also takes time quadratic in the depth of groups.
    private const int MaxNesting = 1000;

    // Some of its steps take time quadratic in the length of the pattern.
    private const int MaxLength = 1 << 16;

    public static long Overhead(Parts written) =>
        written.Pattern is { Length: <= MaxLength } pattern ? RegexCost.Estimate(pattern, written.Options) : 0;

    public static Parts To(Regex value) => Refusal(value.ToString()) is { } reason
        ? throw new UnsupportedTypeException(typeof(Regex), $"its pattern {reason}, which no reader accepts.")
        : new(value.ToString(), value.Options & ~RegexOptions.Compiled, value.MatchTimeout);

    public static Regex From(Parts written) => written.Pattern is not null && Refusal(written.Pattern) is { } reason
        ? throw new FormatException($"Its pattern {reason}.")
        : new Regex(written.Pattern!, written.Options & ~RegexOptions.Compiled, written.Timeout);

    private static string? Refusal(ReadOnlySpan<char> pattern) =>
        pattern.Length > MaxLength ? $"has more than {MaxLength} characters"
        : pattern.Count("-[") > MaxSubtractions ? $"subtracts classes of characters more than {MaxSubtractions} times"
        : pattern.Count('(') > MaxNesting && Nesting(pattern) > MaxNesting ? $"nests groups more than {MaxNesting} deep"
        : null;

    // Estimates the depth of groups; never too low, but too high where only the parser could tell which bracket closes a group.
    private static int Nesting(ReadOnlySpan<char> pattern)
    {
        if (pattern.Contains('#')
            || pattern.Contains("-[", StringComparison.Ordinal)
            || pattern.Contains("[:", StringComparison.Ordinal)
            || pattern.Contains("[^]", StringComparison.Ordinal))
        {
            return pattern.Count('(');
        }

        int depth = 0;
        int deepest = 0;
        int classBegin = -1;
        for (int i = 0; i < pattern.Length; i++)
        {
            char c = pattern[i];
            if (c == '\\')
            {
                // An escaped character has no meaning, nor does the one after \c.
                i += i + 1 < pattern.Length && pattern[i + 1] == 'c' ? 2 : 1;
            }
            else if (classBegin >= 0)
            {
                // The first character of a class does not close it.
                classBegin = c == ']' && i > classBegin + 1 ? -1 : classBegin;
            }
            else if (c == '[')
            {
                classBegin = i;
            }
            else if (c == '(')
            {
                deepest = Math.Max(deepest, ++depth);
            }
            else if (c == ')')
            {
                depth--;
            }
        }

        return deepest;
    }

    internal readonly record struct Parts(string Pattern, RegexOptions Options, TimeSpan Timeout);
}
