using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Documents;
using Wire.Tests.Golden;
using Wire.Tests.Testing;
using Xunit;
using static Wire.Tests.Paths.PathSamples;

namespace Wire.Tests.Paths;

/// <summary>A path that is kept finds what the general way finds, in payloads of every kind, good or not.</summary>
public class PayloadPathTests
{
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
}
