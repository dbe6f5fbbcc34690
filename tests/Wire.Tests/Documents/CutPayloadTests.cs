using Wire.Tests.Golden;

namespace Wire.Tests.Documents;

/// <summary>Of a damaged payload, what is in front of the damage can be looked at.</summary>
public sealed class CutPayloadTests
{
    private static readonly Serializer Serializer = new(new SerializerOptions { PreserveObjectReferences = true });

    [Fact]
    public void A_payload_cut_at_any_byte_has_the_values_in_front_of_the_cut()
    {
        byte[] payload = Serializer.Serialize(Parcel.Create());
        PayloadNode whole = PayloadDocument.Parse(payload).Root;
        var paths = new HashSet<string>();
        for (int length = 0; length < payload.Length; length++)
        {
            PayloadDocument? beginning = PayloadDocument.ParseBeginning(payload.AsMemory(0, length), out WireFormatException? failure);

            Assert.NotNull(failure);
            paths.Add(failure.MemberPath);
            if (beginning is not null)
            {
                Assert.True(IsBeginning(beginning.Root, whole), $"at {length}");
                Assert.NotEmpty(beginning.ToString());
                Assert.False(beginning.Root.TryGet(failure.MemberPath, out _), failure.MemberPath);
                Assert.True(
                    whole.TryGet(failure.MemberPath, out PayloadNode at)
                    || failure.MemberPath.Contains("[key", StringComparison.Ordinal));
                Assert.True(at.Length == 0 || (at.Offset <= length && length < at.Offset + at.Length), failure.MemberPath);
            }
        }

        Assert.Superset(
            new HashSet<string> { "Lines", "Lines[1].Price", "Stock[\"pear\"]", "Stock[key 1]", "Days[2].Text", "Note" }, paths);
    }

    [Fact]
    public void Keys_and_names_of_any_characters_are_written_as_paths_are_read()
    {
        byte[] payload = Serializer.Serialize(new Odd());
        PayloadNode whole = PayloadDocument.Parse(payload).Root;
        var paths = new HashSet<string>();
        for (int length = whole.Offset + 1; length < payload.Length; length++)
        {
            PayloadDocument? beginning = PayloadDocument.ParseBeginning(payload.AsMemory(0, length), out WireFormatException? failure);
            string path = failure!.MemberPath;
            if (beginning is not null && !path.Contains("[key", StringComparison.Ordinal))
            {
                paths.Add(path);
                Assert.True(whole.TryGet(path, out PayloadNode at), path);
                Assert.True(at.Length == 0 || (at.Offset <= length && length < at.Offset + at.Length), path);
            }
        }

        Assert.Equal(
            [],
            new[]
            {
                "Texts[\"C:\\\\dir\"][1]", "Texts[\"q\\\"q\"][1]", "Texts[\"\\\\\\\"\"][1]", "Texts[\"\"][1]", "Signs[\"]\"][1]",
                "Signs[\"\\\"\"][1]", "Signs[\\][1]", "[\"a.b\"][1]", "q\"q[1]", "[\"\\\"[\\\\\"][1]",
            }.Except(paths));
    }

    [Fact]
    public void An_error_names_a_member_as_a_path_is_read()
    {
        byte[] payload = Serializer.Serialize(new Odd());
        int text = PayloadDocument.Parse(payload).Root["\"[\\"][1].Offset;
        payload[text] = 0xFF; // longer than the payload

        string path = Assert.Throws<WireFormatException>(() => Serializer.Deserialize<Odd>(payload)).MemberPath;

        Assert.Equal("[\"\\\"[\\\\\"][1]", path);
        Assert.True(PayloadDocument.Parse(Serializer.Serialize(new Odd())).Root.TryGet(path, out _));
    }

    [Fact]
    public void Every_golden_payload_can_be_looked_at_wherever_it_is_damaged()
    {
        foreach (GoldenSample sample in GoldenSamples.All)
        {
            byte[] payload = Serializer.Serialize(sample.Value);
            for (int length = 0; length < payload.Length; length += 1 + (payload.Length / 50))
            {
                Look(payload[..length], out WireFormatException? failure);
                Assert.NotNull(failure);
                byte[] damaged = [.. payload];
                damaged[length] ^= (byte)(1 << (length % 8));
                Look(damaged, out _);
            }
        }

        static void Look(byte[] bytes, out WireFormatException? failure)
        {
            if (PayloadDocument.ParseBeginning(bytes, out failure) is { } beginning)
            {
                NodeWalk.Check(beginning, isWhole: failure is null);
            }
        }
    }

    [Fact]
    public void Damage_ends_the_values_where_it_is()
    {
        byte[] payload = Serializer.Serialize(Parcel.Create());
        int price = PayloadDocument.Parse(payload).Root["Lines"][1]["Price"].Offset;
        payload[price + 15] = 0x7F; // no decimal has such flags

        PayloadDocument beginning = PayloadDocument.ParseBeginning(payload, out WireFormatException? failure)!;

        Assert.Equal("Lines[1].Price", failure!.MemberPath);
        Assert.Equal((2, 1), (beginning.Root["Lines"].Count, beginning.Root["Lines"][1].Count));
        Assert.Equal("pear", beginning.Root["Lines"][1]["Article"].GetText());
        Assert.False(beginning.Root.TryGetMember("Note", out _));
    }

