using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Roads;

/// <summary>
/// Damaged payloads of whole buffers, which flat code tries, fail as those in pieces, which it never sees: the same value, or the same
/// error at the same place.
/// </summary>
public sealed class RoadDamageTests
{
    private static readonly byte[] Values = [0, 1, 2, 3, 4, 5, 6, 0x10, 0x3F, 0x40, 0x7F, 0x80, 0x81, 0x82, 0x83, 0xC0, 0xFE, 0xFF];

    public static TheoryData<string, bool> Cases
    {
        get
        {
            var cases = new TheoryData<string, bool>();
            foreach (string name in Payloads.Keys)
            {
                cases.Add(name, true);
                cases.Add(name, false);
            }

            return cases;
        }
    }

    private static Dictionary<string, Func<object>> Payloads { get; } = new()
    {
        ["item"] = () => Items(1)[0],
        ["fine"] = () => new Fine { Flag = true, Price = 1.50m, At = DateTime.UnixEpoch, When = DateTimeOffset.UnixEpoch, First = "öl" },
        ["branch"] = Tree,
        ["list"] = () => Items(20),
        ["array in an object"] = () => new Around<Item[]> { Before = 3, Value = [.. Items(18)], Behind = "x" },
        ["list with nulls and long text"] = () => new List<Item?>([.. Items(18), null, Long, .. Items(4)]),
        ["numbered"] = () => new Dictionary<int, Item>(Items(20).Select((item, i) => KeyValuePair.Create(i, item))),
        ["numbered with some that are not straight"] = () =>
            new Dictionary<int, Item?>(Items(35).Select((item, i) => KeyValuePair.Create(i, i == 5 ? null : i == 17 ? Long : item))),
        ["named"] = () => new Dictionary<string, Item>(Items(20).Select((item, i) => KeyValuePair.Create($"{(char)(i + 'a')}", item))),
        ["small"] = () => new Dictionary<byte, OneText>(
            Items(17).Select((item, i) => KeyValuePair.Create((byte)i, new OneText { Text = item.Name }))),
        ["sorted"] = () =>
            new SortedDictionary<string, OneText>(Items(17).ToDictionary(item => $"{item.Id}", item => new OneText { Text = item.Name })),
        ["queue of mixed"] = () => new Around<Queue<Open>>
        {
            Value = new(Enumerable.Range(0, 20).Select(i => i % 5 == 3 ? new OpenLeaf { Number = i } : new Open { Note = "n" })),
            Behind = "end",
        },
        ["mixed"] = () =>
            new List<IThing>(Enumerable.Range(0, 24).Select(i => i % 3 == 0 ? (IThing)new OneText() : new Open { Note = "n" })),
        ["keys of several members"] = () =>
            new Dictionary<Tight, OneText>(Items(18).Select((item, i) => KeyValuePair.Create(new Tight { A = (byte)i }, new OneText()))),
        ["numbered in a small one"] = () => new Dictionary<int, Open>(Items(9).Select(item => KeyValuePair.Create(item.Id, new Open()))),
        ["immutable"] = () => new Around<System.Collections.Immutable.ImmutableList<Item>> { Value = [.. Items(17)] },
    };

    private static Item Long => new() { Name = new string('m', 70) };

    public static TheoryData<string, string> Limited
    {
        get
        {
            var cases = new TheoryData<string, string>();
            foreach ((string name, string limit) in
                (from name in Payloads.Keys from limit in Limit.Keys select (name, limit)).Sample(among: 4))
            {
                cases.Add(name, limit);
            }

            return cases;
        }
    }

    private static Dictionary<string, Func<int, Limits>> Limit { get; } = new()
    {
        [nameof(Limits.MaxBytes)] = n => new Limits { MaxBytes = n },
        [nameof(Limits.MaxAllocation)] = n => new Limits { MaxAllocation = n },
        [nameof(Limits.MaxObjects)] = n => new Limits { MaxObjects = n },
        [nameof(Limits.MaxElements)] = n => new Limits { MaxElements = n },
        [nameof(Limits.MaxDepth)] = n => new Limits { MaxDepth = n },
        [nameof(Limits.MaxManifests)] = n => new Limits { MaxManifests = Math.Min(n, 65_536) },
        [nameof(Limits.MaxManifestBytes)] = n => new Limits { MaxManifestBytes = n },
    };

    [Theory]
    [MemberData(nameof(Cases))]
    public void Damage_has_the_same_outcome_in_a_buffer_and_in_pieces(string name, bool tolerance)
    {
        var road = new Road(new SerializerOptions { TypeFilter = Setup.TestTypes, VersionTolerance = tolerance });
        object message = Payloads[name]();
        byte[] bytes = road.Serializer.Serialize(message);
        Warm();
        foreach (int length in Enumerable.Range(0, bytes.Length).Sample(among: 4))
        {
            road.AssertSameOutcome<object>(bytes[..length], 1 + (length % 7));
        }

        road.AssertSameOutcome<object>([.. bytes, 0], 3);
        for (int at = 0; at < bytes.Length; at++)
        {
            byte old = bytes[at];
            byte[] others = Sweep.IsWhole
                ? [.. Enumerable.Range(0, 256).Select(value => (byte)value)]
                : [.. Few(old).Sample(among: 16, at)];
            if (others.Length > 0)
            {
                Warm();
            }

            foreach (byte with in others)
            {
                bytes[at] = with;
                road.AssertSameOutcome<object>(bytes, 1 + (at % 7));
            }

            bytes[at] = old;
        }

        // Messages that are not flat postpone the next try.
        void Warm()
        {
            object? read = null;
            for (int i = 0; i < 20; i++)
            {
                read = road.Serializer.Deserialize<object>(bytes);
            }

            road.Same(message, read);
        }
    }

