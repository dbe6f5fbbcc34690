using System.Diagnostics;
using System.Globalization;
using System.Text.RegularExpressions;
using Actors;
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

        // These repeat, whatever else the machine does.
        AssertCost("bytes of a message", most: 44, ofJson: 0.42);
        AssertCost("allocated bytes a message, by the sender", most: 90, ofJson: 0.23);
        AssertCost("allocated bytes a message, by the receiver", most: 125, ofJson: 0.16);
        Assert.Contains("All is as it should be.", output, StringComparison.Ordinal);
        Assert.Equal(0, code);

        (string Wire, string Json) Row(string label) => Assert.Single(rows[label]);

        void AssertCost(string label, double most, double ofJson)
        {
            double wire = Number(Row(label).Wire), json = Number(Row(label).Json);
            Assert.InRange(wire, 1, most);
            Assert.InRange(wire / json, 0, ofJson);
        }

        static double Number(string cell) => double.Parse(cell, NumberStyles.Number, CultureInfo.InvariantCulture);

        void Check(Func<(string Wire, string Json), string> column)
        {
            double before = Of("received by the killed process"), after = Of("received by the next one");
            double lost = Of("lost, in flight at the kill"); // by the numbers of the messages, and not from the other counts
            Assert.InRange(before, 10_000, double.MaxValue);
            Assert.InRange(after, 1, double.MaxValue);
            Assert.InRange(lost, 0, double.MaxValue);
            Assert.Equal(Of("sent"), before + after + lost);

            double Of(string label) => Number(column(Row(label)));
        }
    }

    [Fact]
    public async Task A_wrong_argument_is_answered_by_the_usage()
    {
        (int code, string output) = await RunAsync("--messages", "some");

        Assert.Equal(2, code);
        Assert.StartsWith("usage: ", output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Null_is_no_message_and_whoever_sends_it_is_told()
    {
        var system = new ActorSystem(node: 0);
        system.Connect(other: 1);
        foreach (ushort node in (ushort[])[0, 1])
        {
            ActorRef reference = system.Resolve(new ActorAddress(node, 7));
            Assert.Throws<ArgumentNullException>(() => reference.Tell(null!));
            await Assert.ThrowsAsync<ArgumentNullException>(async () => await reference.TellAsync(null!));
        }
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