    public static TheoryData<object, byte[]> Checked() => new()
    {
        { new HashSet<DateTime> { new(1, DateTimeKind.Utc) }, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F] },
        { new HashSet<bool> { true }, [2] },
        { new SortedSet<TimeOnly> { new(1, 2) }, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F] },
        { new Dictionary<int, bool> { [5] = true }, [2] },
        { new Dictionary<bool, long> { [true] = 7 }, [2, 7, 0, 0, 0, 0, 0, 0, 0] },
    };

    [Theory]
    [MemberData(nameof(Checked))]
    public void Elements_of_one_size_that_are_no_values_are_not_there(object collection, byte[] last)
    {
        byte[] payload = Serializer.Serialize<object>(new object[] { "before", collection, "behind" });
        int end = PayloadDocument.Parse(payload).Root[2].Offset;
        last.CopyTo(payload, end - last.Length);

        PayloadDocument beginning = PayloadDocument.ParseBeginning(payload, out WireFormatException? failure)!;

        Assert.Equal((WireFormatError.InvalidValue, "[1]"), (failure!.Error, failure.MemberPath));
        NodeWalk.Check(beginning, isWhole: false);
        Assert.Equal("before", Assert.Single(beginning.Root.EnumerateElements()).GetText());
        Assert.DoesNotContain("behind", beginning.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void The_first_element_that_is_no_value_is_where_the_damage_is()
    {
        byte[] payload = Serializer.Serialize(new bool[100_000]);
        int third = payload.Length - 100_000 + 3;
        payload[third] = 2;

        WireFormatException failure = Assert.Throws<WireFormatException>(() => PayloadDocument.Parse(payload));

        Assert.Equal(third + 1, failure.Offset);
    }

    [Fact]
    public void What_is_whole_is_read_as_a_whole()
    {
        byte[] payload = Serializer.Serialize(Parcel.Create());

        Assert.Equal(
            PayloadDocument.Parse(payload).ToString(),
            PayloadDocument.ParseBeginning(payload, out WireFormatException? none)!.ToString());
        Assert.Null(none);
        Assert.Equal(
            PayloadDocument.Parse(payload).ToString(),
            PayloadDocument.ParseBeginning((byte[])[.. payload, 0], out WireFormatException? more)!.ToString());
        Assert.Equal(WireFormatError.TrailingBytes, more!.Error);
        Assert.Null(PayloadDocument.ParseBeginning(new byte[] { 0x7B }, out WireFormatException? other));
        Assert.Equal(WireFormatError.Header, other!.Error);
    }

    // Returns whether the parts of one are the first of the other.
    private static bool IsBeginning(PayloadNode one, PayloadNode whole)
    {
        PayloadNode[] parts = PartsOf(one);
        PayloadNode[] all = PartsOf(whole);
        return one.Kind == whole.Kind && one.Offset == whole.Offset && parts.Length <= all.Length
            && (one.Kind != PayloadKind.Scalar || one.GetText() == whole.GetText())
            && parts.Zip(all).All(pair => IsBeginning(pair.First, pair.Second));
    }

    private static PayloadNode[] PartsOf(PayloadNode node) => node.Kind switch
    {
        PayloadKind.Members or PayloadKind.Union => [.. node.EnumerateMembers().Select(member => member.Value)],
        PayloadKind.Sequence or PayloadKind.Set or PayloadKind.Array => [.. node.EnumerateElements()],
        PayloadKind.Map => [.. node.EnumeratePairs().SelectMany(pair => new[] { pair.Key, pair.Value })],
        _ => [],
    };

    public sealed class Parcel
    {
        public List<Line> Lines { get; set; } = [];

        public Dictionary<string, object> Stock { get; set; } = [];

        public Day[] Days { get; set; } = [];

        public HashSet<string> Tags { get; set; } = new(StringComparer.OrdinalIgnoreCase) { "x", "y" };

        public object? Again { get; set; }

        public string? Note { get; set; }

        public static Parcel Create()
        {
            var parcel = new Parcel
            {
                Lines = [new() { Article = "apple", Price = 1.5m }, new() { Article = "pear", Price = 2.25m }],
                Stock = { ["apple"] = 3, ["pear"] = new[] { "a", "b" } },
                Days = [new() { Text = "a" }, new() { Text = "b" }, new() { Text = "c" }],
                Note = "the end",
            };
            parcel.Again = parcel.Lines[0];
            return parcel;
        }
    }

    public sealed class Odd
    {
        public Dictionary<string, string[]> Texts { get; set; } =
            new() { ["C:\\dir"] = ["a", "xyz"], ["q\"q"] = ["a", "xyz"], ["\\\""] = ["a", "xyz"], [""] = ["a", "xyz"] };

        public Dictionary<char, string[]> Signs { get; set; } =
            new() { ['x'] = ["a", "xyz"], [']'] = ["a", "xyz"], ['"'] = ["a", "xyz"], ['\\'] = ["a", "xyz"] };

        [WireName("a.b")]
        public string[] Dotted { get; set; } = ["a", "xyz"];

        [WireName("q\"q")]
        public string[] Quoted { get; set; } = ["a", "xyz"];

        [WireName("\"[\\")]
        public string[] All { get; set; } = ["a", "xyz"];
    }

    public sealed class Line
    {
        public string? Article { get; set; }

        public decimal Price { get; set; }
    }

    public struct Day
    {
        public string? Text { get; set; }
    }
}
