using static Wire.Tests.Contracting.ContractModel;

namespace Wire.Tests.Contracting;

public sealed class ContractParsingTests
{
    private static readonly string Text =
        WireContract.From(new Serializer(), typeof(OrderPlaced), typeof(Things), typeof(Box<string>)).ToString();

    [Fact]
    public void Reading_the_text_gives_the_same_contract() => Assert.Equal(Text, WireContract.Parse(Text).ToString());

    [Fact]
    public void Remarks_empty_lines_and_other_line_ends_do_not_matter() => Assert.Equal(
        Text, WireContract.Parse("# a remark\n\n" + Text.Replace("\n", "\r\n\r\n# another\r\n", StringComparison.Ordinal)).ToString());

    [Fact]
    public void A_line_that_is_lost_is_noticed()
    {
        string[] lines = Text.TrimEnd('\n').Split('\n');
        for (int i = 1; i < lines.Length; i++)
        {
            // What has no part in the schemas may be less: names, and what objects fit.
            if (lines[i].Length == 0 || lines[i].StartsWith("  name ", StringComparison.Ordinal)
                || lines[i].StartsWith("  is ", StringComparison.Ordinal) || lines[i].StartsWith("abstract ", StringComparison.Ordinal))
            {
                continue;
            }

            string damaged = string.Join('\n', lines.Where((_, at) => at != i));
            string message = Assert.Throws<FormatException>(() => WireContract.Parse(damaged)).Message;
            Assert.Matches(@"^Line \d+ of the contract is damaged: [^\n]+\.$", message);
        }
    }

    [Theory]
    [InlineData("Pieces: int", "Pieces: long", 9, "has edited or merged the text")]
    [InlineData("Pieces: int", "Pieces: strange", 11, "'strange' is neither a built-in type nor described")]
    [InlineData("Pieces: int", "Pieces int", 11, "no colon")]
    [InlineData("Pieces: int", "Pie\\ces: int", 11, "backslash")]
    [InlineData("class Shop.Line", "<<<<<<< HEAD", 9, "neither the beginning of a type")]
    [InlineData("  Paid = 2", "  Paid = two", 0, "no value of an enum")]
    [InlineData("  Paid = 2", "  Paid = 3", 0, "has edited or merged the text")]
    [InlineData(": byte", ": string", 0, "is not the integer type of an enum")]
    [InlineData("wire contract 1", "wire contract 2", 2, "it is not 'wire contract 1'")]
    [InlineData("  fingerprint 864FD6C2", "  fingerprint 864FD6CX", 12, "no fingerprint")]
    public void A_damaged_line_is_named(string line, string damaged, int number, string reason)
    {
        Assert.Contains(line, Text, StringComparison.Ordinal);
        int at = Text.IndexOf(line, StringComparison.Ordinal);
        string text = Text[..at] + damaged + Text[(at + line.Length)..];
        string message = Assert.Throws<FormatException>(() => WireContract.Parse(text)).Message;
        Assert.Contains(reason, message, StringComparison.Ordinal);
        if (number > 0)
        {
            Assert.StartsWith($"Line {number} of the contract is damaged: ", message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_type_that_comes_twice_is_named()
    {
        string type = "class Shop.Line\n  Article: string\n  Pieces: int\n  fingerprint 864FD6C2\n";
        string message = Assert.Throws<FormatException>(() => WireContract.Parse(Text + type)).Message;
        Assert.EndsWith("there is a type 'Shop.Line' above it already.", message, StringComparison.Ordinal);
    }

    [Fact]
    public void Words_that_lead_in_a_circle_are_an_error()
    {
        string circle = "wire contract 1\n\nstruct A\n  X: B\n  fingerprint 00000000\n\nvalue B = like B\n";
        Assert.Contains(
            "without end", Assert.Throws<FormatException>(() => WireContract.Parse(circle)).Message, StringComparison.Ordinal);
    }
}
