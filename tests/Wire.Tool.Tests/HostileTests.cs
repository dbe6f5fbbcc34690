namespace Wire.Tool.Tests;

/// <summary>Damaged and invented payloads end each command with a line, and never with an exception or without end.</summary>
public sealed class HostileTests : IDisposable
{
    private readonly Samples _samples = new();

    public void Dispose() => _samples.Dispose();

    [Theory]
    [InlineData("show", "--hex")]
    [InlineData("show", "--find", "a")]
    [InlineData("show", "--json")]
    [InlineData("show", "--path", "[0].Next")]
    [InlineData("check")]
    [InlineData("stats")]
    [InlineData("diff")]
    public void Changed_golden_payloads_are_read_or_refused(string command, params string[] options)
    {
        var random = new Random(46);
        string other = _samples.Write(Samples.Payload(Samples.NewOrder()));
        Assert.All(Golden.Payloads(), golden =>
        {
            byte[] bytes = [.. golden.Bytes];
            for (int i = 0; i < 2; i++)
            {
                bytes[random.Next(bytes.Length)] = (byte)random.Next(256);
                ToolRun run = ToolRun.Start([command, _samples.Write(bytes), .. command == "diff" ? new[] { other } : options]);
                Assert.InRange(run.ExitCode, 0, 1);
                Assert.DoesNotContain(run.Output + run.Errors, character => char.IsControl(character) && character != '\n');
            }
        });
    }

    // An array of 2,000,000,000 structs without members: each takes no bytes.
    [Theory]
    [InlineData("show")]
    [InlineData("show", "--find", "a")]
    [InlineData("check")]
    [InlineData("stats")]
    [InlineData("diff")]
    public void Elements_of_no_bytes_take_no_time(string command, params string[] options)
    {
        byte[] manifest = [0x04, (byte)'A', (byte)'B', 0x01, 0x41, 0x44, 0x00];
        string file = _samples.Write([0x10, 0x02, (byte)manifest.Length, .. manifest, 0x80, 0xA8, 0xD6, 0xB9, 0x07]);
        ToolRun run = ToolRun.Start([command, file, .. command == "diff" ? new[] { file } : options]);
        Assert.InRange(run.ExitCode, 0, 1);
    }

    // Object 2 lies in what a value serializer has written.
    [Fact]
    public void A_reference_into_bytes_of_a_serializer_leads_nowhere()
    {
        byte[] label = [0x02, 0x08, 0x0A, .. "Label"u8, 0x01, 0x47, 0x04, 0x01, 0x07, .. "abc"u8];
        string file = _samples.Write([0x12, 0x05, 0x2F, 0x02, .. label, 0x01, 0x02]);
        string other = _samples.Write([0x12, 0x05, 0x2F, 0x02, .. label, 0x15, 0x2A, 0x00, 0x00, 0x00]);
        Assert.EndsWith("[1] -> object 2\n", ToolRun.Start("show", file).Output, StringComparison.Ordinal);
        Assert.Equal(1, ToolRun.Start("show", file, "--path", "[1].Name").ExitCode);
        Assert.Equal(0, ToolRun.Start("diff", file, file).ExitCode);
        Assert.Equal("~ [1]: -> object 2 -> 42 Int32\n", ToolRun.Start("diff", file, other).Output);
        Assert.Equal(0, ToolRun.Start("check", file).ExitCode);
        Assert.Equal(0, ToolRun.Start("stats", file).ExitCode);
    }
}
