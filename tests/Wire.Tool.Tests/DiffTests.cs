namespace Wire.Tool.Tests;

public sealed class DiffTests : IDisposable
{
    private readonly Samples _samples = new();

    public void Dispose() => _samples.Dispose();

    [Fact]
    public void Equal_values_do_not_differ_however_they_are_written()
    {
        object?[] values = [Samples.NewOrder(1), Samples.NewOrder(2)];
        string plain = _samples.Write(Samples.Payload(values));
        string numbered = _samples.Write(Samples.Payload(values, new() { PreserveObjectReferences = true }));
        Assert.Equal(new ToolRun(0, "", ""), ToolRun.Start("diff", plain, plain));
        Assert.Equal(new ToolRun(0, "", ""), ToolRun.Start("diff", plain, numbered));
    }

    [Fact]
    public void Differences_are_named_by_their_paths()
    {
        Order changed = Samples.NewOrder();
        changed.Customer = null;
        changed.State = State.Open;
        changed.Lines[1].Price = 3;
        changed.Stock.Remove("apple");
        changed.Stock.Add("plum", 9);
        changed.Picture = [1, 2, 3];
        ToolRun run = ToolRun.Start(
            "diff", _samples.Write(Samples.Payload(Samples.NewOrder())), _samples.Write(Samples.Payload(changed)));
        Assert.Equal((1, ""), (run.ExitCode, run.Errors));
        Assert.Equal(
            [
                "~ Customer: \"Ann\" String -> null",
                "~ Lines[1].Price: 2.25 Decimal -> 3 Decimal",
                "~ Picture: Byte[] 4 bytes 010203FF -> Byte[] 3 bytes 010203",
                "~ State: Paid (1) Int32 -> Open (0) Int32",
                "- Stock[\"apple\"]: 3 Int32",
                "+ Stock[\"plum\"]: 9 Int32",
            ],
            run.Lines.OrderBy(line => line[2..], StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Unlike))]
    public void Values_whose_texts_are_alike_differ(object first, object second, int exitCode) =>
        Assert.Equal(exitCode, ToolRun.Start("diff", Write(first), Write(second)).ExitCode);

    public static TheoryData<object, object, int> Unlike() => new()
    {
        { 0.1f, 0.1, 1 },
        { 0.5f, 0.5, 0 },
        { (Half)0.1, 0.1f, 1 },
        { 1, 1.0, 0 },
        { new DateTime(2024, 10, 27, 2, 30, 0, DateTimeKind.Local), FirstOfTwo(), 1 },
        { "1", 1, 1 },
    };

    [Fact]
    public void Keys_of_two_types_with_one_text_are_told_apart()
    {
        string file = Write(new Dictionary<object, string> { [1] = "int", ["1"] = "text", [1L] = "long", [(byte)1] = "byte" });
        Assert.Equal(new ToolRun(0, "", ""), ToolRun.Start("diff", file, file));
        string changed = Write(new Dictionary<object, string> { [1] = "int", ["1"] = "text", [1L] = "other", [(byte)1] = "byte" });
        Assert.Equal(new ToolRun(1, "~ [1]: \"long\" String -> \"other\" String\n", ""), ToolRun.Start("diff", file, changed));
        string one = Write(new Dictionary<object, string> { [1] = "a" });
        string wide = Write(new Dictionary<object, string> { [1L] = "a" });
        string two = Write(new Dictionary<object, string> { [1] = "a", [1L] = "b" });
        Assert.Equal(new ToolRun(0, "", ""), ToolRun.Start("diff", one, wide));
        Assert.Equal(new ToolRun(1, "+ [1]: \"b\" String\n", ""), ToolRun.Start("diff", one, two));
        Assert.Equal(new ToolRun(1, "- [1]: \"b\" String\n", ""), ToolRun.Start("diff", two, one));
        Assert.Equal(1, ToolRun.Start("diff", wide, two).ExitCode);
    }

    [Fact]
    public void Circles_of_two_lengths_are_compared_to_an_end()
    {
        var options = new SerializerOptions { PreserveObjectReferences = true };
        var first = new Chain();
        first.Next = new Chain { Next = first };
        var second = new Chain();
        var middle = new Chain();
        second.Next = middle;
        middle.Next = new Chain { Next = middle };
        string shorter = _samples.Write(Samples.Payload(first, options));
        string longer = _samples.Write(Samples.Payload(second, options));
        Assert.Equal(new ToolRun(0, "", ""), ToolRun.Start("diff", shorter, longer));
    }

    [Fact]
    public void An_element_more_is_one_difference()
    {
        string before = _samples.Write(Samples.Payload(new[] { 1, 2, 3, 4 }));
        string after = _samples.Write(Samples.Payload(new[] { 1, 2, 9, 3, 4 }));
        Assert.Equal("+ [2]: 9 Int32\n", ToolRun.Start("diff", before, after).Output);
        Assert.Equal("- [2]: 9 Int32\n", ToolRun.Start("diff", after, before).Output);
    }

