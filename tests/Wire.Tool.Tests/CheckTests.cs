using System.Globalization;

namespace Wire.Tool.Tests;

internal sealed class Box<T>
{
    public T? Content { get; set; }
}

public sealed class CheckTests : IDisposable
{
    private readonly Samples _samples = new();

    public void Dispose() => _samples.Dispose();

    [Fact]
    public void A_payload_is_measured_as_limits_count()
    {
        ToolRun run = ToolRun.Start("check", _samples.Write(Samples.Payload(Samples.NewOrder())));
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Contains("well-formed", run.Lines[0], StringComparison.Ordinal);
        Assert.Equal("6", Row(run, "MaxObjects"));
        Assert.Equal("3", Row(run, "MaxDepth"));
        Assert.Equal("4", Row(run, "MaxElements"));
        Assert.Equal("5", Row(run, "MaxStringLength"));
    }

    [Fact]
    public void Objects_of_all_golden_payloads_are_counted_as_the_library_does()
    {
        int compared = 0;
        Assert.All(Golden.Payloads(), golden =>
        {
            ToolRun run = ToolRun.With(new MemoryStream(golden.Bytes), "check", "-");
            if (run.ExitCode != 0)
            {
                return;
            }

            int objects = Number(run, "MaxObjects");

            Assert.NotNull(TryParse(golden.Bytes, Limits.Default with { MaxObjects = Math.Max(objects, 1) }));
            Assert.True(objects <= 1 || TryParse(golden.Bytes, Limits.Default with { MaxObjects = objects - 1 }) is null, golden.Name);
            compared++;
        });
        Assert.InRange(compared, 300, int.MaxValue);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2500)]
    public void Levels_are_those_that_a_reader_needs(int levels)
    {
        byte[] payload = Samples.Payload(Samples.NewChain(levels), new() { Limits = new() { MaxDepth = 1_000_000 } });
        ToolRun run = ToolRun.Start("check", _samples.Write(payload));
        int found = Number(run, "MaxDepth");
        new Serializer(new() { Limits = new() { MaxDepth = found } }).Deserialize<Chain>(payload);
        if (levels > 1)
        {
            var tooFew = new Serializer(new() { Limits = new() { MaxDepth = found - 1 } });
            Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => tooFew.Deserialize<Chain>(payload)).Error);
            Assert.Contains("Limits = new Limits { MaxDepth = 2_500 },", run.Output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void The_options_name_each_type_that_has_to_be_allowed()
    {
        object[] values = [Samples.NewOrder(), new Box<Chain[]>(), new List<int>(), new ArgumentException("a"), DayOfWeek.Friday];
        ToolRun run = ToolRun.Start("check", _samples.Write(Samples.Payload(values)));
        IEnumerable<string> lines = run.Lines.Select(line => line.Trim().TrimEnd(','))
            .Where(line => line.StartsWith(".Allow", StringComparison.Ordinal));
        Assert.Equal(
            [
                ".Allow(typeof(Wire.Tool.Tests.Box<>))",
                ".Allow(typeof(Wire.Tool.Tests.Chain))",
                ".Allow(typeof(Wire.Tool.Tests.Order))",
            ],
            lines);
        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize(Samples.Payload(values)));
        WireTypeFilter filter = WireTypeFilter.Default.Allow(typeof(Box<>)).Allow<Chain>().Allow<Order>();
        Assert.NotNull(new Serializer(new() { TypeFilter = filter }).Deserialize(Samples.Payload(values)));
    }

    [Fact]
    public void What_the_default_options_read_needs_none()
    {
        object[] values = [1, "a", new List<string> { "a" }, new Dictionary<string, Guid>(), new Version(1, 2)];
        ToolRun run = ToolRun.Start("check", _samples.Write(Samples.Payload(values)));
        Assert.EndsWith("The default options read it.\n", run.Output, StringComparison.Ordinal);
    }

    // Pasted, it would be code.
    [Theory]
    [InlineData("A)).AllowEverything(typeof(B, C")]
    [InlineData("A\n.Evil(), C")]
    [InlineData("alias")]
    public void A_name_that_is_no_name_of_C_sharp_is_a_comment(string name)
    {
        byte[] text = System.Text.Encoding.UTF8.GetBytes(name);
        byte[] payload = [0x10, 0x02, (byte)(text.Length + 4), (byte)(text.Length << 1), .. text, 0x01, 0x44, 0x00];
        ToolRun run = ToolRun.Start("check", _samples.Write(payload));
        bool isComment = run.Output.Contains("    // Allow the type that the program knows as: ", StringComparison.Ordinal);
        Assert.True(run.ExitCode == 1 || isComment, run.Errors);
        Assert.DoesNotContain("typeof(A", run.Lines.Where(line => !line.Trim().StartsWith("//", StringComparison.Ordinal)));
        Assert.DoesNotContain(run.Lines, line => line.StartsWith(".Evil", StringComparison.Ordinal));
    }

    [Fact]
    public void Refused_frames_are_counted()
    {
        ToolRun run = ToolRun.Start("check", _samples.Write([.. Samples.Frames("abc"), 2, 0, 0, 0, 0x10, 0x06, .. Samples.Frames("def")]));
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("3 frame(s), 14 bytes, REFUSED: 1 of them", run.Output, StringComparison.Ordinal);
        Assert.Contains("frame 2", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Types_of_a_session_are_those_of_all_its_messages()
    {
        byte[] frames = Samples.SessionFrames(Samples.NewOrder(), new Chain());
        int most = Number(ToolRun.Start("check", "--session", _samples.Write(frames)), "MaxManifests");
        ToolRun alone = ToolRun.Start("check", _samples.Write(Samples.Payload(Samples.NewOrder())));
        Assert.Equal(Number(alone, "MaxManifests") + 1, most);
    }

    private static int Number(ToolRun run, string limit) =>
        int.Parse(Row(run, limit), NumberStyles.AllowThousands, CultureInfo.InvariantCulture);

    private static string Row(ToolRun run, string limit) =>
        run.Lines.Single(line => line.TrimStart().StartsWith(limit + " ", StringComparison.Ordinal))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)[1];

    private static PayloadDocument? TryParse(byte[] bytes, Limits limits)
    {
        try
        {
            return PayloadDocument.Parse(bytes, limits);
        }
        catch (WireFormatException)
        {
            return null;
        }
    }
}
