using System.Collections.Immutable;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Documents;
using Wire.Tests.Golden;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Paths;

/// <summary>A path that is kept finds what the general way finds, in payloads of every kind, good or not.</summary>
public class PayloadPathTests
{
    private static readonly SerializerOptions Options = new() { TypeFilter = WireTypeFilter.Unrestricted };

    private static readonly Serializer Copies = new(Options);

    private static readonly Serializer References = new(Options with { PreserveObjectReferences = true });

    public enum Color : byte
    {
        Red = 1,
        Green = 2,
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_finds_what_the_general_way_finds(bool references)
    {
        Serializer serializer = references ? References : Copies;
        byte[][] payloads =
        [
            .. Enumerable.Range(0, 6).Select(i => serializer.Serialize(Example(i))), serializer.Serialize(new Other { Name = "other" }),
            serializer.Serialize(new object[] { 1, "a" }), serializer.Serialize<object?>(null), serializer.Serialize(5),
        ];
        foreach (string path in new[]
        {
            "Name", "Number", "Number.Value", "Color", "Corner", "Corner.Y", "Any", "Any.Y", "Any.Name", "Inner.Name", "Inner.Next.Name",
            "Texts[0]", "Texts[1]", "Texts[9]", "Texts.Count", "Items[0].Name", "Items[3].Number", "Items[3].Texts[1]", "Items[9].Name",
            "ByName[\"b\"]", "ByName[b]", "ByName[\"é€\"]", "ByName[\"none\"]", "ByNumber[3]", "ByNumber[03]", "ByNumber[-1]",
            "ByNumber[70000]", "ByColor[Green]", "ByColor[2]", "ByColor.Green", "ByNumber.3",
            "ByAny[1]", "ByAny[\"1\"]", "Maybe", "Maybe.Value", "MaybeColor", "Weight",
            "Grid[1]", "Set[1]", "Wide", "Late", "Uri", "When", "none", "[1]", "[0]", "", "Words[0].Text", "Words[3].Text", "Zone",
        })
        {
            foreach (Type type in new[]
            {
                typeof(string), typeof(int), typeof(long), typeof(int?), typeof(Color), typeof(byte), typeof(double), typeof(decimal),
                typeof(object), typeof(Inner), typeof(DateTime), typeof(Corner), typeof(IComparable), typeof(Color?), typeof(string[]),
            })
            {
                var pair = PathPair.Create(serializer, path, type);
                foreach (byte[] payload in payloads.Concat(payloads))
                {
                    pair.Check(payload);
                }
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void What_is_usual_takes_no_memory(bool references)
    {
        // The general way takes some each time.
        Serializer serializer = references ? References : Copies;
        foreach (string path in new[]
        {
            "Number", "Corner.Y", "Any.Y", "Items[3].Number", "ByName[\"b\"]", "Late", "Zone", "Set[1]", "Items[0].Next.Number",
        })
        {
            PayloadPath<int> number = serializer.Path<int>(path);
            PayloadPath<long> wider = serializer.Path<long>(path);
            Sample sample = Example(3);
            sample.Items[0].Next = new Inner { Number = 5 };
            byte[] payload = serializer.Serialize(sample);
            for (int i = 0; i < 3; i++)
            {
                Assert.Equal(wider.Read(payload), number.Read(payload));
            }

            long before = GC.GetAllocatedBytesForCurrentThread();
            bool isThere = number.TryRead(payload, out _) & wider.TryRead(payload, out _);
            Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
            Assert.True(isThere);
        }
    }

    [Fact]
    public void It_finds_in_damaged_payloads_what_the_general_way_finds()
    {
        // Every byte, and every length.
        foreach (Serializer serializer in new[] { Copies, References })
        {
            foreach ((string path, Type type) in new[]
            {
                ("Texts[1]", typeof(string)), ("Items[2].Name", typeof(string)), ("Weight", typeof(double)), ("Late", typeof(int)),
                ("ByName[\"b\"]", typeof(int)), ("Inner.Name", typeof(string)), ("Maybe", typeof(int?)), ("Words[3].Text", typeof(string)),
                ("Zone", typeof(int)), ("Texts.Count", typeof(int)), ("Words.Length", typeof(int)), ("Any.X", typeof(int)),
            })
            {
                var pair = PathPair.Create(serializer, path, type);
                byte[] good = serializer.Serialize(Example(4));
                pair.Check(good);
                for (int i = 0; i < good.Length; i++)
                {
                    foreach (byte value in new byte[] { 0, 1, 2, 4, 0x7F, 0x80, 0xFF, (byte)(good[i] + 1) })
                    {
                        byte[] damaged = [.. good];
                        damaged[i] = value;
                        pair.Check(damaged);
                    }

                    pair.Check(good[..i]);
                }
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_finds_every_scalar_of_the_golden_samples(bool references)
    {
        Serializer serializer = references ? References : Copies;
        int found = 0;
        foreach (GoldenSample sample in GoldenSamples.All)
        {
            byte[] payload = serializer.Serialize(sample.Value);
            foreach ((string path, PayloadNode node) in NodeWalk.Paths(PayloadDocument.Parse(payload).Root).Skip(1).Take(40))
            {
                if (node.Kind == PayloadKind.Scalar && node.ScalarType is { } type)
                {
                    PathPair.Create(serializer, path, type).Check(payload);
                    found++;
                }
            }
        }

        Assert.InRange(found, 500, int.MaxValue);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void It_finds_values_in_messages_of_sessions_and_leaves_their_types(bool references)
    {
        Serializer serializer = references ? References : Copies;
        using SerializerSession writing = serializer.GetSerializerSession();
        using DeserializerSession general = serializer.GetDeserializerSession();
        using DeserializerSession kept = serializer.GetDeserializerSession();
        PathPair[] pairs =
        [
            PathPair.Create(serializer, "Name", typeof(string)), PathPair.Create(serializer, "Items[1].Number", typeof(int)),
            PathPair.Create(serializer, "Any.Y", typeof(long)), PathPair.Create(serializer, "none", typeof(int)),
        ];
        for (int i = 0; i < 40; i++)
        {
            byte[] payload = serializer.Serialize<object>(i % 5 == 4 ? new Other { Name = $"{i}" } : Example(i % 7), writing);
            foreach (PathPair pair in pairs)
            {
                pair.Check(payload, general, kept);
                pair.Check([.. payload, 0], general, kept);
                pair.Check(payload[..^1], general, kept);
            }

            if (i % 3 == 0)
            {
                GraphAssert.Same(serializer.Deserialize<object>(payload, general), serializer.Deserialize<object>(payload, kept));
            }
        }
    }

    [Fact]
    public void Limits_hold()
    {
        byte[] payload = References.Serialize(Example(3));
        byte[] plain = Copies.Serialize(Example(3));
        foreach (Limits limits in new Limits[]
        {
            new() { MaxDepth = 1 }, new() { MaxDepth = 2 }, new() { MaxDepth = 3 }, new() { MaxElements = 2 }, new() { MaxManifests = 1 },
            new() { MaxManifests = 2 }, new() { MaxManifestBytes = 700 }, new() { MaxBytes = 400 }, new() { MaxBytes = payload.Length },
            new() { MaxStringLength = 70 }, new() { MaxObjects = 5 }, new() { MaxObjects = 12 }, new() { MaxAllocation = 500 },
            new() { MaxAllocation = 1200 },
        })
        {
            foreach (SerializerOptions options in new[] { Copies.Options, References.Options })
            {
                var serializer = new Serializer(options with { Limits = limits });
                foreach ((string path, Type type) in new[]
                {
                    ("Any.Y", typeof(int)), ("Items[4].Name", typeof(string)), ("Long", typeof(string)), ("Weight", typeof(double)),
                    ("Texts[2]", typeof(string)), ("When", typeof(DateTime)), ("Words[3].Text", typeof(string)), ("Zone", typeof(int)),
                })
                {
                    // One of the same kind that is within the limits, so that there is a way.
                    var pair = PathPair.Create(serializer, path, type);
                    foreach (byte[] each in new[] { References.Serialize(new Sample()), payload, plain, payload, plain })
                    {
                        pair.Check(each);
                    }
                }
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5)]
    [InlineData(40)]
    public void Texts_of_many_lengths_are_passed_over(int lengths)
    {
        var random = new Random(lengths);
        foreach (Serializer serializer in new[] { Copies, References })
        {
            PayloadPath<string> word = serializer.Path<string>("Words[150].Text"), text = serializer.Path<string>("Texts[150]");
            PayloadPath<int> zone = serializer.Path<int>("Zone");
            for (int i = 0; i < 40; i++)
            {
                string[] texts =
                [
                    .. Enumerable.Range(0, 200)
                        .Select(_ => new string(random.Next(9) == 0 ? '€' : 'a', random.Next(lengths) * random.Next(9))),
                ];
                byte[] payload = serializer.Serialize(new Sample
                {
                    Texts = [.. texts],
                    Words = [.. texts.Select(each => new Word { Text = each })],
                    Wide = random.Next(2) == 0 ? "wide €" : "narrow",
                    Zone = i,
                });
                Assert.Equal(texts[150], word.Read(payload));
                Assert.Equal(texts[150], text.Read(payload));
                Assert.Equal(i, zone.Read(payload));
            }
        }
    }

    [Fact]
    public void Elements_that_are_alike_are_passed_over_together_and_others_one_by_one()
    {
        var random = new Random(1);
        foreach (Serializer serializer in new[] { Copies, References })
        {
            PayloadPath<string> last = serializer.Path<string>("Items[199].Name");
            PayloadPath<int> number = serializer.Path<int>("Items[150].Number");
            PayloadPath<string> text = serializer.Path<string>("Items[120].Texts[1]");
            for (int i = 0; i < 40; i++)
            {
                Inner[] items =
                [
                    .. Enumerable.Range(0, 200).Select(n => new Inner
                    {
                        Name = random.Next(i + 1) == 0 ? $"n{n}" : null,
                        Number = n,
                        Next = random.Next(i + 3) == 0 ? new Inner { Name = new string('x', random.Next(90)) } : null,
                        Texts = random.Next(i + 1) == 0 || n == 120 ? ["a", n % 2 == 0 ? "€" : "bb"] : [],
                    }),
                ];
                byte[] payload = serializer.Serialize(new Sample { Items = items });
                Assert.Equal(items[199].Name, last.Read(payload));
                Assert.Equal(150, number.Read(payload));
                Assert.Equal("€", text.Read(payload));
            }
        }
    }

    [Fact]
    public void A_payload_that_is_crafted_finds_what_the_general_way_finds()
    {
        // Null behind the tag of strings.
        AssertSame<string>("[0]", [0x10, 0x05, 0x2F, 0x01, 0x2A, 0x03, 0x61], [0x10, 0x05, 0x2F, 0x01, 0x2A, 0x00], [
            0x10, 0x05, 0x2F, 0x01, 0x2A, 0x80, 0x00]);

        // A number that is a key without a name, and the name of another.
        var writer = new Serializer(Options with { TypeAliases = TypeAliases.None.Alias<Odd>("odd") });
        byte[] odd = writer.Serialize(new Dictionary<Odd, string> { [(Odd)2] = "unnamed", [Odd.Five] = "named" });
        AssertSame<string>("[2]", odd, odd);

        // Bytes behind a name that no type has.
        byte[] named = Copies.Serialize(new object[] { new byte[] { 1, 2, 3 }, 5 });
        byte[] unknown =
        [
            0x10, 0x05, 0x2F, 0x02, 0x02, 0x0C, 0x10, .. "No.Such1"u8, 0x01, 0x41, 0x12, 0x03, 0x01, 0x02, 0x03, 0x15, 0x05, 0, 0, 0,
        ];
        PayloadPath<byte[]> bytes = Copies.Path<byte[]>("[0]");
        Assert.True(bytes.TryReadBytes(named, out _) && bytes.TryReadBytes(named, out _));
        Assert.ThrowsAny<Exception>(() => Copies.TryRead(unknown, "[0]", out byte[]? _));
        Assert.ThrowsAny<Exception>(() => bytes.TryReadBytes(unknown, out _));

        // A number in a variable of object is no enum.
        AssertSame<DayOfWeek>(
            "Items[0].Any", Copies.Serialize(new Holders()), Copies.Serialize(new Holders { Items = [new Holder { Any = 3 }] }));

        // One object in the other, for ever.
        PayloadPath<int> number = Copies.Path<int>("[0].Number");
        byte[] chain = [0x10, 0x05, 0x2F, 0x01, 0x02, 0x04, 0x00, 0x01, 0x46, 0x00, .. Enumerable.Repeat((byte)0x80, 200_000), 0x00];
        for (int i = 0; i < 3; i++)
        {
            AssertSame<int>("[0].Number", Copies.Serialize(new object[] { new Whole { Number = 1 } }), chain);
        }

        Assert.Equal(1, number.Read(Copies.Serialize(new object[] { new Whole { Number = 1 } })));
    }

    [Fact]
    public void Types_that_are_denied_are_refused_wherever_a_payload_has_one()
    {
        var denying = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted.Deny<Color>() });
        var pair = PathPair.Create(denying, "Items[0].Color", typeof(Color));
        byte[] none = Copies.Serialize(new Colors()), some = Copies.Serialize(new Colors { Items = [new Colored { Color = Color.Red }] });
        pair.Check(none);
        pair.Check(some);
        Assert.Throws<TypeRefusedException>(() => denying.Path<Color>("Items[0].Color").Read(some));
    }

    private static void AssertSame<T>(string path, params byte[][] payloads)
    {
        var pair = new PathPair<T>(Copies, path);
        foreach (byte[] payload in payloads.Concat(payloads))
        {
            pair.Check(payload);
        }
    }

    [Fact]
    public void Elements_are_told_apart_whose_definitions_are_as_long()
    {
        foreach (Serializer serializer in new[] { Copies, References })
        {
            PayloadPath<int> last = serializer.Path<int>("[2]");
            byte[] payload = serializer.Serialize(new object[] { new Whole { Number = 1 }, new Large { Number = 2 }, 3 });
            for (int i = 0; i < 3; i++)
            {
                Assert.Equal(3, last.Read(payload));
            }
        }
    }

    [Fact]
    public void More_kinds_of_payloads_than_are_kept_are_found()
    {
        PayloadPath<int> path = Copies.Path<int>("Number");
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < 40; i++)
            {
                var aliased = new Serializer(Options with { TypeAliases = TypeAliases.None.Alias<Inner>($"kind {i}") });
                Assert.Equal(i, path.Read(aliased.Serialize(new Inner { Number = i })));
            }
        }
    }

    [Fact]
    public void An_expression_has_the_names_that_payloads_have()
    {
        byte[] payload = Copies.Serialize(Example(3));
        int index = 2;
        Assert.Equal("Items[2].Name", Copies.Path((Sample e) => e.Items[index].Name).Text);
        Assert.Equal("item 2", Copies.Path((Sample e) => e.Items[index].Name).Read(payload));
        Assert.Equal("b", Copies.Path((Sample e) => e.Texts![1]).Read(payload));
        Assert.Equal(20, Copies.Path((Sample e) => e.ByName["b"]).Read(payload));
        Assert.Equal(30, Copies.Path((Sample e) => e.ByName["é€"]).Read(payload));
        Assert.Equal("three", Copies.Path((Sample e) => e.ByNumber[3]).Read(payload));
        Assert.Equal("green", Copies.Path((Sample e) => e.ByColor[Color.Green]).Read(payload));
        Assert.Equal(4, Copies.Path((Sample e) => ((Corner)e.Any!).Y).Read(payload));
        Assert.Equal(2, Copies.Path((Sample e) => e.Maybe!.Value).Read(Copies.Serialize(Example(2))));
        Assert.Equal("renamed", Copies.Path((Sample e) => e.Renamed).Read(payload));
        Assert.Equal("wire.name", Copies.Path((Sample e) => e.Renamed).Text.Trim('[', ']', '"'));

        ArgumentException none = Assert.Throws<ArgumentException>(() => Copies.Path((Sample e) => e.Texts!.Count + 1));
        Assert.Contains("is no step of a path", none.Message, StringComparison.Ordinal);
        none = Assert.Throws<ArgumentException>(() => Copies.Path((Sample e) => e.Computed));
        Assert.Contains("no field that 'Computed' stands for", none.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => Copies.Path((Kelvin k) => ((Whole)k).Number));
        Assert.Throws<FormatException>(() => Copies.Path<int>("a..b"));
        Color which = Color.Red;
        Assert.Equal("Items[1].Name", Copies.Path((Sample e) => e.Items[(int)which].Name).Text);
        Assert.Equal("ByNumber[3]", Copies.Path((Sample e) => e.ByNumber[3]).Text);
        Assert.Equal("[true]", Copies.Path((Dictionary<bool, int> map) => map[true]).Text);
        var day = new DateOnly(2024, 2, 29);
        Assert.Equal("[2024-02-29]", Copies.Path((Dictionary<DateOnly, int> map) => map[day]).Text);
        Assert.Equal("[2]", Copies.Path((Dictionary<Odd, int> map) => map[Odd.Five]).Text);
    }

    [Fact]
    public void Text_is_read_where_it_lies()
    {
        PayloadPath<string> name = Copies.Path<string>("Name"), wide = Copies.Path<string>("Wide");
        Span<char> characters = stackalloc char[8];
        Span<byte> utf8 = stackalloc byte[16];
        for (int i = 0; i < 3; i++)
        {
            byte[] payload = Copies.Serialize(new Sample { Name = "Adé", Wide = "1€😀" });
            Assert.True(name.TryReadText(payload, out PayloadText text));
            Assert.Equal("Adé", text.ToString());
            Assert.Equal(3, text.Length);
            Assert.Equal('é', text[2]);
            Assert.True(text.Equals("Adé") && !text.Equals("Ade") && !text.Equals("Adéé"));
            Assert.True(text.StartsWith("Ad") && !text.StartsWith("d"));
            Assert.True(text.TryFormat(characters, out int written) && characters[..written].SequenceEqual("Adé"));
            Assert.True(text.TryFormat(utf8, out written) && utf8[..written].SequenceEqual("Adé"u8));
            Assert.False(text.TryFormat(characters[..2], out written) || written != 0);
            Assert.False(text.TryFormat(utf8[..3], out written) || written != 0);

            Assert.True(text.IsLatin1 && text.Bytes.SequenceEqual(new byte[] { 0x41, 0x64, 0xE9 }));
            Assert.True(wide.TryReadText(payload, out text));
            Assert.Equal("1€😀", text.ToString());
            Assert.False(text.IsLatin1);
            Assert.True(text.Equals("1€😀") && text.StartsWith("1€") && text[1] == '€');
            Assert.True(text.TryFormat(utf8, out written) && utf8[..written].SequenceEqual("1€😀"u8));

            Assert.True(name.TryReadText(Copies.Serialize(new Sample()), out text));
            Assert.True(text.IsNull && text.ToString() is null && text.Length == 0 && !text.Equals("") && !text.StartsWith(""));
            Assert.False(name.TryReadText(Copies.Serialize(new Lone(1)), out text));
            Assert.True(text.IsNull);
        }

        string longer = string.Concat(Enumerable.Repeat("a😀", 400));
        byte[] far = Copies.Serialize(new Sample { Wide = longer });
        Assert.True(wide.TryReadText(far, out PayloadText all));
        byte[] whole = new byte[4 * longer.Length];
        Assert.True(all.TryFormat(whole, out int count));
        Assert.Equal(longer, System.Text.Encoding.UTF8.GetString(whole.AsSpan(0, count)));
    }

    [Fact]
    public void Bytes_are_read_where_they_lie()
    {
        PayloadPath<byte[]> path = Copies.Path<byte[]>("Bytes"), list = Copies.Path<byte[]>("List");
        for (int i = 0; i < 3; i++)
        {
            byte[] payload = Copies.Serialize(new Sample { Bytes = [1, 2, 3], List = [4, 5] });
            Assert.True(path.TryReadBytes(payload, out ReadOnlySpan<byte> bytes));
            Assert.Equal([1, 2, 3], bytes.ToArray());
            Assert.Equal(i > 0, payload.AsSpan().Overlaps(bytes));
            Assert.Equal([1, 2, 3], path.Read(payload));
            Assert.True(list.TryReadBytes(payload, out bytes));
            Assert.Equal([4, 5], bytes.ToArray());
            Assert.False(path.TryReadBytes(Copies.Serialize(new Sample()), out bytes) || bytes.Length > 0);
            Assert.False(path.TryReadBytes(Copies.Serialize(new Lone(1)), out bytes) || bytes.Length > 0);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Of_frames_those_are_read_that_meet_a_condition(bool inSession)
    {
        var stream = new MemoryStream();
        using SerializerSession writing = Copies.GetSerializerSession();
        using DeserializerSession reading = Copies.GetDeserializerSession();
        PayloadPath<int> number = Copies.Path<int>("Number");
        for (int i = 0; i < 30; i++)
        {
            // Types that only a message defines which is left out.
            object value = i % 3 == 0 ? new Inner { Number = i } : i % 3 == 1 ? new Sample { Number = i, Any = new Lone(i) } : new Other();
            await (inSession ? Copies.SerializeFramedAsync(value, stream, writing) : Copies.SerializeFramedAsync(value, stream));
        }

        int[] wanted = [.. Enumerable.Range(10, 20).Where(i => i % 3 < 2)];
        foreach (bool isPipe in new[] { false, true })
        {
            stream.Position = 0;
            var read = new List<int>();
            var pipe = System.IO.Pipelines.PipeReader.Create(
                new System.Buffers.ReadOnlySequence<byte>(stream.ToArray()));
            PayloadCondition isWanted = inSession
                ? payload => number.TryRead(payload, reading, out int value) && value >= 10
                : payload => number.TryRead(payload, out int value) && value >= 10;
            await foreach (object? each in (inSession, isPipe) switch
            {
                (false, false) => Copies.DeserializeFramedWhereAsync<object>(stream, isWanted),
                (false, true) => Copies.DeserializeFramedWhereAsync<object>(pipe, isWanted),
                (true, false) => Copies.DeserializeFramedWhereAsync<object>(stream, reading, isWanted),
                (true, true) => Copies.DeserializeFramedWhereAsync<object>(pipe, reading, isWanted),
            })
            {
                read.Add(each is Inner inner ? inner.Number : ((Sample)each!).Number);
                Assert.True(each is Inner || ((Sample)each).Any is Lone);
            }

            Assert.Equal(wanted, read);
        }

        stream.Position = 0;
        await Assert.ThrowsAsync<FormatException>(async () =>
        {
            await foreach (object? each in Copies.DeserializeFramedWhereAsync<object>(stream, _ => throw new FormatException()))
            {
                Assert.Null(each);
            }
        });
        Assert.Throws<ArgumentNullException>(() => Copies.DeserializeFramedWhereAsync<object>(stream, null!));
    }

    [Fact]
    public void What_is_not_there_is_an_error_that_names_the_path()
    {
        PayloadPath<int> path = Copies.Path<int>("None");
        byte[] payload = Copies.Serialize(Example(1));
        for (int i = 0; i < 3; i++)
        {
            Assert.Contains("'None'", Assert.Throws<KeyNotFoundException>(() => path.Read(payload)).Message, StringComparison.Ordinal);
        }

        using DeserializerSession foreign = References.GetDeserializerSession();
        Assert.Throws<ArgumentException>(() => path.Read(payload, foreign));
        Assert.Throws<ArgumentNullException>(() => path.Read(payload, null!));
    }

    private static Sample Example(int i) => new()
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
