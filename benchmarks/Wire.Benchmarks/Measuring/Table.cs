using System.Globalization;
using System.Text;

namespace Wire.Benchmarks.Measuring;

/// <summary>
/// Writes tables in Markdown, aligned so that they read well as they are: the first column to the left, the others to the right.
/// </summary>
internal static partial class Table
{
    public static string Format(IReadOnlyList<string[]> lines)
    {
        int[] widths = [.. lines[0].Select((_, column) => lines.Max(line => line[column].Length))];
        var text = new StringBuilder();
        AppendLine(text, lines[0], widths);
        text.Append(CultureInfo.InvariantCulture, $"|{string.Join('|', widths.Select(
            (width, column) => column == 0 ? $":{new string('-', width + 1)}" : $"{new string('-', width + 1)}:"))}|").AppendLine();
        foreach (string[] line in lines.Skip(1))
        {
            AppendLine(text, line, widths);
        }

        return text.ToString();
    }

    public static string Number(double value, string format) => value.ToString(format, CultureInfo.InvariantCulture);

    /// <summary>The median, or a dash where it is not known.</summary>
    public static string Median(IEnumerable<double> figures, string format) =>
        figures.Median() is var median && double.IsNaN(median) ? "–" : Number(median, format);

    private static void AppendLine(StringBuilder text, string[] line, int[] widths) =>
        text.Append(CultureInfo.InvariantCulture, $"| {string.Join(
            " | ", line.Select((cell, column) => column == 0 ? cell.PadRight(widths[0]) : cell.PadLeft(widths[column])))} |").AppendLine();
}
