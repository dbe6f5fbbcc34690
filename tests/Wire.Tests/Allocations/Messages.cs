using Bench;

namespace Wire.Tests.Allocations;

/// <summary>Messages like those of the benchmarks.</summary>
internal static class Messages
{
    public const int Count = 1000;

    /// <summary>The number of messages of mixed traffic.</summary>
    public const int Traffic = 64;

    public static IEnumerable<KeyValuePair<string, Poco>> Pairs() =>
        Seeded.Pocos(100).Index().Select(pair => KeyValuePair.Create($"key {pair.Index}", pair.Item));

    public static IEnumerable<Figure> Figures() => Enumerable.Range(0, Count).Select(i => new Figure
    {
        Id = i,
        Shape = (i % 5) switch
        {
            0 => new Dot { X = i, Y = 0.5 },
            1 => new Circle { X = i, Y = 0.5, Radius = 2 },
            2 => new Box { Width = i, Height = 7 },
            3 => new Label { Text = $"label {i}" },
            _ => new Switch { IsOn = true, Since = i },
        },
    });

    public static object?[] Arguments() =>
    [
        1, 65_536, -7, 3L, long.MaxValue, "orders", "eu-west/shard-17", "", null, true, false, 0.5, double.Pi,
        new Guid(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), Seeded.Epoch, Color.Blue, new int[] { 1, 2, 3, 5, 8, 13, 21 },
        new object?[] { "nested", 42, null, Poco.Create(1) }, Poco.Create(2), Poco.Create(3),
    ];
}
