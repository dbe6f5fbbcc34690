using System.Text.RegularExpressions;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Scalars;

[TypeNotes("pattern, options but `Compiled`, timeout; a pattern from outside can take very long to match")]
public sealed partial class RegexTests : ValueTests<Regex?>
{
    protected override IEnumerable<Regex?> Samples =>
    [
        null, new(""), new("a+b"), new(@"(?<year>\d{4})-(\d\d)", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant),
        new("^\u0416.$", RegexOptions.Multiline | RegexOptions.RightToLeft, TimeSpan.FromMilliseconds(250)), new(
            "(a|b)*c", RegexOptions.NonBacktracking),
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
        Regex copy = serializer.CopyBothWays(new Regex("a", RegexOptions.Compiled | RegexOptions.Singleline));
        Assert.Equal(RegexOptions.Singleline, copy.Options);
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
        Assert.Equal(regex.ToString(), new Serializer().CopyBothWays(regex).ToString());
        string nested = new string('(', 1000) + new string(')', 1000);
        Assert.Equal(nested, new Serializer().CopyBothWays(new Regex(nested)).ToString());
    }

    [Fact]
    public void A_pattern_without_backtracking_that_is_too_large_is_reported()
    {
        byte[] bytes = WithPattern("((a{1000}){1000}){1000}", RegexOptions.NonBacktracking);
        Assert.Equal(
            WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Regex>(bytes)).Error);
    }

    [Theory]
    [InlineData("\\w\\d\\s\\p{L}a", 1, 500, RegexOptions.NonBacktracking)] // Once: 5 seconds and 1.2 GB.
    [InlineData("\\w\\d\\s\\p{L}a", 1, 500, RegexOptions.NonBacktracking | RegexOptions.IgnoreCase)]
    [InlineData("[ab]*c?", 9_000, 40, RegexOptions.None)] // The time grows with the square of how many there are.
    [InlineData("a*b?", 16_000, 40, RegexOptions.None)]
    [InlineData("[\0-\uFFFF]", 1_000, 10, RegexOptions.IgnoreCase)]
    [InlineData("(?i)[\\0-\\uFFFF]", 1_000, 10, RegexOptions.None)]
    [InlineData("(?n-s+i)[\u0100-\uFFFF]", 1_000, 10, RegexOptions.None)]
    [InlineData("[\\w\\d\\p{Lu}x-\u4000]", 1_000, 40, RegexOptions.IgnoreCase)]
    public void Patterns_that_take_long_are_refused_before_they_have(string part, int times, int count, RegexOptions options)
    {
        byte[] payload = new PayloadWriter().Byte(0x10, 5, 0x2F).Number(count).Many(
            count, (writer, i) => Write(writer, i, string.Concat(Enumerable.Repeat(part, times)) + i, options)).Bytes;
        TimeSpan before = ThreadTime.Now;
        WireFormatException e = Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<object>(payload));
        TimeSpan taken = ThreadTime.Now - before;
        Assert.Equal(WireFormatError.Limit, e.Error);
        Assert.Contains("MaxAllocation", e.Message, StringComparison.Ordinal);
        Assert.True(taken < TimeSpan.FromSeconds(10), taken.ToString());
    }

    [Fact]
    public void Patterns_with_many_different_characters_take_more_without_backtracking()
    {
        string distinct = string.Concat(Enumerable.Range(0, 600).Select(i => (char)(0x4E00 + (7 * i))));
        Assert.Equal(distinct, new Serializer().Deserialize<Regex>(WithPattern(distinct))!.ToString());
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(
            () => new Serializer().Deserialize<object>(WithPattern(distinct, RegexOptions.NonBacktracking))).Error);
    }

    [Fact]
    public void A_pattern_has_at_most_65536_characters()
    {
        var longest = new Regex(new string('a', 1 << 16));
        Assert.Equal(longest.ToString(), new Serializer().CopyBothWays(longest).ToString());
        var longer = new Regex(new string('a', (1 << 16) + 1));
        Assert.Contains(
            "65536 characters",
            Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(longer)).Message,
            StringComparison.Ordinal);
        WireFormatException e =
            Assert.Throws<WireFormatException>(() => new Serializer().Deserialize<Regex>(WithPattern(longer.ToString())));
        Assert.Equal(WireFormatError.InvalidValue, e.Error);
    }

    [Fact]
    public void What_a_pattern_takes_is_counted_on_write_and_read_and_from_another_layout()
    {
        var limited = new Serializer(new SerializerOptions { Limits = Limits.Default with { MaxAllocation = 1 << 20 } });
        var regex = new Regex("abc", RegexOptions.NonBacktracking);
        Assert.Contains(
            "MaxAllocation", Assert.Throws<ObjectGraphException>(() => limited.Serialize(regex)).Message, StringComparison.Ordinal);

        // A writer with one member more.
        byte[] foreign = Write(new PayloadWriter().Byte(0x10), 0, "abc", RegexOptions.NonBacktracking, more: true).Bytes;
        Assert.Equal("abc", new Serializer().Deserialize<Regex>(foreign)!.ToString());
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => limited.Deserialize<object>(foreign)).Error);
    }

    [Fact]
    public void Honest_patterns_are_many()
    {
        Regex[] patterns =
        [
            .. Enumerable.Range(0, 1000).Select(i => new Regex(@"^[a-z0-9._%+-]+@[a-z0-9.-]+\.[a-z]{2,}$" + i, RegexOptions.IgnoreCase)),
            .. Enumerable.Range(0, 10).Select(i => new Regex(@"^[\w.+-]+@\w+\.\w{2,}$" + i, RegexOptions.NonBacktracking)),
            new Regex(string.Join('|', Enumerable.Range(0, 5000).Select(i => "word" + i))),
        ];
        Assert.Equal(patterns.Length, new Serializer().CopyBothWays(patterns).Length);
    }

    private static PayloadWriter Write(PayloadWriter writer, int index, string pattern, RegexOptions options, bool more = false)
    {
        if (index > 0)
        {
            writer.Byte(0x80);
        }
        else
        {
            writer.Definition(typeof(Regex), schema => (more ? schema.Byte(0x44, 4).Name("More").Byte(0x12) : schema.Byte(0x44, 3))
                .Name("Options").Byte(0x15).Name("Pattern").Byte(0x2A).Name("Timeout").Byte(0x26));
        }

        return writer.Byte(more ? [7] : []).Byte(BitConverter.GetBytes((int)options)).Byte(new Serializer().Serialize(pattern)[2..]).Byte(
            BitConverter.GetBytes(-10_000L));
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
