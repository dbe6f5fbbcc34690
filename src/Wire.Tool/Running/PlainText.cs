using System.Globalization;
using System.Text;

namespace Wire.Tool.Running;

/// <summary>
/// Texts of payloads and names of files in the output: they begin no line of their own, move no cursor, and neither reorder nor hide what
/// is around them. Every text of a payload passes through here.
/// </summary>
internal static class PlainText
{
    private const string Cut = "...";

    /// <summary>Returns a text in which control and format characters, and surrogates alone, are escaped.</summary>
    /// <param name="text">The text.</param>
    /// <param name="most">The number of characters after which the rest is three dots.</param>
    public static string Show(ReadOnlySpan<char> text, int most = 1000)
    {
        if (text.Length <= most && !text.ContainsAnyExceptInRange(' ', '~'))
        {
            return text.ToString();
        }

        var shown = new StringBuilder();
        while (!text.IsEmpty)
        {
            if (shown.Length >= most)
            {
                return shown.Append(Cut).ToString();
            }

            if (Rune.DecodeFromUtf16(text, out Rune rune, out int length) != System.Buffers.OperationStatus.Done)
            {
                Escape(shown, text[0]);
                text = text[1..];
                continue;
            }

            Append(shown, rune);
            text = text[length..];
        }

        return shown.ToString();
    }

    /// <summary>Returns a text in quotes, in which quotes and backslashes are escaped too.</summary>
    /// <param name="text">The text.</param>
    /// <param name="most">The number of characters after which the rest is three dots.</param>
    public static string Quote(string text, int most = 1000)
    {
        bool isCut = text.Length > most;
        string escaped = text.AsSpan(0, isCut ? most : text.Length).ToString()
            .Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal);
        return $"\"{Show(escaped, int.MaxValue)}\"{(isCut ? Cut : "")}";
    }

    private static void Append(StringBuilder shown, Rune rune)
    {
        switch (Rune.GetUnicodeCategory(rune))
        {
            case UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator:
            case UnicodeCategory.OtherNotAssigned or UnicodeCategory.PrivateUse:
                Span<char> units = stackalloc char[2];
                foreach (char unit in units[..rune.EncodeToUtf16(units)])
                {
                    Escape(shown, unit);
                }

                break;
            default:
                shown.Append(rune);
                break;
        }
    }

    private static void Escape(StringBuilder shown, char unit) =>
        shown.Append(CultureInfo.InvariantCulture, $"\\u{(int)unit:X4}");
}
