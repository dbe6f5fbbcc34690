using System.Globalization;
using System.Text;

namespace Wire.Runtime;

/// <summary>
/// Texts of payloads in errors and logs: they begin no line of their own, neither reorder nor hide what is around them, and are never long.
/// </summary>
internal static class OneLine
{
    /// <summary>The characters of a name or a part of a message that are shown.</summary>
    public const int MaxPart = 1000;

    private const string Cut = "...";

    /// <summary>Returns a text with its control and format characters as <c>\u000A</c>.</summary>
    /// <param name="text">The text.</param>
    /// <param name="most">The number of characters after which the rest is three dots.</param>
    public static string Show(string text, int most = MaxPart)
    {
        if (text.Length <= most && !text.AsSpan().ContainsAnyExceptInRange(' ', '~'))
        {
            return text;
        }

        var shown = new StringBuilder();
        foreach (Rune rune in text.EnumerateRunes())
        {
            string next = IsPlain(rune) ? rune.ToString()
                : rune.IsBmp ? string.Create(CultureInfo.InvariantCulture, $"\\u{rune.Value:X4}")
                : string.Create(CultureInfo.InvariantCulture, $"\\U{rune.Value:X8}");
            if (shown.Length + next.Length > most)
            {
                return shown.Append(Cut).ToString();
            }

            shown.Append(next);
        }

        return shown.ToString();
    }

    private static bool IsPlain(Rune rune) => Rune.GetUnicodeCategory(rune) is not (UnicodeCategory.Control or UnicodeCategory.Format
        or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator);
}
