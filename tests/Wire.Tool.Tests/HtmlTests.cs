using System.Net;
using System.Text.RegularExpressions;
using Wire.Testing;

namespace Wire.Tool.Tests;

/// <summary>The page that <c>wire html</c> writes, as text; web/page/test opens it.</summary>
public sealed partial class HtmlTests : IDisposable
{
    private const int MiB = 1 << 20;

    private readonly Samples _samples = new();

    public void Dispose() => _samples.Dispose();

    [Fact]
    public void A_page_has_the_bytes_of_the_file_and_its_name()
    {
        byte[] payload = Samples.Payload(Samples.NewOrder());
        string file = _samples.Write(payload, "order");
        ToolRun run = ToolRun.Start("html", file);
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        var page = Page.Of(run.Output);
        Assert.Equal(("order.bin", "single"), (page.Title, page.Form));
        Assert.Equal(payload, page.Bytes);
        string written = file + ".html";
        Assert.Equal(new(0, "", ""), ToolRun.Start("html", file, "-o", written));
        Assert.Equal(run.Output, File.ReadAllText(written));
        Assert.Equal(new(0, "", ""), ToolRun.Start("html", file, "--output", written));
    }

    [Fact]
    public void The_form_is_found_out_or_said()
    {
        string frames = _samples.Write(Samples.Frames(1, "text"));
        Assert.Equal("framed", Page.Of(ToolRun.Start("html", frames).Output).Form);
        Assert.Equal("single", Page.Of(ToolRun.Start("html", frames, "--single").Output).Form);
        string session = _samples.Write(Samples.SessionFrames(Samples.NewOrder(1), Samples.NewOrder(2)));
        Assert.Equal("framed session", Page.Of(ToolRun.Start("html", session, "--session").Output).Form);
        Assert.Equal("framed", Page.Of(ToolRun.Start("html", _samples.Write([]), "--framed").Output).Form);
        Assert.Equal(2, ToolRun.Start("html", frames, "--framed", "--single").ExitCode);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3 << 14)]
    [InlineData((3 << 14) + 1)]
    [InlineData(200_000)]
    public void The_input_arrives_in_any_pieces(int size)
    {
        byte[] payload = Samples.Payload(new byte[size]);
        new Random(size).NextBytes(payload.AsSpan(Math.Min(8, payload.Length)));
        var page = Page.Of(ToolRun.With(new TrickleStream(payload, 1000), "html", "-").Output);
        Assert.Equal(("standard input", "single"), (page.Title, page.Form));
        Assert.Equal(payload, page.Bytes);
    }

    [Fact]
    public void Nothing_that_a_file_says_is_markup()
    {
        const string Hostile = "</title></script><img src=x onerror=alert(1)>\"'&";
        byte[] payload = Samples.Payload(new Dictionary<string, object> { [Hostile] = Hostile });
        string file = _samples.Write(payload);
        string named = Path.Combine(Path.GetDirectoryName(file)!, Hostile.Replace("/", "", StringComparison.Ordinal) + "\e[31m\u202e.bin");
        File.Move(file, named);
        string page = ToolRun.Start("html", named).Output;
        Assert.Equal(Hostile.Replace("/", "", StringComparison.Ordinal) + "\\u001B[31m\\u202E.bin", Page.Of(page).Title);
        Assert.DoesNotContain("<img", page, StringComparison.Ordinal);
        Assert.DoesNotContain('\e', page);
        string without = page.Replace(Convert.ToBase64String(payload), "", StringComparison.Ordinal);
        string other = ToolRun.Start("html", _samples.Write(Samples.Payload(1), "other")).Output;
        Assert.Equal(Tags(other), Tags(without));
    }

    [Fact]
    public void A_page_asks_for_nothing()
    {
        string page = ToolRun.Start("html", _samples.Write(Samples.Payload(1))).Output;
        Assert.Contains("content=\"default-src 'none'; script-src 'sha256-", page, StringComparison.Ordinal);
        Assert.DoesNotContain("@@", page, StringComparison.Ordinal);
        Assert.DoesNotMatch("(?i)https?:|<link|<iframe|<img| src=| href=|url\\(|@import|unsafe-", page);
    }

    [Fact]
    public void A_payload_that_is_refused_has_a_page_too()
    {
        byte[] bad = [0x10, 0x06];
        ToolRun run = ToolRun.Start("html", _samples.Write(bad));
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Equal(bad, Page.Of(run.Output).Bytes);
    }

    [Fact]
    public void What_cannot_be_read_or_written_is_one_line()
    {
        string file = _samples.Write(Samples.Payload("abc"));
        Assert.Equal(2, ToolRun.Start("html", file + ".not").ExitCode);
        ToolRun unwritable = ToolRun.Start("html", file, "-o", "/nowhere/a\e[31m.html");
        Assert.Equal(2, unwritable.ExitCode);
        Assert.StartsWith("wire: /nowhere/a\\u001B[31m.html: The page cannot be written: ", unwritable.Error, StringComparison.Ordinal);
        Assert.Equal(2, ToolRun.Start("html", file, "-o", Path.GetTempPath()).ExitCode);
        Assert.Equal(2, ToolRun.Start("html", file, "-o", "").ExitCode);
        Assert.Equal(2, ToolRun.Start("html").ExitCode);
        Assert.Equal(2, ToolRun.Start("html", file, file).ExitCode);
        Assert.Contains("There is no option --hex", ToolRun.Start("html", "--hex").Error, StringComparison.Ordinal);
        ToolRun empty = ToolRun.Start("html", _samples.Write([]));
        Assert.Equal((1, ""), (empty.ExitCode, empty.Output));
        Assert.Contains("The file is empty", empty.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void A_page_does_not_overwrite_what_it_is_of()
    {
        byte[] payload = Samples.Payload("abc");
        string file = _samples.Write(payload);
        string other = Path.Combine(Path.GetDirectoryName(file)!, ".", Path.GetFileName(file));
        ToolRun run = ToolRun.Start("html", file, "-o", other);
        Assert.Equal(2, run.ExitCode);
        Assert.EndsWith(": The page would overwrite the file that it is of.", run.Error, StringComparison.Ordinal);
        string link = file + ".link";
        File.CreateSymbolicLink(link, file);
        Assert.Equal(2, ToolRun.Start("html", file, "-o", link).ExitCode);
        Assert.Equal(2, ToolRun.Start("html", link, "-o", file).ExitCode);
        string folder = Path.Combine(Path.GetDirectoryName(file)!, "folder");
        Directory.CreateSymbolicLink(folder, Path.GetDirectoryName(file)!);
        Assert.Equal(2, ToolRun.Start("html", file, "-o", Path.Combine(folder, Path.GetFileName(file))).ExitCode);
        string copy = file + ".copy";
        File.Copy(file, copy);
        Assert.Equal(2, ToolRun.Start("html", file, "-o", copy).ExitCode);
        Assert.Equal(payload, File.ReadAllBytes(file));
        Assert.Equal(payload, File.ReadAllBytes(copy));
        File.Delete(folder);
    }

    [Fact]
    public void The_size_is_bounded_unless_more_is_asked_for()
    {
        byte[] large = Samples.Payload(new byte[MiB]);
        string file = _samples.Write(large);
        ToolRun refused = ToolRun.Start("html", file, "--max", "1");
        Assert.Equal((2, ""), (refused.ExitCode, refused.Output));
        Assert.EndsWith(
            ": A page is of 1 MiB at most, and the file has more. Give --max with more MiB, or look at it with wire show.",
            refused.Error,
            StringComparison.Ordinal);
        Assert.Equal(large, Page.Of(ToolRun.Start("html", file, "--max", "2").Output).Bytes);
        Assert.Equal(2, ToolRun.Start("html", file, "--max", "0").ExitCode);
        Assert.Contains("--max is 1024 at most", ToolRun.Start("html", file, "--max", "1025").Error, StringComparison.Ordinal);
    }

    // How much follows is known only when it is there.
    [Fact]
    public void A_pipe_that_has_more_leaves_no_half_page()
    {
        string page = _samples.Write([]) + ".html";
        File.WriteAllText(page, "an older page");
        ToolRun run = ToolRun.With(new TrickleStream(Samples.Payload(new byte[MiB]), 1 << 16), "html", "-", "--max", "1", "-o", page);
        Assert.Equal(2, run.ExitCode);
        Assert.Contains("standard input: A page is of 1 MiB at most", run.Error, StringComparison.Ordinal);
        Assert.Empty(File.ReadAllBytes(page));
    }

    [Fact]
    public void A_page_goes_through_pipes()
    {
        byte[] payload = Samples.Payload(Samples.NewOrder());
        string file = _samples.Write(payload);
        ToolRun run = ToolRun.Shell($"cat {file} | $wire html - | cat");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.Equal(payload, Page.Of(run.Output).Bytes);
        string big = _samples.Write(Samples.Payload(new byte[20_000_000]));
        ToolRun large = ToolRun.Shell($"set -o pipefail; $wire html {big} | head -n 1");
        Assert.Equal((141, ""), (large.ExitCode, large.Errors));
    }

    private static string[] Tags(string page) => [.. TagPattern().Matches(TitlePattern().Replace(page, "")).Select(match => match.Value)];

    [GeneratedRegex("<[a-zA-Z/!][^<>]*>")]
    private static partial Regex TagPattern();

    [GeneratedRegex("<title>([^<]*)</title>")]
    private static partial Regex TitlePattern();

    [GeneratedRegex("<script id=\"payload\" type=\"application/octet-stream\" data-form=\"([a-z ]+)\">([A-Za-z0-9+/=]*)</script>")]
    private static partial Regex PayloadPattern();

    /// <summary>What a page has.</summary>
    private sealed record Page(string Title, string Form, byte[] Bytes)
    {
        public static Page Of(string text)
        {
            Match title = Assert.Single(TitlePattern().Matches(text));
            Match payload = Assert.Single(PayloadPattern().Matches(text));
            return new(
                WebUtility.HtmlDecode(title.Groups[1].Value), payload.Groups[1].Value, Convert.FromBase64String(payload.Groups[2].Value));
        }
    }
}
