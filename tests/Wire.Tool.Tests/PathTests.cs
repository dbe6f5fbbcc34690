using System.Text;
using Wire.Tool.Walking;

namespace Wire.Tool.Tests;

public sealed class PathTests : IDisposable
{
    private readonly Samples _samples = new();

    public void Dispose() => _samples.Dispose();

    [Fact]
    public void A_long_path_has_the_beginning_and_the_end_of_the_whole()
    {
        var random = new Random(47);
        for (int i = 0; i < 2000; i++)
        {
            NodePart[] parts = [.. Enumerable.Range(0, random.Next(1, 1 << random.Next(1, 12))).Select(_ => NewPart(random))];
            var whole = new StringBuilder();
            foreach (NodePart part in parts)
            {
                part.AppendTo(whole);
            }

            string expected = whole.Length <= 2000 ? whole.ToString() : $"{whole.ToString()[..1000]} ... {whole.ToString()[^1000..]}";
            Assert.Equal(expected, PathText.Describe(parts, parts.Reverse(), parts.Length));
            IEnumerable<NodePart> first = parts.Take(PathText.MostFirst);
            Assert.Equal(expected, PathText.Describe(first, parts.Reverse(), parts.Length));
        }
    }

    [Fact]
    public void A_long_name_has_its_beginning_and_its_end()
    {
        string name = new string('a', 5000) + "\ud83d\ude00" + new string('b', 998);
        NodePart[] parts = [new(PartKind.Member, name, 0, default)];
        Assert.Equal($"[\"{name[..998]} ... {new string('b', 998)}\"]", PathText.Describe(parts, parts, 1));
        byte[] payload = Samples.Payload(new Dictionary<string, int> { [name] = 1 });
        string line = Assert.Single(ToolRun.Start("show", _samples.Write(payload), "--find", "1").Lines);
        Assert.InRange(line.Length, 2000, 2100);
        Assert.DoesNotContain('\ufffd', line);
    }

    // Without a bound each line takes twice as much where the payload is twice as deep. How much it takes depends on how far the runtime
    // is in compiling.
    [Theory]
    [InlineData("show")]
    [InlineData("diff")]
    public void Paths_of_a_deep_payload_take_no_more_than_they_show(string command)
    {
        long half = MemoryOfALine(command, 10_000);
        long whole = MemoryOfALine(command, 20_000);
        Assert.True(whole <= 1.4 * half, $"{half} bytes for each line of 10,000, and {whole} of 20,000");
    }

    private long MemoryOfALine(string command, int levels)
    {
        var options = new SerializerOptions { Limits = new() { MaxDepth = 1_000_000 } };
        Chain chain = Samples.NewChain(levels);
        string file = _samples.Write(Samples.Payload(chain, options), $"chain{levels}");
        for (Chain? one = chain; one is not null; one = (Chain?)one.Next)
        {
            one.Number = -1;
        }

        string changed = _samples.Write(Samples.Payload(chain, options), $"changed{levels}");
        string[] arguments =
            command == "show" ? [command, file, "--find", "Number", "--limit", "0"] : [command, file, changed, "--limit", "0"];
        long before = GC.GetAllocatedBytesForCurrentThread();
        ToolRun run = ToolRun.Start(arguments);
        long each = (GC.GetAllocatedBytesForCurrentThread() - before) / levels;
        Assert.Equal(levels, run.Lines.Length);
        return each;
    }

    private static NodePart NewPart(Random random)
    {
        string name = new('n', random.Next(0, 1 << random.Next(7)));
        return random.Next(3) switch
        {
            0 => new(PartKind.Element, null, random.Next(100_000), default),
            1 => new(PartKind.Member, $"a.{name}", 0, default),
            _ => new(PartKind.Member, name, 0, default),
        };
    }
}
