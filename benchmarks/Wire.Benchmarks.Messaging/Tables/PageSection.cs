using Wire.Benchmarks.Messaging.Lane;
using Wire.Benchmarks.Reports;

namespace Wire.Benchmarks.Messaging.Tables;

/// <summary>What one command writes into one section of a page.</summary>
/// <param name="Page">The page.</param>
/// <param name="Name">What its section is called.</param>
/// <param name="Method">How it is measured.</param>
internal sealed record PageSection(Page Page, string Name, string Method)
{
    /// <summary>How the rows of a <see cref="MessageTable"/> are measured.</summary>
    public static readonly string Medians =
        $"Medians of {MessageTable.Rounds} interleaved rounds; a ratio is the median of the rounds' ratios.";

    /// <summary>Measures the tables that are asked for, prints them, and writes them into the page when they are all.</summary>
    public async Task WriteAsync(Options options, IReadOnlyList<(string Name, Func<Task<string>> Measure)> tables)
    {
        IReadOnlySet<string> selected = options.Select(tables.Select(table => table.Name));
        string suite = MeasuredBroker.All.Count > 1 ? $"WIRE_BENCH_SUITE={Environment.GetEnvironmentVariable("WIRE_BENCH_SUITE")} " : "";
        string source = await MeasuredBroker.Current.DescribeAsync();
        string text = $"`{suite}{options.Command}`, {DateTime.UtcNow:yyyy-MM-dd}, {source}\n\n{Machine.Describe()}\n\n{Method}\n\n";
        foreach ((_, Func<Task<string>> measure) in tables.Where(table => selected.Contains(table.Name)))
        {
            text += await measure() + "\n";
        }

        Console.WriteLine(text);
        if (options.IsAll)
        {
            Page.Write(Name, text);
        }
    }

    /// <summary>The same for tables of rows.</summary>
    public Task WriteAsync(Options options, IEnumerable<MessageTable> tables) =>
        WriteAsync(options, [.. tables.Select(table => (table.Name, (Func<Task<string>>)table.MeasureAsync))]);
}
