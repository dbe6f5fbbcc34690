using System.Collections.ObjectModel;
using System.Globalization;
using Microsoft.FSharp.Collections;
using Microsoft.FSharp.Core;

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

    // Of the types of .NET: those of the library's tests are not here.
    [Fact]
    public void Golden_payloads_are_read_with_just_the_limits_that_are_printed()
    {
        int compared = 0;
        Assert.All(Golden.Payloads(), golden =>
        {
            if (!IsRead(golden.Bytes, Limits.Default))
            {
                return;
            }

            ToolRun run = ToolRun.With(new MemoryStream(golden.Bytes), "check", "-");
            if (run.ExitCode != 0)
            {
                return;
            }

            var exact = new Limits
            {
                MaxBytes = Number(run, "MaxBytes"),
                MaxDepth = Math.Max(Number(run, "MaxDepth"), 1),
                MaxObjects = Math.Max(Number(run, "MaxObjects"), 1),
                MaxElements = Number(run, "MaxElements"),
                MaxStringLength = Math.Max(Number(run, "MaxStringLength"), 64),
                MaxManifests = Math.Max(Number(run, "MaxManifests"), 1),
                MaxManifestBytes = Math.Max(Number(run, "MaxManifestBytes"), 1),
            };
            Assert.True(IsRead(golden.Bytes, exact), golden.Name);
            Assert.False(exact.MaxDepth > 1 && IsRead(golden.Bytes, exact with { MaxDepth = exact.MaxDepth - 1 }), golden.Name);
            Assert.False(exact.MaxObjects > 1 && IsRead(golden.Bytes, exact with { MaxObjects = exact.MaxObjects - 1 }), golden.Name);
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

    // The limit by default makes no line, so that these are deeper.
    [Theory]
    [MemberData(nameof(Nested))]
    public void The_limits_that_are_printed_are_just_enough(object value)
    {
        byte[] payload = Samples.Payload(value, new() { Limits = new() { MaxDepth = 1_000_000 } });
        ToolRun run = ToolRun.Start("check", _samples.Write(payload));
        var (depth, objects) = (Number(run, "MaxDepth"), Number(run, "MaxObjects"));
        Limits exact = new() { MaxDepth = depth, MaxObjects = objects };
        new Serializer(new() { Limits = exact }).Deserialize<object>(payload);
        Assert.All([exact with { MaxDepth = depth - 1 }, exact with { MaxObjects = objects - 1 }], less =>
        {
            var serializer = new Serializer(new() { Limits = less });
            Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(payload)).Error);
        });
    }

    public static TheoryData<object> Nested()
    {
        object wrapped = new ReadOnlyCollection<object>([1]);
        object mixed = new List<object> { 1 };
        for (int i = 0; i < 1500; i++)
        {
            wrapped = new ReadOnlyCollection<object>([wrapped]);
            mixed = i % 2 == 0 ? new Dictionary<object, object>(new Dictionary<object, object> { ["a"] = mixed }) : new[] { mixed };
        }

        return [wrapped, mixed, new ReadOnlyDictionary<string, object>(new Dictionary<string, object> { ["a"] = 1 })];
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
        Assert.Throws<TypeRefusedException>(() => new Serializer().Deserialize<object>(Samples.Payload(values)));
        WireTypeFilter filter = WireTypeFilter.Default.Allow(typeof(Box<>)).Allow<Chain>().Allow<Order>();
        Assert.NotNull(new Serializer(new() { TypeFilter = filter }).Deserialize<object>(Samples.Payload(values)));
    }

    [Fact]
    public void Types_of_F_sharp_need_its_package()
    {
        object[] values = [FSharpOption<int>.Some(3), ListModule.OfSeq([1, 2]), FSharpResult<int, string>.NewError("no")];
        byte[] payload = Samples.Payload(values, new SerializerOptions().UseFSharp());
        ToolRun run = ToolRun.Start("check", _samples.Write(payload));
        Assert.EndsWith("}.UseFSharp() // of the package WireSerializer.FSharp\n", run.Output, StringComparison.Ordinal);
        string[] rules = [.. run.Lines.Where(line => line.Contains(".Allow(", StringComparison.Ordinal)).Select(line => line.Trim())];
        Assert.Empty(rules);
        Assert.Equal(values, new Serializer(new SerializerOptions().UseFSharp()).Deserialize<object>(payload));

        payload = Samples.Payload(new Box<FSharpOption<int>> { Content = FSharpOption<int>.Some(3) }, new SerializerOptions().UseFSharp());
        Assert.Contains("}.UseFSharp()", ToolRun.Start("check", _samples.Write(payload)).Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Surrogates_are_named_by_what_they_replace()
    {
        using var table = new System.Data.DataTable("T");
        Surrogate chain = Surrogate.Create<Chain, int>(chain => chain.Number, number => new Chain { Number = number });
        var options = new SerializerOptions { Surrogates = [.. FrameworkSurrogates.All, chain] };
        ToolRun run = ToolRun.Start("check", _samples.Write(Samples.Payload(new object[] { table, new Chain { Number = 3 } }, options)));
        Assert.Contains("    Surrogates = [.. FrameworkSurrogates.All],\n", run.Output, StringComparison.Ordinal);
        Assert.Contains(
            "    // The surrogate that the writer has, or UseSerializable = true for an ISerializable: Wire.Tool.Tests.Chain, "
                + "Wire.Tool.Tests\n",
            run.Output,
            StringComparison.Ordinal);
        Assert.DoesNotContain("ISerializable: System", run.Output, StringComparison.Ordinal);

        run = ToolRun.Start("check", _samples.Write(Samples.Payload(new Chain { Number = 3 }, options)));
        Assert.DoesNotContain("FrameworkSurrogates", run.Output, StringComparison.Ordinal);
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

    private static bool IsRead(byte[] bytes, Limits limits)
    {
        try
        {
            new Serializer(new() { Limits = limits, TypeFilter = WireTypeFilter.Unrestricted }).Deserialize<object>(bytes);
            return true;
        }
        catch (WireFormatException)
        {
            return false;
        }
    }
}
