using Wire.Testing;

namespace Wire.Tool.Tests;

public sealed class InputTests : IDisposable
{
    private readonly Samples _samples = new();

    public void Dispose() => _samples.Dispose();

    [Fact]
    public void A_payload_and_frames_are_told_apart()
    {
        ToolRun single = ToolRun.Start("show", _samples.Write(Samples.Payload(Samples.NewOrder())));
        ToolRun framed = ToolRun.Start("show", _samples.Write(Samples.Frames(Samples.NewOrder(1), null, "text")));
        Assert.Equal((0, ""), (single.ExitCode, single.Errors));
        Assert.StartsWith("       1  Wire.Tool.Tests.Order, Wire.Tool.Tests 6 members\n", single.Output, StringComparison.Ordinal);
        Assert.Equal((0, ""), (framed.ExitCode, framed.Errors));
        Assert.Contains("frame 2 (payload at byte", framed.Output, StringComparison.Ordinal);
        Assert.Contains("\"text\" String", framed.Output, StringComparison.Ordinal);
    }

    // The first byte of the lengths is one that payloads begin with too.
    [Theory]
    [InlineData(0x10)]
    [InlineData(0x14)]
    [InlineData(0x17)]
    public void Frames_whose_length_looks_like_a_header_are_frames(int length)
    {
        string text = new('x', length - 3);
        byte[] frames = Samples.Frames(text, text);
        Assert.Equal(length, frames[0]);
        ToolRun run = ToolRun.Start("show", _samples.Write(frames));
        Assert.Equal(0, run.ExitCode);
        Assert.Equal(4, run.Lines.Length);
    }

    // Of two payloads of the specification, a frame of whose bytes could be read.
    [Fact]
    public void All_golden_payloads_are_single()
    {
        Assert.All(Golden.Payloads(), golden =>
        {
            ToolRun run = ToolRun.With(new MemoryStream(golden.Bytes), "show", "-");
            Assert.DoesNotContain("frame", run.Output, StringComparison.Ordinal);
            ToolRun framed = ToolRun.With(new MemoryStream([.. BitConverter.GetBytes(golden.Bytes.Length), .. golden.Bytes]), "show", "-");
            Assert.Equal(run.ExitCode, framed.ExitCode);
            Assert.Equal(run.Lines, framed.Lines.Skip(run.Output.Length > 0 ? 1 : 0));
        });
    }

    [Fact]
    public void The_form_can_be_said()
    {
        byte[] frames = Samples.Frames("a");
        ToolRun single = ToolRun.Start("show", "--single", _samples.Write(frames));
        Assert.Equal(1, single.ExitCode);
        ToolRun framed = ToolRun.Start("show", "--framed", _samples.Write(Samples.Payload("a")));
        Assert.Equal(1, framed.ExitCode);
        Assert.Contains("Give --single if the file is one payload.", framed.Error, StringComparison.Ordinal);
        Assert.Equal(0, ToolRun.Start("show", "--framed", _samples.Write([])).ExitCode);
        Assert.Equal(2, ToolRun.Start("show", "--framed", "--single", "a").ExitCode);
    }

    [Fact]
    public void Frames_are_spoken_of_where_the_bytes_look_like_them()
    {
        Assert.Contains("frame 1", Shown(Samples.Frames("abc")[..^1]), StringComparison.Ordinal);
        Assert.DoesNotContain("framed", Shown(Samples.Payload("abc")[..^1]), StringComparison.Ordinal);
        Assert.DoesNotContain("framed", Shown("{ \"Id\": 1 }"u8.ToArray()), StringComparison.Ordinal);

        string Shown(byte[] bytes) => ToolRun.Start("show", _samples.Write(bytes)).Error;
    }

