using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace Wire.Tool.Tests;

public sealed class ShowTests : IDisposable
{
    private readonly Samples _samples = new();

    public void Dispose() => _samples.Dispose();

    [Fact]
    public void A_payload_is_a_tree_of_names_values_and_types()
    {
        ToolRun run = ToolRun.Start("show", _samples.Write(Samples.Payload(Samples.NewOrder())));
        Assert.Equal(0, run.ExitCode);
        string[] tree = [.. run.Lines.Select(line => line[10..])];
        Assert.Equal("Wire.Tool.Tests.Order, Wire.Tool.Tests 6 members", tree[0]);
        Assert.Contains("  Customer: \"Ann\" String", tree);
        Assert.Contains("  Id: 7 Int32", tree);
        Assert.Contains("  State: Paid (1) Int32", tree);
        Assert.Contains("    [\"pear\"]: 4 Int32", tree);
        Assert.DoesNotContain(tree, line => line.Contains("[key ", StringComparison.Ordinal));
        Assert.Contains("      Price: 2.25 Decimal", tree);
        string picture = Assert.Single(tree, line => line.StartsWith("  Picture: ", StringComparison.Ordinal));
        Assert.EndsWith(" 4 bytes 010203FF", picture, StringComparison.Ordinal);
    }

    [Fact]
    public void A_damaged_payload_is_shown_up_to_the_damage()
    {
        byte[] payload = Samples.Payload(Samples.NewOrder());
        int price = PayloadDocument.Parse(payload).Root["Lines"][1]["Price"].Offset;
        string[] whole = ToolRun.Start("show", _samples.Write(payload, "whole")).Lines;
        string file = _samples.Write(payload[..(price + 3)]);

        ToolRun run = ToolRun.Start("show", file);

        Assert.Equal(1, run.ExitCode);
        string[] head = run.Lines[..^1];
        Assert.Contains(head, line => line.EndsWith("Article: \"pear\" String", StringComparison.Ordinal));
        Assert.DoesNotContain(head, line => line.Contains("2.25", StringComparison.Ordinal));
        Assert.Subset(whole.Select(WithoutSum).ToHashSet(), head.Select(WithoutSum).ToHashSet());
        Assert.Equal(
            $"{price,8}  The input ends inside a value; at least 13 more byte(s) are needed: it was cut, or not read to its end. "
                + "Pass all of its bytes: Stream.ReadExactly, unlike Read, returns no less than was asked for. "
                + $"(at byte {price}, in Lines[1].Price)",
            run.Lines[^1]);
        Assert.EndsWith($"(at byte {price}, in Lines[1].Price)", run.Error, StringComparison.Ordinal);

        ToolRun path = ToolRun.Start("show", file, "--path", "Lines[0].Price");
        Assert.Equal(1, path.ExitCode);
        Assert.EndsWith("  1.50 Decimal\n", path.Output, StringComparison.Ordinal);
        Assert.Equal("", ToolRun.Start("show", file, "--json").Output);
        Assert.Equal("", ToolRun.Start("show", _samples.Write(payload[..20], "nothing")).Output);

        // Of objects that the damage is in, the number of members is that of those which are there.
        static string WithoutSum(string line) => Regex.Replace(line, "\\d+ (members?|elements?|pairs?)$", "");
    }

    [Fact]
    public void Flags_are_shown_and_found_by_their_names()
    {
        string file = _samples.Write(Samples.Payload(new[] { Marks.Gift | Marks.Insured, Marks.Fast, (Marks)8 }));

        Assert.Equal(
            ["[0] Gift, Insured (5) Int32", "[1] Fast (2) Int32", "[2] 8 Int32"],
            ToolRun.Start("show", file).Lines.Skip(1).Select(line => line[10..].Trim()));
        Assert.StartsWith("[0] @", Assert.Single(ToolRun.Start("show", file, "--find", "insured").Lines), StringComparison.Ordinal);
    }

    [Fact]
    public void Each_line_has_the_offset_of_its_value()
    {
        byte[] payload = Samples.Payload(Samples.NewOrder());
        PayloadNode price = PayloadDocument.Parse(payload).Root["Lines"][1]["Price"];
        ToolRun run = ToolRun.Start("show", _samples.Write(payload), "--hex");
        Assert.Contains(run.Lines, line => line.StartsWith($"{price.Offset,8}  E1000000", StringComparison.Ordinal));
        ToolRun at = ToolRun.Start("show", _samples.Write(payload), "--at", $"{price.Offset}");
        Assert.Equal($"{price.Offset,8}  2.25 Decimal\n", at.Output);
        Assert.Equal(1, ToolRun.Start("show", _samples.Write(payload), "--at", "3").ExitCode);
    }

