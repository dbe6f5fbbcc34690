using System.Buffers;
using Wire.Comparing;
using Wire.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>
/// Small trees of objects whose declared types are their own are written and read without a session, too. Nobody may be able to tell: same
/// bytes, same objects, same errors as through a session, which streams always use.
/// </summary>
public sealed class FlatTreeTests
{
    private static readonly SerializerOptions Options =
        SerializerOptions.Default with { TypeFilter = WireTypeFilter.Default.AllowAssembly(typeof(FlatTreeTests).Assembly) };
    private static readonly Serializer Serializer = new(Options);
    private static readonly Serializer[] Serializers =
    [
        Serializer,
        new(Options with { VersionTolerance = false, KnownTypes = [new(7, typeof(Tree)), new(8, typeof(Leaf))] }),
        new(Options with { PreserveObjectReferences = true }),
        new(Options with { Limits = new Limits { MaxObjects = 100, MaxElements = 50, MaxAllocation = 10_000, MaxDepth = 4 } }),
    ];

    public static TheoryData<int> Seeds { get; } = [.. Enumerable.Range(0, 60)];

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Trees_have_the_bytes_that_a_session_writes_and_come_back(int seed)
    {
        var random = new Random(seed);
        var output = new ArrayBufferWriter<byte>();
        foreach (Serializer serializer in Serializers)
        {
            for (int i = 0; i < 20; i++)
            {
                Tree tree = CreateTree(random, size: random.Next(12));
                if (Outcome(() => InASession(serializer, tree)) is { } refusal)
                {
                    Assert.Equal(refusal, Outcome(() => ByStream(serializer, tree)));
                    Assert.Equal(refusal, Outcome(() => serializer.Serialize(tree)));
                    Assert.Equal(refusal, Outcome(() => serializer.Serialize(tree, output)));
                    continue;
                }

                byte[] bytes = InASession(serializer, tree);
                Assert.Equal(bytes, ByStream(serializer, tree));
                output.ResetWrittenCount();
                serializer.Serialize(tree, output);
                Assert.Equal(bytes, output.WrittenSpan);
                Assert.Equal(bytes, serializer.Serialize(tree));
                GraphAssert.Same(tree, serializer.Deserialize<object>(bytes));
                GraphAssert.Same(tree, serializer.Deserialize<Tree>(bytes));
                byte[] typed = serializer.SerializeTyped(tree);
                output.ResetWrittenCount();
                serializer.SerializeTyped(tree, output);
                Assert.Equal(typed, output.WrittenSpan);
                GraphAssert.Same(tree, serializer.DeserializeTyped<Tree>(typed));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Sessions_write_the_same_bytes_whatever_the_output_and_read_the_same_trees(int seed)
    {
        var random = new Random(seed);
        foreach (Serializer serializer in Serializers)
        {
            using SerializerSession writing = serializer.GetSerializerSession();
            using SerializerSession byStream = serializer.GetSerializerSession();
            using SerializerSession byReflection = Setup.Reflecting(serializer).GetSerializerSession();
            using DeserializerSession reading = serializer.GetDeserializerSession();
            using DeserializerSession fromStream = serializer.GetDeserializerSession();
            for (int i = 0; i < 30; i++)
            {
                object message = random.Next(4) == 0 ? CreateLeaf(random) ?? new Leaf() : CreateTree(random, size: random.Next(12));
                var output = new ArrayBufferWriter<byte>();
                var stream = new SeekableStream();
                byte[] bytes = [];
                string? refusal = Outcome(() => bytes = Setup.Reflecting(serializer).Serialize(message, byReflection));
                Assert.Equal(refusal, Outcome(() => serializer.Serialize(message, output, writing)));
                Assert.Equal(refusal, Outcome(() => serializer.Serialize(message, stream, byStream)));
                if (refusal is not null)
                {
                    Assert.Equal(0, output.WrittenCount);
                    continue;
                }

                Assert.Equal(bytes, output.WrittenSpan);
                Assert.Equal(bytes, stream.ToArray());
                GraphAssert.Same(message, serializer.Deserialize<object>(output.WrittenSpan, reading));
                stream.Position = 0;
                GraphAssert.Same(message, serializer.Deserialize<object>(stream, fromStream));
            }
        }
    }

    [Fact]
    public void A_session_ends_when_its_output_fails_to_take_a_small_message()
    {
        using SerializerSession session = Serializer.GetSerializerSession();
        var output = new FailingOutput();
        for (int i = 0; i < 3; i++)
        {
            Serializer.Serialize(new Leaf(), output, session);
        }

        output.Fails = FailsAt.GetSpan;
        Assert.Throws<IOException>(() => Serializer.Serialize(new Leaf(), output, session));
        output.Fails = FailsAt.Nothing;
        Serializer.Serialize(new Leaf(), output, session);
        output.Fails = FailsAt.Advance;
        Assert.Throws<IOException>(() => Serializer.Serialize(new Leaf(), output, session));
        output.Fails = FailsAt.Nothing;
        Assert.Throws<InvalidOperationException>(() => Serializer.Serialize(new Leaf(), output, session));
    }

    [Theory]
    [MemberData(nameof(Seeds))]
    public void Typed_trees_have_the_bytes_that_reflection_writes(int seed)
    {
        var random = new Random(seed);
        var reflecting = new Serializer(Options with { DynamicCode = false });
        for (int i = 0; i < 10; i++)
        {
            Tree tree = CreateTree(random, size: random.Next(12));
            byte[] bytes = reflecting.SerializeTyped(tree);
            Assert.Equal(bytes, Serializer.SerializeTyped(tree));
            GraphAssert.Same(tree, Serializer.DeserializeTyped<Tree>(bytes));
            GraphAssert.Same(tree, reflecting.DeserializeTyped<Tree>(bytes));
        }
    }

    public static TheoryData<string> Limited { get; } =
    [
        nameof(Limits.MaxBytes), nameof(Limits.MaxStringLength), nameof(Limits.MaxAllocation), nameof(Limits.MaxObjects),
        nameof(Limits.MaxElements), nameof(Limits.MaxDepth), nameof(Limits.MaxManifests), nameof(Limits.MaxManifestBytes),
    ];

    [Theory]
    [MemberData(nameof(Limited))]
    public void A_limit_holds_for_small_messages_as_it_does_in_a_session(string limit)
    {
        var random = new Random(2);
        foreach (int most in (int[])[1, 2, 3, 8, 9, 100, 900, 1_500, 2_500, 3_500, 4_000, 4_200, 5_000, 20_000, 500_000])
        {
            var limits = new Limits();
            limits = limit switch
            {
                nameof(Limits.MaxBytes) => limits with { MaxBytes = most },
                nameof(Limits.MaxStringLength) => limits with { MaxStringLength = Math.Max(64, most) },
                nameof(Limits.MaxAllocation) => limits with { MaxAllocation = most },
                nameof(Limits.MaxObjects) => limits with { MaxObjects = most },
                nameof(Limits.MaxElements) => limits with { MaxElements = most },
                nameof(Limits.MaxDepth) => limits with { MaxDepth = most },
                nameof(Limits.MaxManifests) => limits with { MaxManifests = Math.Min(65_536, most) },
                _ => limits with { MaxManifestBytes = most },
            };
            var serializer = new Serializer(Options with { Limits = limits });
            byte[][] small = [Serializer.Serialize(new Tree()), Serializer.Serialize(new Note())];
            for (int i = 0; i < (Sweep.IsWhole ? 24 : 4); i++)
            {
                object message = i % 2 == 0
                    ? CreateTree(random, size: random.Next(60))
                    : new Note { Text = new string(i % 4 == 1 ? 'x' : 'ж', random.Next(4_000)) };
                byte[] bytes = Serializer.Serialize(message);
                string expected = Read(() => serializer.Deserialize<object>(new SeekableStream(bytes))).Error;
                for (int again = 0; again < (Sweep.IsWhole ? 20 : 4); again++)
                {
                    // A small message of the kind, where the limit allows one, has the next one tried as flat.
                    Read(() => serializer.Deserialize<object>(small[i % 2]));
                    Assert.Equal(expected, Read(() => serializer.Deserialize<object>(bytes)).Error);
                }

                // Where it is found depends on the output's windows.
                string? refusal = ExceededLimit(Outcome(() => InASession(serializer, message)));
                Assert.Equal(refusal, ExceededLimit(Outcome(() => ByStream(serializer, message))));
                Assert.Equal(refusal, ExceededLimit(Outcome(() => serializer.Serialize(message))));
                Assert.Equal(refusal, ExceededLimit(Outcome(() => serializer.Serialize(message, new ArrayBufferWriter<byte>(10_000)))));
            }
        }
    }

    [Fact]
    public void Damaged_trees_fail_as_they_do_in_a_session()
    {
        var random = new Random(1);
        Tree tree = CreateTree(random, size: 2);
        byte[] bytes = ByStream(Serializer, tree);
        // Of an empty stream the error says more.
        for (int length = 1; length < bytes.Length; length++)
        {
            AssertSameOutcome(bytes[..length], bytes);
        }

        for (int at = 0; at < bytes.Length; at++)
        {
            foreach (byte with in (byte[])[0, 1, 2, 4, 5, 0x7F, 0x80, 0x81, 0x82, 0xFF, (byte)(bytes[at] + 1), (byte)(bytes[at] ^ 0x40)])
            {
                byte[] damaged = [.. bytes];
                damaged[at] = with;
                AssertSameOutcome(damaged, bytes);
            }
        }
    }

    [Fact]
    public void An_object_of_a_derived_type_is_what_it_was_whatever_came_before()
    {
        for (int i = 0; i < 200; i++)
        {
            var tree = new Tree { Open = i % 7 == 3 ? new Derived { Number = i, More = "more" } : new Open { Number = i } };
            GraphAssert.Same(tree, Serializer.Deserialize<object>(Serializer.Serialize(tree)));
        }
    }

    [Fact]
    public void A_denied_part_is_refused_in_small_messages_too()
    {
        var strict = new Serializer(Options with { TypeFilter = Options.TypeFilter.Deny<Leaf>() });
        var harmless = new Tree { Name = "no leaf" };
        byte[] leafless = Serializer.Serialize(harmless);
        byte[] bytes = Serializer.Serialize(new Tree { First = new Leaf { Id = Guid.NewGuid() } });
        for (int i = 0; i < 40; i++)
        {
            GraphAssert.Same(harmless, strict.Deserialize<object>(leafless));
            TypeRefusedException refused = Assert.Throws<TypeRefusedException>(() => strict.Deserialize<object>(bytes));
            Assert.Contains(nameof(Leaf), refused.TypeName, StringComparison.Ordinal);
            Assert.True(refused.Offset > 0);
        }
    }

    [Fact]
    public void Types_that_contain_themselves_nest_as_deep_as_the_limits_say()
    {
        Chain? chain = null;
        for (int i = 0; i < 900; i++)
        {
            chain = new Chain { Next = chain, Number = i };
            if (i % 300 == 0)
            {
                GraphAssert.Same(chain, Serializer.Deserialize<object>(Serializer.Serialize(chain)));
            }
        }

        var circle = new Chain();
        circle.Next = circle;
        for (int i = 0; i < 3; i++)
        {
            Assert.Throws<ObjectGraphException>(() => Serializer.Serialize(circle));
        }
    }

    [Fact]
    public void Large_and_small_messages_of_one_type_take_turns()
    {
        var random = new Random(3);
        for (int i = 0; i < 300; i++)
        {
            var tree = new Tree
            {
                Numbers = [.. Enumerable.Range(0, random.Next(4) == 0 ? 5_000 : 3)],
                Name = new string('ж', random.Next(3_000)),
            };
            GraphAssert.Same(tree, Serializer.Deserialize<object>(Serializer.Serialize(tree)));
        }
    }

    private static void AssertSameOutcome(byte[] payload, byte[] good)
    {
        // A message that is not flat postpones the next try.
        for (int i = 0; i < 20; i++)
        {
            Serializer.Deserialize<Tree>(good);
        }

        var stream = new SeekableStream(payload);
        (string expected, object? expectedValue) = Read(() => Serializer.Deserialize<Tree>(stream));
        var memory = new MemoryStream(payload);
        (string inMemory, object? valueInMemory) = Read(() => Serializer.Deserialize<Tree>(memory));
        Assert.Equal((expected, stream.Position), (inMemory, memory.Position));
        GraphAssert.Same(expectedValue, valueInMemory);
        (string actual, object? value) = Read(() => Serializer.Deserialize<Tree>(payload));
        if (expected.Length == 0 && stream.Position < payload.Length)
        {
            Assert.StartsWith(nameof(WireFormatError.TrailingBytes), actual, StringComparison.Ordinal);
            return;
        }

        Assert.Equal(expected, actual);
        GraphAssert.Same(expectedValue, value);
    }

    private static (string Error, object? Value) Read(Func<object?> read)
    {
        try
        {
            return ("", read());
        }
        catch (WireFormatException e)
        {
            return ($"{e.Error} at {e.Offset} {e.MemberPath}: {e.Message}", null);
        }
    }

    private static string? Outcome(Action write)
    {
        try
        {
            write();
            return null;
        }
        catch (ObjectGraphException e)
        {
            return e.Message;
        }
    }

    private static string? ExceededLimit(string? message) => message?[..message.IndexOf(" = ", StringComparison.Ordinal)];

    private static byte[] InASession(Serializer serializer, object value) => Setup.Reflecting(serializer).Serialize(value);

    private static byte[] ByStream(Serializer serializer, object value)
    {
        var stream = new MemoryStream();
        serializer.Serialize(value, stream);
        return stream.ToArray();
    }

    private static Tree CreateTree(Random random, int size) => new()
    {
        Id = random.NextInt64(),
        Name = Text(random),
        First = CreateLeaf(random),
        Second = CreateLeaf(random),
        Open = random.Next(5) switch { 0 => null, 1 => new Derived { Number = 1, More = Text(random) }, _ => new Open { Number = 2 } },
        Place = new Place { Row = random.Next(), Label = Text(random), Leaf = CreateLeaf(random) },
        Maybe = random.Next(2) == 0 ? null : new Place { Row = 5 },
        Numbers = Many(random, size, () => random.Next()),
        Bytes = random.Next(3) == 0 ? null : [.. Many(random, size, () => (byte)random.Next(256)) ?? []],
        Flags = random.Next(3) == 0 ? null : [.. Many(random, size, () => random.Next(2) == 0) ?? []],
        Days = Many(random, size, () => new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), (DateTimeKind)random.Next(3))),
        Texts = random.Next(3) == 0 ? null : [.. Many(random, size, () => Text(random)) ?? []],
        Leaves = Many(random, size, () => CreateLeaf(random)),
        LeafArray = random.Next(3) == 0 ? null : [.. Many(random, size, () => CreateLeaf(random)) ?? []],
        Places = Many(random, size, () => new Place { Row = random.Next(), Label = Text(random) }),
        Rows = Many(random, size, () => Many(random, 3, () => (int?)random.Next())),
        Amount = random.Next(2) == 0 ? null : random.Next() / 100m,
    };

    private static Leaf? CreateLeaf(Random random) => random.Next(4) == 0
        ? null
        : new Leaf { Id = Guid.NewGuid(), Note = Text(random), At = DateTimeOffset.UnixEpoch.AddSeconds(random.Next()) };

    private static List<T>? Many<T>(Random random, int size, Func<T> make) =>
        random.Next(3) == 0 ? null : [.. Enumerable.Range(0, random.Next(size + 1)).Select(_ => make())];

    private static string? Text(Random random) => random.Next(6) switch
    {
        0 => null,
        1 => "",
        2 => new string('ж', random.Next(1, 130)),
        3 => new string('é', random.Next(60, 130)),
        _ => new string('x', random.Next(20)),
    };

    private enum FailsAt
    {
        Nothing,
        GetSpan,
        Advance,
    }

    private sealed class FailingOutput : IBufferWriter<byte>
    {
        private readonly byte[] _bytes = new byte[4096];

        public FailsAt Fails { get; set; }

        public void Advance(int count) => Check(FailsAt.Advance);

        public Memory<byte> GetMemory(int sizeHint = 0)
        {
            Check(FailsAt.GetSpan);
            return _bytes;
        }

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;

        private void Check(FailsAt now)
        {
            if (now == Fails)
            {
                throw new IOException("The output fails.");
            }
        }
    }

    public sealed class Tree
    {
        public long Id { get; set; }

        public string? Name { get; set; }

        public Leaf? First { get; set; }

        public Leaf? Second { get; set; }

        public Open? Open { get; set; }

        public Place Place { get; set; }

        public Place? Maybe { get; set; }

        public List<int>? Numbers { get; set; }

        public byte[]? Bytes { get; set; }

        public bool[]? Flags { get; set; }

        public List<DateTime>? Days { get; set; }

        public string?[]? Texts { get; set; }

        public List<Leaf?>? Leaves { get; set; }

        public Leaf?[]? LeafArray { get; set; }

        public List<Place>? Places { get; set; }

        public List<List<int?>?>? Rows { get; set; }

        public decimal? Amount { get; set; }
    }

    public sealed class Leaf
    {
        public Guid Id { get; set; }

        public string? Note { get; set; }

        public DateTimeOffset At { get; set; }
    }

    public sealed class Note
    {
        public string? Text { get; set; }
    }

    public class Open
    {
        public int Number { get; set; }
    }

    public sealed class Derived : Open
    {
        public string? More { get; set; }
    }

    public struct Place
    {
        public int Row { get; set; }

        public string? Label { get; set; }

        public Leaf? Leaf { get; set; }
    }

    public sealed class Chain
    {
        public Chain? Next { get; set; }

        public int Number { get; set; }
    }
}