    [Fact]
    public void Messages_of_a_session_are_read_from_its_start()
    {
        string file = _samples.Write(Samples.SessionFrames(Samples.NewOrder(1), Samples.NewOrder(2)));
        ToolRun without = ToolRun.Start("show", file);
        Assert.Equal(1, without.ExitCode);
        Assert.Contains("give --session", without.Error, StringComparison.Ordinal);
        ToolRun with = ToolRun.Start("show", file, "--session", "--frame", "2", "--path", "Id");
        Assert.Equal((0, ""), (with.ExitCode, with.Errors));
        Assert.Contains("2 Int32", with.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void The_input_arrives_in_any_pieces()
    {
        byte[] frames = Samples.Frames(Samples.NewOrder(1), Samples.NewOrder(2));
        ToolRun whole = ToolRun.With(new MemoryStream(frames), "show", "-");
        ToolRun pieces = ToolRun.With(new TrickleStream(frames, 3), "show", "-");
        Assert.Equal(whole, pieces);
        Assert.Equal(0, whole.ExitCode);
    }

    [Fact]
    public void A_frame_that_is_cut_short_is_one_line_and_those_before_it_are_shown()
    {
        byte[] frames = Samples.Frames("abc", "def");
        ToolRun run = ToolRun.Start("show", _samples.Write(frames[..^2]));
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("\"abc\" String", run.Output, StringComparison.Ordinal);
        Assert.EndsWith(
            ", frame 2 (length at byte 10): The frame is cut short: it should have 6 bytes, and 4 are left. "
                + "Whatever is in front of it was read.",
            run.Error,
            StringComparison.Ordinal);
        ToolRun length = ToolRun.With(new MemoryStream(frames[..12]), "show", "-");
        Assert.Contains("2 of the 4 bytes of its length are there", length.Error, StringComparison.Ordinal);
    }

    // Nothing of this size is reserved: the test would end.
    [Fact]
    public void A_length_takes_no_memory()
    {
        ToolRun run = ToolRun.With(new TrickleStream([0xFF, 0xFF, 0xFF, 0x7F, 0x10, 0x00], 4), "show", "--framed", "-");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("it should have 2147483647 bytes, and ", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_refused_frame_does_not_hide_those_behind_it()
    {
        ToolRun run = ToolRun.Start("show", _samples.Write([.. Samples.Frames("abc"), 2, 0, 0, 0, 0x10, 0x06, .. Samples.Frames("def")]));
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("\"def\" String", run.Output, StringComparison.Ordinal);
        Assert.Contains(", frame 2 (payload at byte 14): 0x06 is not a tag", run.Error, StringComparison.Ordinal);
        Assert.Contains("(at byte ", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Many_refused_frames_are_a_few_lines()
    {
        byte[] bad = [2, 0, 0, 0, 0x10, 0x06];
        ToolRun run = ToolRun.Start("show", "--framed", _samples.Write([.. Enumerable.Repeat(bad, 1000).SelectMany(frame => frame)]));
        Assert.Equal(21, run.Errors.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.EndsWith("wire: 980 more were refused.\n", run.Errors, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_no_file_or_option_is_wrong_usage()
    {
        ToolRun missing = ToolRun.Start("show", "/nowhere/a\u001b[31m.bin");
        Assert.Equal(2, missing.ExitCode);
        Assert.StartsWith("wire: /nowhere/a\\u001B[31m.bin: The file cannot be read: ", missing.Error, StringComparison.Ordinal);
        Assert.Equal(2, ToolRun.Start("show", Path.GetTempPath()).ExitCode);
        Assert.Equal(2, ToolRun.Start("show").ExitCode);
        Assert.Equal(2, ToolRun.Start().ExitCode);
        Assert.Equal(2, ToolRun.Start("shw", "a").ExitCode);
        Assert.Contains("There is no option --pth", ToolRun.Start("show", "a", "--pth").Error, StringComparison.Ordinal);
        Assert.Contains("--depth takes a number", ToolRun.Start("show", "a", "--depth", "x").Error, StringComparison.Ordinal);
        Assert.Equal(1, ToolRun.Start("show", _samples.Write([])).ExitCode);
    }

    [Fact]
    public void The_memory_for_a_payload_is_bounded()
    {
        string file = _samples.Write(Samples.Payload(Enumerable.Range(0, 500_000).Select(object? (i) => new Chain()).ToArray()));
        ToolRun run = ToolRun.Start("show", file, "--memory", "1");
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("Give --memory with more MiB", run.Error, StringComparison.Ordinal);
        Assert.Equal(0, ToolRun.Start("show", file).ExitCode);
    }
}
