using System.Text;
using Wire.Tool.Running;

namespace Wire.Tool.Tests;

/// <summary>What somebody sees who looks at a terminal.</summary>
public sealed class TerminalTests
{
    [Fact]
    public void A_terminal_has_colors_and_no_other_sequences_of_control()
    {
        using var output = new MemoryStream();
        using var console = new ToolConsole(
            () => new MemoryStream(Samples.Payload(Samples.NewOrder())), output, TextWriter.Null, usesColors: true);
        Assert.Equal(0, WireTool.Run(["show", "-"], console));
        string shown = Encoding.UTF8.GetString(output.ToArray());
        Assert.Contains("\e[36mId\e[0m: \e[32m7\e[0m \e[33mInt32\e[0m\n", shown, StringComparison.Ordinal);
        string plain = System.Text.RegularExpressions.Regex.Replace(shown, "\e\\[\\d+m", "");
        Assert.Equal(ToolRun.With(new MemoryStream(Samples.Payload(Samples.NewOrder())), "show", "-").Output, plain);
    }

    [Fact]
    public void Long_work_shows_how_far_it_is_and_clears_that_line()
    {
        using var errors = new StringWriter();
        using var console = new ToolConsole(() => new SlowStream(Samples.Frames(1, 2, 3)), Stream.Null, errors, showsProgress: true);
        Assert.Equal(0, WireTool.Run(["stats", "-"], console));
        Assert.Contains("\r0 MiB", errors.ToString(), StringComparison.Ordinal);
        Assert.EndsWith("\r\e[K", errors.ToString(), StringComparison.Ordinal);
    }

    // A second and more before each frame.
    private sealed class SlowStream(byte[] bytes) : MemoryStream(bytes)
    {
        public override bool CanSeek => false;

        public override int Read(byte[] buffer, int offset, int count)
        {
            if (Position is > 0 and < 12)
            {
                Thread.Sleep(150);
            }

            return base.Read(buffer, offset, Math.Min(count, 1));
        }
    }
}
