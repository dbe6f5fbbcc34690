using System.Globalization;

namespace Wire.Tool.Running;

/// <summary>Rows of texts in columns: the first to the left, the others to the right.</summary>
internal sealed class TextTable
{
    private const string Gap = "  ";

    private readonly List<string[]> _rows = [];

    /// <summary>Adds a row; its texts must be plain.</summary>
    public void Add(params string[] cells) => _rows.Add(cells);

    /// <summary>Writes the rows.</summary>
    public void Write(TextWriter output)
    {
        int columns = _rows.Count == 0 ? 0 : _rows.Max(row => row.Length);
        int[] widths = [.. Enumerable.Range(0, columns).Select(i => _rows.Max(row => i < row.Length ? row[i].Length : 0))];
        foreach (string[] row in _rows)
        {
            string line = string.Join(Gap, row.Select((cell, i) => i == 0 ? cell.PadRight(widths[0]) : cell.PadLeft(widths[i])));
            output.WriteLine((Gap + line).TrimEnd());
        }
    }

    /// <summary>Returns a number with commas.</summary>
    public static string Number(long number) => number.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>Returns a share of a whole, in percent.</summary>
    public static string Share(long part, long whole) =>
        whole == 0 ? "" : (100.0 * part / whole).ToString("F1", CultureInfo.InvariantCulture) + " %";
}
