using System.Buffers;
using System.Text.RegularExpressions;

namespace Wire.ValueSerializers.Scalars;

/// <summary>
/// Estimates the cost for .NET of making a Regex from a pattern, in bytes: at least the memory, and about a gigabyte per second, so that
/// <see cref="Limits.MaxAllocation"/> bounds the time too. Never too low, but too high where only the parser could tell.
/// </summary>
internal static class RegexCost
{
    private const long PerPattern = 4096;
    private const long PerCharacter = 512;

    // The loops and alternatives of a sequence are each compared with all later ones.
    private const long PerPairOfBranches = 8;

    // With IgnoreCase, each character of a range is looked up.
    private const long PerCharacterInRange = 16;
    private const int FullRange = char.MaxValue + 1;

    // Without backtracking, the character sets of a pattern are combined pairwise into trees.
    private const long PerAutomaton = 1 << 20;
    private const long PerState = 4096;
    private const long PerPairOfSets = 4096;
    private const long PerCategory = 2 << 20;

    private static readonly SearchValues<char> Branches = SearchValues.Create("*+?{|");
    private static readonly SearchValues<char> InlineOptions = SearchValues.Create("imnsxIMNSX+-");

    public static long Estimate(string pattern, RegexOptions options)
    {
        long branches = Count(pattern, Branches);
        long cost = PerPattern + (pattern.Length * PerCharacter) + (branches * branches * PerPairOfBranches);
        if ((options & RegexOptions.IgnoreCase) != 0 || SetsOptions(pattern))
        {
            cost += RangesOf(pattern) * PerCharacterInRange;
        }

        if ((options & RegexOptions.NonBacktracking) != 0)
        {
            long sets = new HashSet<char>(pattern).Count + pattern.Count('[') + pattern.Count('\\');
            cost += PerAutomaton + (pattern.Length * PerState) + (sets * sets * PerPairOfSets) + (Categories(pattern) * PerCategory);
        }

        return cost;
    }

    private static int Count(ReadOnlySpan<char> pattern, SearchValues<char> characters)
    {
        int count = 0;
        for (int next; (next = pattern.IndexOfAny(characters)) >= 0; pattern = pattern[(next + 1)..])
        {
            count++;
        }

        return count;
    }

    // True if the pattern itself has options, of which IgnoreCase may be one.
    private static bool SetsOptions(ReadOnlySpan<char> pattern)
    {
        for (int next; (next = pattern.IndexOf("(?", StringComparison.Ordinal)) >= 0; pattern = pattern[(next + 2)..])
        {
            if (next + 2 < pattern.Length && InlineOptions.Contains(pattern[next + 2]))
            {
                return true;
            }
        }

        return false;
    }

    // The number of characters in all ranges. An escape can be any character.
    private static long RangesOf(ReadOnlySpan<char> pattern)
    {
        long characters = 0;
        for (int i = 1; i + 1 < pattern.Length; i++)
        {
            if (pattern[i] == '-')
            {
                characters +=
                    pattern[i + 1] == '\\' || EndsWithEscape(pattern[..i]) ? FullRange : Math.Max(0, pattern[i + 1] - pattern[i - 1] + 1);
            }
        }

        return characters;
    }

    // A character that is written as \-, \cM, \12, \x20, \123 or \u0020.
    private static bool EndsWithEscape(ReadOnlySpan<char> text) =>
        text is [.., '\\', _]
        or [.., '\\', 'c' or (>= '0' and <= '9'), _]
        or [.., '\\', 'x' or (>= '0' and <= '9'), _, _]
        or [.., '\\', 'u', _, _, _, _];

    // Sets with many ranges: \w, \d, \s, \p{..} and their opposites.
    private static int Categories(ReadOnlySpan<char> pattern)
    {
        int count = 0;
        for (int i = 0; i + 1 < pattern.Length; i++)
        {
            if (pattern[i] == '\\' && (pattern[i + 1] | 0x20) is 'w' or 'd' or 's' or 'p')
            {
                count++;
            }
        }

        return count;
    }
}