    [Theory]
    [InlineData("item")]
    [InlineData("fine")]
    public void What_is_cut_off_is_reported_by_the_first_message_as_by_later_ones(string name)
    {
        var options = new SerializerOptions { TypeFilter = Setup.TestTypes };
        var later = new Serializer(options);
        byte[] bytes = later.Serialize(Payloads[name]());
        for (int i = 0; i < 20; i++)
        {
            later.Deserialize<object>(bytes);
        }

        for (int length = 0; length < bytes.Length; length++)
        {
            byte[] cut = bytes[..length];
            // The place may be the beginning or the end of what is read at once.
            string error = Road.KindOf(Road.Outcome(() => later.Deserialize<object>(cut)).Error);
            Assert.NotEqual("", error);
            Assert.Equal(error, Road.KindOf(Road.Outcome(() => new Serializer(options).Deserialize<object>(cut)).Error));
            Assert.Equal(
                error,
                Road.KindOf(Road.Outcome(() => new Serializer(options with { DynamicCode = false }).Deserialize<object>(cut)).Error));
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Spliced_payloads_have_the_same_outcome_in_a_buffer_and_in_pieces(string name, bool tolerance)
    {
        var random = new Random(name.Length);
        var options = new SerializerOptions { TypeFilter = Setup.TestTypes, VersionTolerance = tolerance };
        Road[] roads =
        [
            new(options),
            new(options with { Limits = new Limits { MaxObjects = 30, MaxAllocation = 4_000, MaxDepth = 4, MaxManifests = 5 } }),
        ];
        object message = Payloads[name]();
        byte[] bytes = roads[0].Serializer.Serialize(message);
        byte[][] others = [bytes, .. Payloads.Values.Select(other => roads[0].Serializer.Serialize(other()))];
        for (int i = 0; i < (Sweep.IsWhole ? 100_000 : 400); i++)
        {
            if (i % 50 == 0)
            {
                for (int warm = 0; warm < 20; warm++)
                {
                    Road.Outcome(() => roads[0].Serializer.Deserialize<object>(bytes));
                    Road.Outcome(() => roads[1].Serializer.Deserialize<object>(bytes));
                }
            }

            byte[] spliced = Road.Splice(random, bytes, others[random.Next(2) == 0 ? 0 : random.Next(others.Length)]);
            // Types that are new here are read by other code the first times, which may report the end of a value and not its beginning.
            roads[i % 2].AssertSameOutcome<object>(spliced, 1 + (i % 7), isPlaceCompared: !Sweep.IsWhole);
        }
    }

    [Theory]
    [MemberData(nameof(Limited))]
    public void A_limit_is_exceeded_by_the_same_message_in_a_buffer_and_in_pieces(string name, string limit)
    {
        object message = Payloads[name]();
        byte[] bytes = With(1 << 20).Serializer.Serialize(message);
        int low = 1, high = 1 << 20;
        while (low < high)
        {
            int middle = (low + high) / 2;
            bool isEnough = Road.Outcome(() => With(middle).Serializer.Deserialize<object>(Sequences.Chunked(bytes, 3))).Error.Length == 0;
            (low, high) = isEnough ? (low, middle) : (middle + 1, high);
        }

        Road enough = With(low);
        for (int i = 0; i < 20; i++)
        {
            enough.Same(message, enough.Serializer.Deserialize<object>(bytes));
            Assert.Equal(bytes, enough.Serializer.Serialize(message));
            Assert.Equal(bytes, Written(enough.Serializer));
            enough.AssertSameOutcome<object>([.. bytes, 0], 1 + (i % 7));
        }

        if (low == 1)
        {
            return;
        }

        Road tooLittle = With(low - 1);
        for (int i = 0; i < 20; i++)
        {
            if (limit != nameof(Limits.MaxBytes))
            {
                // Those of a buffer are counted at its end, those in pieces as they arrive.
                tooLittle.AssertSameOutcome<object>(bytes, 1 + (i % 7));
            }

            Assert.Contains(limit, Road.Outcome(() => tooLittle.Serializer.Deserialize<object>(bytes)).Error, StringComparison.Ordinal);
            Assert.Contains(
                limit,
                Assert.Throws<ObjectGraphException>(() => tooLittle.Serializer.Serialize(message)).Message,
                StringComparison.Ordinal);
            Assert.Contains(
                limit, Assert.Throws<ObjectGraphException>(() => Written(tooLittle.Serializer)).Message, StringComparison.Ordinal);
        }

        Road With(int n) => new(new SerializerOptions { TypeFilter = Setup.TestTypes, Limits = Limit[limit](n) });

        byte[] Written(Serializer serializer)
        {
            var output = new PieceWriter(new Random(1));
            serializer.Serialize(message, output);
            return output.Written;
        }
    }

    private static IEnumerable<byte> Few(byte old) => [.. Values, (byte)(old + 1), (byte)(old - 1), (byte)(old ^ 0x40)];

    private static List<Item> Items(int count) =>
        [.. Enumerable.Range(0, count).Select(i => new Item { Id = i, Name = i % 4 == 2 ? "λ" : "n", Tint = Tint.Red })];

    private static Branch Tree() => new()
    {
        Name = "tree",
        Item = Items(1)[0],
        Fine = new Fine { First = "f" },
        Open = new Open { Note = "o" },
        Place = new Place { Label = "p", Item = Items(2)[1] },
        Numbers = [1, 2, 3],
        Bytes = [4, 5],
        Texts = ["a", null, ""],
        Items = [.. Items(2), null],
        Fines = [new Fine()],
        Opens = [new Open()],
    };
}
