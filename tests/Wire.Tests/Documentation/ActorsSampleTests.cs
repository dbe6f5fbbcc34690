using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Tests.Documentation;

/// <summary>The sample with actors does what its page says, with few messages: two processes, one of which is killed on the way.</summary>
public sealed partial class ActorsSampleTests
{
    [Fact]
    public async Task Each_message_is_received_or_counted_as_lost_and_none_is_misread()
    {
        (int code, string output) = await RunAsync("--messages", "20000");
        ILookup<string, (string Wire, string Json)> rows = output.Split('\n').Select(line => Columns().Split(line.Trim()))
            .Where(cells => cells.Length >= 3).ToLookup(cells => cells[0], cells => (cells[1], cells[2]));

        Assert.Equal(("True", "False"), Row("system messages are the same object again"));
        Assert.Equal(("True", "True"), Row("references are the same object again"));
        Assert.Equal(("OutOfStockException", "text"), Row("an exception comes back as"));
        Assert.Equal(("dead letter", "a JsonElement"), Row("an object that nothing allows comes as"));
        Assert.Equal(("True", "True"), Row("and the connection goes on"));
        Assert.Equal(("0", "0"), Row("misread, of all that were ever received"));
        Assert.Equal(("True", "True"), Row("all others in order, each once"));
        Assert.Equal(("2", "2"), Row("connections, with sessions of their own"));
        Check(cells => cells.Wire);
        Check(cells => cells.Json);
        Assert.Contains("All is as it should be.", output, StringComparison.Ordinal);
        Assert.Equal(0, code);

        (string Wire, string Json) Row(string label) => Assert.Single(rows[label]);

        void Check(Func<(string Wire, string Json), string> column)
        {
            long before = Number("received by the killed process"), after = Number("received by the next one");
            long lost = Number("lost, in flight at the kill");
            Assert.InRange(before, 10_000, long.MaxValue);
            Assert.InRange(after, 1, long.MaxValue);
            Assert.InRange(lost, 0, long.MaxValue);
            Assert.Equal(Number("sent"), before + after + lost);

            long Number(string label) => long.Parse(column(Row(label)), NumberStyles.Number, CultureInfo.InvariantCulture);
        }
    }

    [Fact]
    public async Task A_wrong_argument_is_answered_by_the_usage()
    {
        (int code, string output) = await RunAsync("--messages", "some");

        Assert.Equal(2, code);
        Assert.StartsWith("usage: ", output, StringComparison.Ordinal);
    }

    private static async Task<(int Code, string Output)> RunAsync(params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", [Path.Combine(AppContext.BaseDirectory, "Actors.dll"), .. arguments])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        try
        {
            string[] texts = await Task.WhenAll(process.StandardOutput.ReadToEndAsync(), process.StandardError.ReadToEndAsync())
                .WaitAsync(TimeSpan.FromMinutes(5));
            await process.WaitForExitAsync().InTime();
            return (process.ExitCode, string.Concat(texts));
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }

    [GeneratedRegex("  +")]
    private static partial Regex Columns();
}
