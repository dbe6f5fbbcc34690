using System.Collections.Immutable;

namespace Wire.Tests.Paths;

/// <summary>The objects in whose payloads the tests of paths look.</summary>
internal static class PathSamples
{
    public static SerializerOptions Options { get; } = new() { TypeFilter = WireTypeFilter.Unrestricted };

    public static Serializer Copies { get; } = new(Options);

    public static Serializer References { get; } = new(Options with { PreserveObjectReferences = true });

    /// <summary>A sample of which there are several.</summary>
    /// <param name="i">Which one.</param>
    public static Sample Example(int i) => new()
    {
        Any = i % 3 == 1 ? new Inner { Name = "any" } : i % 3 == 2 ? "text" : new Corner(3, 4),
        ByAny = { [1] = "number", ["1"] = "text" },
        ByColor = { [Color.Red] = "red", [Color.Green] = "green" },
        ByName = { ["a"] = 10, ["b"] = 20, ["é€"] = 30 },
        ByNumber = { [-1] = "minus", [3] = "three", [70000] = "many" },
        Bytes = [1, 2],
        Color = Color.Green,
        Corner = new(i, 4),
        Grid = i == 1 ? new[,] { { 1, 2 }, { 5, 6 } } : null,
        Inner = i == 0 ? null : new Inner { Name = "inner", Next = new Inner { Name = $"{i}" } },
        Items = [.. Enumerable.Range(0, 5).Select(n => new Inner { Name = $"item {n}", Number = n, Texts = ["x", $"{n}"] })],
        Late = i,
        Long = new string('l', 80),
        Maybe = i % 2 == 0 ? i : null,
        MaybeColor = i % 2 == 0 ? Color.Red : null,
        Name = i == 2 ? null : "Ada",
        Number = 1000 * i,
        Renamed = "renamed",
        Set = [3, 4, 5],
        Texts = i == 3 ? ["a", "b"] : ["a", "b", "c"],
        Uri = i == 5 ? new Uri("http://a/") : null,
        Weight = i / 2.0,
        When = new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc),
        Wide = "€",
        Words = [new() { Text = "a" }, new() { Text = "b" }, new() { Text = i % 2 == 0 ? "c" : "€" }, new() { Text = "d" }],
        Zone = 7 * i,
    };

    public enum Color : byte
    {
        Red = 1,
        Green = 2,
    }

    public readonly record struct Corner(int X, int Y);

    public readonly record struct Lone(int X);

    public sealed class Other
    {
        public string? Name { get; set; }
    }

    public class Inner
    {
        public Inner? Next { get; set; }

        public string? Name { get; set; }

        public int Number { get; set; }

        public List<string> Texts { get; set; } = [];
    }

    public sealed class Sample
    {
        public object? Any { get; set; }

        public Dictionary<object, string> ByAny { get; init; } = [];

        public Dictionary<Color, string> ByColor { get; init; } = [];

        public Dictionary<string, int> ByName { get; init; } = [];

        public SortedDictionary<int, string> ByNumber { get; init; } = [];

        public byte[]? Bytes { get; set; }

        public Color Color { get; set; }

        public int Computed => Number + 1;

        public Corner Corner { get; set; }

        public int[,]? Grid { get; set; }

        public Inner? Inner { get; set; }

        public Inner[] Items { get; set; } = [];

        public int Late { get; set; }

        public List<byte>? List { get; set; }

        public string? Long { get; set; }

        public int? Maybe { get; set; }

        public Color? MaybeColor { get; set; }

        public string? Name { get; set; }

        public int Number { get; set; }

        [WireName("wire.name")]
        public string? Renamed { get; set; }

        public HashSet<int> Set { get; init; } = [];

        public ImmutableList<string>? Texts { get; set; }

        public Uri? Uri { get; set; }

        public double Weight { get; set; }

        public DateTime When { get; set; }

        public string? Wide { get; set; }

        public Word[] Words { get; set; } = [];

        public int Zone { get; set; }
    }

    public enum Odd
    {
        [WireName("2")]
        Five = 5,
    }

    public sealed class Holders
    {
        public List<Holder> Items { get; set; } = [];
    }

    public sealed class Holder
    {
        public object? Any { get; set; }
    }

    public sealed class Colors
    {
        public List<Colored> Items { get; set; } = [];
    }

    public sealed class Colored
    {
        public Color Color { get; set; }
    }

    public readonly record struct Kelvin(int Degrees)
    {
        public static explicit operator Whole(Kelvin value) => new() { Number = value.Degrees };
    }

    public sealed class Whole
    {
        public int Number { get; set; }
    }

    public sealed class Large
    {
        public long Number { get; set; }
    }

    public sealed class Word
    {
        public string? Text { get; set; }
    }
}
