using System.Globalization;
using Wire.Tool.Inputs;
using Wire.Tool.Measuring;

namespace Wire.Tool.Tests;

public sealed class StatsTests : IDisposable
{
    private readonly Samples _samples = new();

    public void Dispose() => _samples.Dispose();

    [Fact]
    public void Bytes_are_those_of_types_and_members()
    {
        ToolRun run = ToolRun.Start("stats", _samples.Write(Samples.Frames(Samples.NewOrder(1), Samples.NewOrder(2))));
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Equal("8", Cell(run, "Wire.Tool.Tests.Order, Wire.Tool.Tests . Id", 0));
        Assert.Equal("64", Cell(run, "Wire.Tool.Tests.Order, Wire.Tool.Tests . Lines.Price", 0));
        Assert.Equal("2", Cell(run, "Wire.Tool.Tests.Order, Wire.Tool.Tests", 2));
        Assert.Equal("2", Cell(run, "headers", 0));
        Assert.Equal("8", Cell(run, "lengths of frames", 0));
        Assert.Equal("4", Cell(run, "\"apple\"", 2));
        Assert.Equal("18", Cell(run, "\"apple\"", 0));
    }

    [Fact]
    public void Each_byte_of_all_golden_payloads_is_counted_once()
    {
        int counted = 0;
        Assert.All(Golden.Payloads(), golden =>
        {
            PayloadDocument document;
            try
            {
                document = PayloadDocument.Parse(golden.Bytes);
            }
            catch (WireFormatException)
            {
                return;
            }

            var statistics = new Statistics();
            statistics.Add(new InputPayload("golden", 0, 0, golden.Bytes), document);
            Assert.All(statistics.Members.Rows, row => Assert.InRange(row.Value.Bytes, 0, golden.Bytes.Length));
            Assert.Equal(golden.Bytes.Length, 1 + statistics.DefinitionBytes + statistics.Types.Rows.Sum(row => row.Value.Bytes));
            Assert.Equal(golden.Bytes.Length, 1 + statistics.DefinitionBytes + statistics.Members.Rows.Sum(row => row.Value.Bytes));
            counted++;
        });
        Assert.InRange(counted, 300, int.MaxValue);
    }

    [Fact]
    public void What_a_session_saves_is_what_it_saved()
    {
        object[] orders = [.. Enumerable.Range(0, 50).Select(Samples.NewOrder)];
        byte[] frames = Samples.Frames(orders);
        int saved = frames.Length - Samples.SessionFrames(orders).Length;
        string advice = Assert.Single(
            ToolRun.Start("stats", _samples.Write(frames)).Lines, line => line.StartsWith("A session", StringComparison.Ordinal));
        Assert.Contains($" would save {saved.ToString("N0", CultureInfo.InvariantCulture)} bytes, ", advice, StringComparison.Ordinal);
        string with = ToolRun.Start("stats", "--session", _samples.Write(Samples.SessionFrames(orders))).Output;
        Assert.DoesNotContain("A session", with, StringComparison.Ordinal);
    }

    [Fact]
    public void The_advice_has_whole_names_of_types()
    {
        string advice = Assert.Single(
            ToolRun.Start("stats", _samples.Write(Samples.Payload(new SortedDictionary<State, Dictionary<Marks, DateTimeOffset>>()))).Lines,
            line => line.StartsWith("A known type", StringComparison.Ordinal));

        Assert.StartsWith(
            "A known type in place of System.Collections.Generic.SortedDictionary`2[[Wire.Tool.Tests.State, Wire.Tool.Tests],"
            + "[System.Collections.Generic.Dictionary`2[[Wire.Tool.Tests.Marks, Wire.Tool.Tests],[System.DateTimeOffset]]]] would save ",
            advice,
            StringComparison.Ordinal);
    }

    [Fact]
    public void What_a_known_type_saves_is_what_it_saved()
    {
        byte[] payload = Samples.Payload(new Chain());
        byte[] known = Samples.Payload(new Chain(), new() { KnownTypes = [new(1, typeof(Chain))] });
        string advice = Assert.Single(
            ToolRun.Start("stats", _samples.Write(payload)).Lines, line => line.StartsWith("A known type", StringComparison.Ordinal));
        string saved = $" in place of Wire.Tool.Tests.Chain, Wire.Tool.Tests would save {payload.Length - known.Length} bytes, ";
        Assert.Contains(saved, advice, StringComparison.Ordinal);
        ToolRun none = ToolRun.Start("stats", _samples.Write(known));
        Assert.EndsWith("Known types or a session would save less than 1 %.\n", none.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_long_name_is_taken_once_however_many_values_have_it()
    {
        string file = _samples.Write(Samples.LongNames(200_000, 4000));
        long before = GC.GetAllocatedBytesForCurrentThread();
        ToolRun run = ToolRun.Start("stats", file);
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100 << 20);
        Assert.Equal("", run.Errors);
        Assert.Equal("16,000", Cell(run, $"T . M.{new string('n', 94)}...", 0));
    }

    [Fact]
    public void Tables_are_bounded()
    {
        var table = new BoundedTable<int>(100);
        for (int i = 0; i < 100_000; i++)
        {
            table.Add(i, 1);
            table.Add(-1, 10);
        }

        Assert.InRange(table.Rows.Count(), 50, 100);
        Assert.Equal((-1, 1_000_000L), (table.Rows.First().Key, table.Rows.First().Value.Bytes));
        Assert.Equal(1_100_000, table.Others.Bytes + table.Rows.Sum(row => row.Value.Bytes));
    }

    private static string Cell(ToolRun run, string row, int cell) =>
        run.Lines.First(line => line.StartsWith($"  {row}  ", StringComparison.Ordinal))[(row.Length + 2)..]
            .Replace(" %", "%", StringComparison.Ordinal).Split(' ', StringSplitOptions.RemoveEmptyEntries)[cell];
}