    [Fact]
    public void A_path_shows_one_value()
    {
        string file = _samples.Write(Samples.Payload(Samples.NewOrder()));
        Assert.EndsWith("  \"apple\" String\n", ToolRun.Start("show", file, "--path", "Lines[0].Article").Output, StringComparison.Ordinal);
        Assert.EndsWith("  4 Int32\n", ToolRun.Start("show", file, "--path", "Stock[\"pear\"]").Output, StringComparison.Ordinal);
        ToolRun none = ToolRun.Start("show", file, "--path", "Lines[2]");
        Assert.Equal(1, none.ExitCode);
        Assert.Contains("Nothing has the path \"Lines[2]\".", none.Error, StringComparison.Ordinal);
        Assert.Equal(2, ToolRun.Start("show", file, "--path", "Lines[").ExitCode);
    }

    [Fact]
    public void What_is_found_is_shown_with_its_path()
    {
        string file = _samples.Write(Samples.Payload(Samples.NewOrder()));
        string[] found = ToolRun.Start("show", file, "--find", "APPLE").Lines;
        Assert.Equal(2, found.Length);
        string article = Assert.Single(found, line => line.StartsWith("Lines[0].Article @", StringComparison.Ordinal));
        Assert.EndsWith(": \"apple\" String", article, StringComparison.Ordinal);
        Assert.Contains("Price", ToolRun.Start("show", file, "--find", "pric").Output, StringComparison.Ordinal);
        Assert.StartsWith("(root) @1: ", ToolRun.Start("show", file, "--find", "Tests.Order").Output, StringComparison.Ordinal);
        Assert.StartsWith("Lines[1].Price @", ToolRun.Start("show", file, "--find", "2.25").Output, StringComparison.Ordinal);
        Assert.StartsWith("State @", ToolRun.Start("show", file, "--find", "paid").Output, StringComparison.Ordinal);
        Assert.StartsWith("Id @", ToolRun.Start("show", file, "--find", "7").Output, StringComparison.Ordinal);
        Assert.Equal(1, ToolRun.Start("show", file, "--find", "plum").ExitCode);
    }

    [Fact]
    public void Each_path_that_is_found_leads_to_its_value()
    {
        var texts = new Dictionary<string, string> { ["a \"key\".b"] = "needle" };
        byte[] payload = Samples.Payload(new object[] { Samples.NewOrder(), texts });
        PayloadNode root = PayloadDocument.Parse(payload).Root;
        Assert.All(ToolRun.Start("show", _samples.Write(payload), "--find", "e", "--limit", "0").Lines, line =>
        {
            string path = line[..line.LastIndexOf(" @", StringComparison.Ordinal)];
            if (!path.Contains("[key ", StringComparison.Ordinal))
            {
                Assert.True(path == "(root)" || root.TryGet(path, out _), line);
            }
        });
    }

    [Fact]
    public void JSON_is_that_of_the_document()
    {
        byte[] payload = Samples.Payload(Samples.NewOrder());
        Assert.Equal(PayloadDocument.Parse(payload) + "\n", ToolRun.Start("show", _samples.Write(payload), "--json").Output);
        string[] lines = ToolRun.Start("show", _samples.Write(Samples.Frames(Samples.NewOrder(), "a\nb")), "--json").Lines;
        Assert.Equal(2, lines.Length);
        Assert.Equal(7, JsonDocument.Parse(lines[0]).RootElement.GetProperty("Id").GetInt32());
    }

    [Fact]
    public void JSON_is_indented_as_a_tree_is()
    {
        const string Text = "a \"{[\\ \n]} b";
        var chain = new Chain { Next = new object[] { Text, Array.Empty<int>(), new Dictionary<string, object> { [Text] = Text } } };
        byte[] shallow = Samples.Payload(chain);
        Assert.Equal(Json(shallow), ToolRun.Start("show", _samples.Write(shallow), "--json").Output);
        const int levels = 3_000;
        byte[] deep = Samples.Payload(Samples.NewChain(levels), new() { Limits = new() { MaxDepth = levels } });
        ToolRun run = ToolRun.Start("show", _samples.Write(deep), "--json", "--depth", "0");
        Assert.Equal((0, ""), (run.ExitCode, run.Errors));
        Assert.InRange(run.Lines.Length, 3 * levels, 5 * levels);
        Assert.All(run.Lines, line => Assert.InRange(line.Length - line.TrimStart().Length, 0, 80));
        Assert.Contains($"{new string(' ', 80)}\"Number\": {levels - 1}", run.Lines);
    }

    // The name is once in the payload, and once for each value in the JSON.
    [Fact]
    public void JSON_that_is_too_long_is_one_line_of_error()
    {
        string file = _samples.Write(Samples.LongNames(100_000, 1000));
        ToolRun run = ToolRun.Start("show", file, "--json");
        Assert.Equal(1, run.ExitCode);
        Assert.StartsWith($"wire: {file}: The JSON is more than 64 times as long as the payload, ", run.Error, StringComparison.Ordinal);
        Assert.EndsWith("\n", run.Output, StringComparison.Ordinal);
        Assert.Equal(0, ToolRun.Start("show", file, "--json", "--path", "[999]").ExitCode);
    }

