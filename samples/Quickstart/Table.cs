namespace Quickstart;

/// <summary>Rows of text in columns: the first aligned to the left, the others to the right.</summary>
internal sealed class Table
{
    private readonly List<string[]> _rows = [];

    public void Add(params string[] cells) => _rows.Add(cells);

    public void Print()
    {
        int[] widths = [.. Enumerable.Range(0, _rows.Max(row => row.Length))
            .Select(column => _rows.Max(row => row.ElementAtOrDefault(column)?.Length ?? 0))];
        foreach (string[] row in _rows)
        {
            var cells = row.Select((cell, column) => column == 0 ? cell.PadRight(widths[0]) : cell.PadLeft(widths[column]));
            Console.WriteLine(string.Join("   ", cells).TrimEnd());
        }
    }
}
