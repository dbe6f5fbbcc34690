namespace Wire.Soak;

/// <summary>Messages of many kinds, the same for the same random numbers.</summary>
internal static class Messages
{
    private const int Kinds = 12;

    public static object Next(Random random, long id) => random.Next(Kinds) switch
    {
        0 or 1 => Placed(random, id),
        2 => new Shipped(id, DateTime.UnixEpoch.AddSeconds(random.Next()), new Guid(random.Next(), 0, 0, new byte[8]), Notes(random)),
        3 => new Failed(id, new InvalidOperationException(Text(random), new ArgumentException(Text(random)))),
        4 => new Measured(id, Values(random), [.. Enumerable.Range(0, random.Next(20))], ("kW", TimeSpan.FromSeconds(random.Next(100)))),
        5 => new Wrapped(id, Next(random, id), [Placed(random, id), Placed(random, id)]),
        6 => new object?[]
        {
            random.Next(),
            Text(random),
            random.NextDouble(),
            'x',
            null,
            1.5m,
            DayOfWeek.Friday,
            new Version(1, 2),
            new Uri("https://a.example/b"),
        },
        7 => Ring(random.Next(2, 30)),
        8 => new List<Line>(Lines(random)),
        9 => new Token(Text(random)),
        10 => new SortedDictionary<string, Message>(StringComparer.Ordinal)
        {
            [Text(random)] = Placed(random, id),
            ["last"] = new Failed(id, new TimeoutException()),
        },
        _ => new string(random.Next(2) == 0 ? 'a' : '\u4F60', random.Next(2) == 0 ? random.Next(200) : random.Next(40_000)),
    };

    private static Placed Placed(Random random, long id) => new(id, Text(random), random.Next() / 100m, [.. Lines(random)]);

    private static IEnumerable<Line> Lines(Random random) =>
        Enumerable.Range(0, random.Next(8)).Select(
            i => new Line($"product {i}", random.Next(100), random.Next(2) == 0 ? null : random.Next(1000) / 10m));

    private static Dictionary<string, object?> Notes(Random random)
    {
        var notes = new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase) { ["count"] = random.Next(), ["none"] = null };
        notes[Text(random)] = new Line(Text(random), 1, null);
        return notes;
    }

    private static double[] Values(Random random) => [.. Enumerable.Range(0, random.Next(300)).Select(_ => random.NextDouble())];

    private static string Text(Random random) => $"text {random.Next(1000)}";

    private static Node Ring(int length)
    {
        object shared = new List<int> { 1, 2, 3 };
        var first = new Node { Shared = shared };
        Node last = first;
        for (int i = 1; i < length; i++)
        {
            last = last.Next = new Node { Number = i, Shared = shared };
        }

        last.Next = first;
        return first;
    }
}