    // The writer gives them on in parts of what a buffer has.
    [Fact]
    public void A_long_text_is_JSON_whatever_the_pieces_are_that_it_is_written_in()
    {
        string text = string.Concat(Enumerable.Range(0, 60_000).Select(i => i % 7 == 0 ? "\\\"{\n" : i % 5 == 0 ? "\ud83d\ude00" : "ä]b"));
        byte[] payload = Samples.Payload(new object[] { text, new[] { text, "end" } });
        string file = _samples.Write(payload);
        string json = ToolRun.Start("show", file, "--json").Output;
        Assert.Equal(Json(payload), json);
        using JsonDocument document = JsonDocument.Parse(json);
        Assert.Contains(text, Texts(document.RootElement));
        string frame = ToolRun.Start("show", _samples.Write(Samples.Frames(text, "b")), "--json").Output;
        Assert.Equal(text, JsonDocument.Parse(frame.Split('\n')[0]).RootElement.GetString());
    }

    private static string Json(byte[] payload)
    {
        using var bytes = new MemoryStream();
        using (var writer = new Utf8JsonWriter(bytes, new JsonWriterOptions { Indented = true, NewLine = "\n" }))
        {
            PayloadDocument.Parse(payload).WriteTo(writer);
        }

        return Encoding.UTF8.GetString(bytes.ToArray()) + "\n";
    }

    private static IEnumerable<string?> Texts(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.String => [element.GetString()],
        JsonValueKind.Array => element.EnumerateArray().SelectMany(Texts),
        JsonValueKind.Object => element.EnumerateObject().SelectMany(member => Texts(member.Value)),
        _ => [],
    };

    [Fact]
    public void Levels_and_elements_are_bounded_unless_asked_for()
    {
        string deep = _samples.Write(Samples.Payload(Samples.NewChain(30)));
        Assert.Equal(41, ToolRun.Start("show", deep).Lines.Length);
        Assert.Single(ToolRun.Start("show", deep).Lines, line => line.EndsWith("... deeper, see --depth", StringComparison.Ordinal));
        Assert.Equal(61, ToolRun.Start("show", deep, "--depth", "0").Lines.Length);
        Assert.Equal(3, ToolRun.Start("show", deep, "--depth", "1", "--path", "Next.Next").Lines.Length);
        string wide = _samples.Write(Samples.Payload(Enumerable.Range(0, 300).ToArray()));
        Assert.Equal(102, ToolRun.Start("show", wide).Lines.Length);
        Assert.Equal(301, ToolRun.Start("show", wide, "--limit", "0").Lines.Length);
    }

    [Fact]
    public void A_depth_takes_no_stack_and_little_text()
    {
        byte[] payload = Samples.Payload(Samples.NewChain(100_000), new() { Limits = new() { MaxDepth = 1_000_000 } });
        ToolRun run = ToolRun.Start("show", _samples.Write(payload), "--depth", "0");
        Assert.Equal(0, run.ExitCode);
        Assert.InRange(run.Output.Length, 0, 200 * 200_000);
        ToolRun found = ToolRun.Start("show", _samples.Write(payload), "--find", "99999");
        Assert.InRange(Assert.Single(found.Lines).Length, 0, 2200);
        Assert.Equal(0, ToolRun.Start("show", _samples.Write(payload), "--json").ExitCode);
    }

    [Fact]
    public void References_are_links()
    {
        var chain = new Chain { Number = 1 };
        chain.Next = chain;
        string file = _samples.Write(Samples.Payload(chain, new() { PreserveObjectReferences = true }));
        ToolRun run = ToolRun.Start("show", file);
        Assert.Contains("Next: -> object 0", run.Output, StringComparison.Ordinal);
        Assert.EndsWith("1 Int32\n", ToolRun.Start("show", file, "--path", "Next.Next.Number").Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Texts_of_payloads_cannot_act_on_a_terminal()
    {
        const string Hostile = "\u001b[2J\r\n\u202e\u0007\ud800";
        string file = _samples.Write(Samples.Payload(new Dictionary<string, string> { [Hostile] = Hostile }));
        string[][] options = [[], ["--find", "[2J"], ["--json"]];
        Assert.All(options, option =>
        {
            ToolRun run = ToolRun.Start(["show", file, .. option]);
            Assert.Equal(0, run.ExitCode);
            Assert.DoesNotContain(run.Output, character => char.IsControl(character) && character != '\n');
            Assert.DoesNotContain('\u202e', run.Output);
            Assert.DoesNotContain('\ufffd', run.Output);
        });
    }

    [Fact]
    public void All_golden_payloads_are_shown_or_refused() => Assert.All(Golden.Payloads(), golden =>
    {
        string file = _samples.Write(golden.Bytes);
        ToolRun tree = ToolRun.Start("show", file, "--hex");
        Assert.InRange(tree.ExitCode, 0, 1);
        Assert.Equal(tree.ExitCode, ToolRun.Start("show", file, "--json").ExitCode);
        Assert.InRange(ToolRun.Start("show", file, "--find", "a").ExitCode, 0, 1);
    });
}
