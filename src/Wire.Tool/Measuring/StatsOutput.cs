using Wire.Tool.Running;

namespace Wire.Tool.Measuring;

/// <summary>Writes what was measured.</summary>
/// <param name="output">The output.</param>
/// <param name="statistics">What was measured.</param>
/// <param name="top">The number of rows of each table.</param>
internal sealed class StatsOutput(TextWriter output, Statistics statistics, int top)
{
    private const int MostOfName = 100;
    private const double WorthIt = 0.01;

    private long Total => statistics.Bytes + statistics.FrameBytes;

    /// <summary>Writes all.</summary>
    public void Write()
    {
        output.WriteLine($"{TextTable.Number(statistics.Payloads)} payload(s), {TextTable.Number(Total)} bytes");
        WriteShares();
        Write("type", statistics.Types, name => name, statistics.Types.Others);
        Write(
            "member",
            statistics.Members,
            key => key.Member.Length == 0 ? $"{key.Type} (itself)" : $"{key.Type} . {PlainText.Show(key.Member)}",
            statistics.Members.Others);
        WriteStrings();
        WriteAdvice();
    }

    private void WriteShares()
    {
        var table = new TextTable();
        table.Add("part", "bytes", "share");
        Row("lengths of frames", statistics.FrameBytes);
        Row("headers", statistics.HeaderBytes);
        Row("definitions of types", statistics.DefinitionBytes);
        Row("values", statistics.Bytes - statistics.HeaderBytes - statistics.DefinitionBytes);
        table.Write(output);

        void Row(string part, long bytes) => table.Add(part, TextTable.Number(bytes), TextTable.Share(bytes, Total));
    }

    private void Write<TKey>(string title, BoundedTable<TKey> sums, Func<TKey, string> name, Sum others)
        where TKey : notnull
    {
        output.WriteLine();
        var table = new TextTable();
        table.Add(title, "bytes", "share", "count");
        long rest = others.Bytes;
        int row = 0;
        foreach ((TKey key, Sum sum) in sums.Rows)
        {
            if (row++ < top)
            {
                table.Add(Cut(name(key)), TextTable.Number(sum.Bytes), TextTable.Share(sum.Bytes, Total), TextTable.Number(sum.Count));
            }
            else
            {
                rest += sum.Bytes;
            }
        }

        if (rest > 0)
        {
            table.Add("(others)", TextTable.Number(rest), TextTable.Share(rest, Total));
        }

        table.Write(output);
    }

    private void WriteStrings()
    {
        (string Text, Sum Sum, long Repeated)[] repeated = [.. statistics.Strings.Rows
            .Where(row => row.Value.Count > 1)
            .Select(row => (row.Key, row.Value, row.Value.Bytes - (row.Value.Bytes / row.Value.Count)))
            .OrderByDescending(row => row.Item3)
            .Take(top)];
        if (repeated.Length == 0)
        {
            return;
        }

        output.WriteLine();
        var table = new TextTable();
        table.Add("string", "repeated bytes", "share", "count");
        foreach ((string text, Sum sum, long bytes) in repeated)
        {
            table.Add(PlainText.Quote(text, 60), TextTable.Number(bytes), TextTable.Share(bytes, Total), TextTable.Number(sum.Count));
        }

        table.Write(output);
    }

    private void WriteAdvice()
    {
        output.WriteLine();
        long session = statistics.SessionMessages == 0 && statistics.Payloads > 1 ? statistics.Savings.Session : 0;
        bool isAny = false;
        if (session > Total * WorthIt)
        {
            isAny = true;
            output.WriteLine($"A session of all payloads would save {Saved(session)}: each type is defined once.");
        }

        foreach ((string name, Sum sum) in statistics.Savings.KnownTypes.Rows.Where(row => row.Value.Bytes > Total * WorthIt).Take(top))
        {
            isAny = true;
            output.WriteLine($"A known type in place of {name} would save {Saved(sum.Bytes)}.");
        }

        if (!isAny)
        {
            output.WriteLine("Known types or a session would save less than 1 %.");
        }
    }

    private string Saved(long bytes) => $"{TextTable.Number(bytes)} bytes, {TextTable.Share(bytes, Total)}";

    private static string Cut(string name) => name.Length > MostOfName ? name[..MostOfName] + "..." : name;
}