    [Fact]
    public void Types_and_kinds_differ()
    {
        string order = _samples.Write(Samples.Payload(Samples.NewOrder()));
        string chain = _samples.Write(Samples.Payload(new Chain()));
        string text = _samples.Write(Samples.Payload("a"));
        ToolRun types = ToolRun.Start("diff", order, chain);
        Assert.StartsWith(
            "~ (root): type Wire.Tool.Tests.Order, Wire.Tool.Tests -> Wire.Tool.Tests.Chain, Wire.Tool.Tests\n",
            types.Output,
            StringComparison.Ordinal);
        Assert.Contains("+ Number: 0 Int32\n", types.Output, StringComparison.Ordinal);
        Assert.Contains("-> \"a\" String\n", ToolRun.Start("diff", order, text).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void References_are_equal_that_mean_equal_places()
    {
        var options = new SerializerOptions { PreserveObjectReferences = true };
        var shared = new Chain();
        byte[] same = Samples.Payload(new object[] { shared, new Chain(), shared }, options);
        var another = new Chain();
        byte[] other = Samples.Payload(new object[] { new Chain(), another, another }, options);
        Assert.Equal(0, ToolRun.Start("diff", _samples.Write(same), _samples.Write(same)).ExitCode);
        Assert.Equal("~ [2]: -> object 1 -> -> object 2\n", ToolRun.Start("diff", _samples.Write(same), _samples.Write(other)).Output);
        var ring = new Chain();
        ring.Next = ring;
        byte[] cycle = Samples.Payload(ring, options);
        Assert.Equal(1, ToolRun.Start("diff", _samples.Write(cycle), _samples.Write(Samples.Payload(Samples.NewChain(3)))).ExitCode);
    }

    [Fact]
    public void Frames_are_compared_one_by_one()
    {
        byte[] before = Samples.Frames("a", "b");
        byte[] after = Samples.Frames("a", "c", "d");
        ToolRun run = ToolRun.Start("diff", _samples.Write(before), _samples.Write(after));
        Assert.Equal(["~ frame 2: (root): \"b\" String -> \"c\" String", "+ frame 3: 4 bytes"], run.Lines);
        byte[] session = Samples.SessionFrames(Samples.NewOrder(1), Samples.NewOrder(2));
        string single = _samples.Write(Samples.Frames(Samples.NewOrder(1), Samples.NewOrder(3)));
        ToolRun sessions = ToolRun.Start("diff", "--session", _samples.Write(session), single);
        Assert.Equal("~ frame 2: Id: 2 Int32 -> 3 Int32\n", sessions.Output);
    }

    [Fact]
    public void A_depth_takes_no_stack()
    {
        var options = new SerializerOptions { Limits = new() { MaxDepth = 1_000_000 } };
        string a = _samples.Write(Samples.Payload(Samples.NewChain(50_000), options));
        string b = _samples.Write(Samples.Payload(Samples.NewChain(50_001), options));
        Assert.Equal(0, ToolRun.Start("diff", a, a).ExitCode);
        ToolRun run = ToolRun.Start("diff", a, b);
        Assert.InRange(Assert.Single(run.Lines).Length, 2000, 3000);
    }

    [Fact]
    public void Differences_are_bounded()
    {
        string a = _samples.Write(Samples.Payload(Enumerable.Range(0, 500).ToArray()));
        string b = _samples.Write(Samples.Payload(Enumerable.Range(1, 500).ToArray()));
        Assert.Equal(101, ToolRun.Start("diff", a, b).Lines.Length);
        Assert.Equal("... 490 more, see --limit", ToolRun.Start("diff", a, b, "--limit", "10").Lines[^1]);
        Assert.Equal(500, ToolRun.Start("diff", a, b, "--limit", "0").Lines.Length);
    }

    [Fact]
    public void Both_files_have_to_be_there()
    {
        string a = _samples.Write(Samples.Payload(1));
        Assert.Equal(2, ToolRun.Start("diff", a).ExitCode);
        Assert.Equal(2, ToolRun.Start("diff", a, a, a).ExitCode);
        Assert.Equal(2, ToolRun.Start("diff", a, "/nowhere").ExitCode);
        Assert.Equal(2, ToolRun.Start("diff", "-", "-").ExitCode);
        Assert.Equal(1, ToolRun.Start("diff", a, _samples.Write([0x10, 0x06])).ExitCode);
    }

    [Fact]
    public void All_golden_payloads_are_equal_to_themselves() => Assert.All(Golden.Payloads(), golden =>
    {
        string file = _samples.Write(golden.Bytes);
        Assert.Equal("", ToolRun.Start("diff", file, file).Output);
    });

    // The first of the two times that an hour has when clocks are set back.
    private static DateTime FirstOfTwo() => System.Runtime.CompilerServices.Unsafe.BitCast<ulong, DateTime>(
        (ulong)new DateTime(2024, 10, 27, 2, 30, 0).Ticks | (3UL << 62));

    private string Write(object value) => _samples.Write(Samples.Payload(value), Path.GetRandomFileName());
}
