using System.Text.RegularExpressions;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("pattern, options but `Compiled`, timeout; a pattern from outside can take very long to match")]
public sealed partial class RegexTests : ValueTests<Regex?>
{
    protected override IEnumerable<Regex?> Samples =>
    [
        null, new(""), new("a+b"), new(@"(?<year>\d{4})-(\d\d)", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant),
        new("^\u0416.$", RegexOptions.Multiline | RegexOptions.RightToLeft, TimeSpan.FromMilliseconds(250)), new("(a|b)*c", RegexOptions.NonBacktracking),
    ];

    [Fact]
    public void A_generated_class_comes_back_as_a_regex()
    {
        Regex read = new Serializer().Clone<Regex>(Generated());
        Assert.Equal(typeof(Regex), read.GetType());
        Assert.Equal("x(?<n>[0-9]+)", read.ToString());
        Assert.Equal((RegexOptions.IgnoreCase, TimeSpan.FromSeconds(1)), (read.Options, read.MatchTimeout));
        Assert.Equal("12", read.Match("X12").Groups["n"].Value);
    }

    [Fact]
    public void A_class_of_the_programs_own_is_unsupported() =>
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize<Regex>(new OwnRegex()));

    [Fact]
    public void Compiled_is_neither_written_nor_read()
    {
        var serializer = new Serializer();
        Assert.Equal(RegexOptions.Singleline, serializer.Clone(new Regex("a", RegexOptions.Compiled | RegexOptions.Singleline)).Options);
        byte[] bytes = serializer.SerializeTyped(new Regex("a", RegexOptions.Singleline));
        int at = bytes.AsSpan().LastIndexOf((byte)RegexOptions.Singleline);
        bytes[at] |= (byte)RegexOptions.Compiled;
        Assert.Equal(RegexOptions.Singleline, serializer.DeserializeTyped<Regex>(bytes)!.Options);
    }

    [Theory]
    [InlineData("[a-", "]", 500)]
    [InlineData("[a-", "]", 100_000)]
    [InlineData("(", ")", 100_000)]
    [InlineData("(?:a|", ")", 100_000)]
    [InlineData("(?=", "){9}", 50_000)]
    [InlineData("(?:", "){2147483647}", 30_000)]
    [InlineData("(?(a)b|", ")", 50_000)]
    public void A_huge_pattern_is_read_or_reported_in_bounded_time_on_a_small_stack(string open, string close, int times)
    {
        byte[] changed = WithPattern(string.Concat(Enumerable.Repeat(open, times)) + string.Concat(Enumerable.Repeat(close, times)));
        var watch = System.Diagnostics.Stopwatch.StartNew();
        Exception? e = null;
        var thread = new Thread(() => e = Record.Exception(() => new Serializer().Deserialize<Regex>(changed)), 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.True(e is null or WireFormatException, e?.ToString());
        Assert.True(watch.Elapsed < TimeSpan.FromSeconds(30), watch.Elapsed.ToString());
    }

    [Theory]
    [InlineData("(", ")")]
    [InlineData("(?:a|", ")")]
    [InlineData("(\\)", ")")]
    [InlineData("([)]", ")")]
    [InlineData("([])]", ")")]
    [InlineData("([^])]", ")")]
    [InlineData("([\\])]", ")")]
    [InlineData("([\\c])]", ")")]
    [InlineData("(\\c[", ")")]
    [InlineData("([a-[b)]]", ")")]
    [InlineData("((?#[)", ")")]
    [InlineData("(#)\n", ")", RegexOptions.IgnorePatternWhitespace)]
    [InlineData("([^]", ")", RegexOptions.ECMAScript)]
    public void Groups_nest_only_so_deep(string open, string close, RegexOptions options = RegexOptions.None)
    {
        // Once: time that grew with the square of the depth, 15 seconds for 20,000 groups.
        string deep = string.Concat(Enumerable.Repeat(open, 1001)) + string.Concat(Enumerable.Repeat(close, 1001));
        WireFormatException e = Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Regex>(WithPattern(deep, options)));
        Assert.Equal(WireFormatError.InvalidValue, e.Error);
        Assert.Contains("subtracts classes|nests groups".Split('|'), reason => e.Message.Contains(reason, StringComparison.Ordinal));
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(new Regex(deep, options)));
    }

    [Theory]
    [InlineData("(a(b))", 5000)]
    [InlineData("[((]\\(x(\\))", 5000)]
    public void Many_groups_that_do_not_nest_are_honest(string part, int times)
    {
        var regex = new Regex(string.Concat(Enumerable.Repeat(part, times)));
        Assert.Equal(regex.ToString(), new Serializer().Clone(regex).ToString());
        string nested = new string('(', 1000) + new string(')', 1000);
        Assert.Equal(nested, new Serializer().Clone(new Regex(nested)).ToString());
    }

    [Fact]
    public void A_pattern_without_backtracking_that_is_too_large_is_reported()
    {
        byte[] bytes = WithPattern("((a{1000}){1000}){1000}", RegexOptions.NonBacktracking);
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Regex>(bytes)).Error);
    }

    private static byte[] WithPattern(string pattern, RegexOptions options = RegexOptions.None)
    {
        byte[] bytes = new Serializer().Serialize(new Regex("PATTERN", options));
        int at = bytes.AsSpan().IndexOf("PATTERN"u8);
        byte[] text = new Serializer().Serialize(pattern);
        return [.. bytes[..(at - 1)], .. text[2..], .. bytes[(at + 7)..]];
    }

    [GeneratedRegex("x(?<n>[0-9]+)", RegexOptions.IgnoreCase, 1000)]
    private static partial Regex Generated();

    private sealed class OwnRegex() : Regex("a");
}
