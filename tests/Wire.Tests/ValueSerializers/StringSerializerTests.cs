using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers;

/// <summary>Text at the boundaries of headers and vectors.</summary>
public sealed class StringTests : ValueTests<string?>
{
    protected override IEnumerable<string?> Samples =>
    [
        null, "", "a", "\0", "\u0080", "\u00FF", "\u0100", "\uFFFF", "😀", "\uD800", "\uDC00", "\uDC00\uD800", "a\uD800b",
        "e\u0301", new string('x', 17) + "\u0100", "\u0100" + new string('x', 17),
    ];
}

/// <summary>Every length around the width of a vector and the longest one-byte header, in both widths.</summary>
public sealed class StringSerializerTests
{
    private static readonly int[] Lengths =
        [.. Enumerable.Range(0, 71), 126, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025, 8191, 8192, 8193];

    [Theory]
    [MemberData(nameof(Configuration.AsTheory), MemberType = typeof(Configuration))]
    public void Every_length_in_both_widths_reads_back(bool references, bool tolerance, bool dynamicCode)
    {
        var tester = new ValueTester<string>(Configuration.Serializer(references, tolerance, dynamicCode));
        foreach (int length in Lengths)
        {
            foreach (string text in TextsOf(length))
            {
                tester.Sources(text);
                tester.Containers(text, []);
            }
        }
    }

    [Fact]
    public void One_wide_character_anywhere_makes_the_text_wide()
    {
        Serializer serializer = Configuration.Serializer(references: false, tolerance: true, dynamicCode: true);
        for (int length = 1; length <= 70; length++)
        {
            for (int at = 0; at < length; at++)
            {
                char[] text = [.. Enumerable.Repeat('\u00FF', length)];
                text[at] = '\u0100';
                byte[] bytes = serializer.Serialize(new string(text));
                Assert.Equal(new string(text), serializer.Deserialize<string>(bytes));
                Assert.Equal(2 + (length <= 62 ? 1 : 2) + (2 * length), bytes.Length);
            }
        }
    }

    [Theory]
    [InlineData('x')]
    [InlineData('\u00FF')]
    [InlineData('\u0416')]
    [InlineData('\uD800')]
    public void Long_text_reads_back_from_every_source(char c)
    {
        foreach (bool references in new[] { false, true })
        {
            var tester = new ValueTester<string>(Configuration.Serializer(references, tolerance: true, dynamicCode: true));
            tester.Sources(new string(c, 100_000));
            tester.Sources(new string('x', 99_999) + c);
            tester.Sessions(new string(c, 100_000));
            tester.Typed(new string(c, 40_000));
        }
    }

    // Assert.Equal looks at every character for what it may be told to ignore, which takes long for long text.
    private static void Same(string? expected, string? actual)
    {
        if (!string.Equals(expected, actual, StringComparison.Ordinal))
        {
            Assert.Equal(expected, actual);
        }
    }

    private static IEnumerable<string> TextsOf(int length)
    {
        yield return string.Concat(Enumerable.Range(0, length).Select(i => (char)('a' + (i % 26))));
        yield return string.Concat(Enumerable.Range(0, length).Select(i => (char)(0xFF - (i % 0x80))));
        yield return string.Concat(Enumerable.Range(0, length).Select(i => (char)(0x0100 + (i * 0x11))));
        if (length > 0)
        {
            yield return new string('a', length - 1) + "\uDBFF";
        }
    }
}
