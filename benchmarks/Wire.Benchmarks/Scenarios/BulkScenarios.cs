using Wire.Benchmarks.Floors;

namespace Wire.Benchmarks.Scenarios;

/// <summary>A million ints.</summary>
internal sealed class IntsScenario() : Scenario<int[]>("int[1,000,000]")
{
    public override bool Same(int[] left, int[] right) => left.AsSpan().SequenceEqual(right);

    public override IEnumerable<Row> Floors() => [Floor<IntsFloor>("By hand, block copy (floor)")];

    protected override int[] Make()
    {
        var random = new Random(1);
        int[] numbers = new int[1_000_000];
        foreach (ref int number in numbers.AsSpan())
        {
            number = random.Next();
        }

        return numbers;
    }
}

/// <summary>A string of 1 MB (524,288 characters) in which scripts are mixed: Latin with accents, Greek, Cyrillic, Chinese, symbols beyond the first plane.</summary>
internal sealed class TextScenario() : Scenario<string>("1 MB of mixed text")
{
    private const string Alphabet = "etaoin shrdlu, äöüéèçñ ΑλφαΒητα Привет 你好世界漢字 — “”";

    public override bool Same(string left, string right) => left == right;

    public override IEnumerable<Row> Floors() => [Floor<Utf16Floor>("By hand, block copy of UTF-16 (floor)"), Floor<Utf8Floor>("By hand, transcoding to UTF-8")];

    protected override string Make() => string.Create(1 << 19, new Random(1), static (text, random) =>
    {
        random.GetItems(Alphabet, text);
        for (int i = 100; i + 1 < text.Length; i += 1000)
        {
            "😀".CopyTo(text[i..]);
        }
    });
}
