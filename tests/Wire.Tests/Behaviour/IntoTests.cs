using System.Collections.Immutable;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>Reading into objects that exist: what stays, what is made anew, and what a failure leaves.</summary>
public class IntoTests
{
    private static readonly SerializerOptions Options = new() { TypeFilter = Configuration.Types };

    private static readonly Serializer Serializer = new(Options);

    private static readonly Serializer Numbering = new(Options with { PreserveObjectReferences = true });

    public static TheoryData<bool, bool> Ways => new() { { false, true }, { false, false }, { true, true }, { true, false } };

    [Theory]
    [MemberData(nameof(Ways))]
    public void Objects_collections_and_equal_text_stay(bool references, bool dynamicCode)
    {
        var serializer = new Serializer(Options with { PreserveObjectReferences = references, DynamicCode = dynamicCode });
        Basket there = Example("Ada", 3);
        (Buyer? buyer, List<Line> lines, string? name) = (there.Buyer, there.Lines, there.Buyer!.Name);
        Line[] before = [.. lines];
        Dictionary<string, Line> byName = there.ByName;
        (int[] counts, Line second, HashSet<string> words) = (there.Counts, byName["1"], there.Words);
        int capacity = lines.Capacity;

        Basket expected = Example("Ada", 2);
        byte[] payload = serializer.Serialize(expected);
        for (int i = 0; i < 3; i++)
        {
            Assert.Same(there, serializer.Deserialize(payload, into: there));
            GraphAssert.Same(expected, there);
            Assert.Same(buyer, there.Buyer);
            Assert.Same(name, there.Buyer!.Name);
            Assert.Same(lines, there.Lines);
            Assert.Equal(capacity, lines.Capacity);
            Assert.Equal(before[..2], lines, ReferenceEqualityComparer.Instance);
            Assert.Same(byName, there.ByName);
            Assert.Same(second, byName["1"]);
            Assert.Same(words, there.Words);
            Assert.Same(counts, there.Counts);
        }

        Basket more = Example("Grace", 40);
        Assert.Same(there, serializer.Deserialize(serializer.Serialize(more), into: there));
        GraphAssert.Same(more, there);
        Assert.Same(buyer, there.Buyer);
        Assert.Same(lines, there.Lines);
        Assert.Same(before[1], lines[1]);
    }

    [Fact]
    public void Nothing_is_allocated_where_nothing_grows()
    {
        foreach (Serializer serializer in new[] { Serializer, Numbering })
        {
            Basket there = Example("Ada", 30), other = Example("Bob", 30);
            other.Buyer!.Name = there.Buyer!.Name;
            byte[][] payloads = [serializer.Serialize(other), serializer.Serialize(there)];
            int turn = 0;
            Wire.Testing.Allocations.AssertNone(() => serializer.Deserialize(payloads[turn++ % 2], into: there));

            Buyer buyer = Example("Ada", 0).Buyer!;
            byte[] small = serializer.Serialize(buyer);
            Wire.Testing.Allocations.AssertNone(() => serializer.Deserialize(small, into: buyer));
            using SerializerSession writing = serializer.GetSerializerSession();
            using DeserializerSession reading = serializer.GetDeserializerSession();
            serializer.Deserialize(serializer.Serialize(there, writing), there, reading);
            byte[] later = serializer.Serialize(there, writing);
            Wire.Testing.Allocations.AssertNone(() => serializer.Deserialize(later, there, reading));
        }
    }

    [Fact]
    public void What_the_payload_says_nothing_of_is_as_in_a_new_object_or_stays()
    {
        byte[] payload = Serializer.Serialize(new WrittenVersion { Name = "new" });
        for (int i = 0; i < 3; i++)
        {
            var there = new Version { Name = "old", Added = "added", Number = 3, Ignored = 4, Inner = new Leaf { Id = 5 } };
            Serializer.Deserialize(payload, into: there);
            GraphAssert.Same(Serializer.Deserialize<Version>(payload), there);
            Assert.Equal(new Version { Name = "new" }.ToString(), there.ToString());

            there = new Version { Name = "old", Added = "added", Number = 3, Ignored = 4, Inner = new Leaf { Id = 5 } };
            Serializer.Deserialize(payload, into: there, keepsMissing: true);
            Assert.Equal("new added 3 4 5", there.ToString());
        }

        var constructing = new Serializer(Options with { UseConstructors = true });
        var constructed = new Constructed { Name = "old", Number = 1, Inner = null };
        constructing.Deserialize(payload, into: constructed);
        Assert.Equal(("new", 7, 8L), (constructed.Name, constructed.Number, constructed.Inner?.Id));
    }

    [Fact]
    public void What_the_program_has_once_and_the_payload_twice_is_two_objects()
    {
        var one = new Line { Name = "one" };
        var there = new Basket { Lines = [one, one, one], Favourite = one, ByName = { ["a"] = one } };
        var expected = new Basket
        {
            Lines = [new() { Name = "a" }, new() { Name = "b" }, new() { Name = "c" }],
            Favourite = new Line { Name = "d" },
            ByName = { ["a"] = new() { Name = "e" } },
        };
        Serializer.Deserialize(Serializer.Serialize(expected), into: there);
        GraphAssert.Same(expected, there, sharing: false);

        // The root, too.
        var node = new Node { Value = 1 };
        node.Next = node;
        node.Extra = node;
        byte[] three = Serializer.Serialize(new Node { Value = 2, Next = new() { Value = 3 }, Extra = new Node { Value = 4 } });
        Serializer.Deserialize(three, into: node);
        Assert.Equal((2, 3, 4), (node.Value, node.Next.Value, ((Node)node.Extra).Value));
    }

    [Fact]
    public void References_of_the_payload_lead_to_the_objects_that_it_was_read_into()
    {
        var there = new Node { Value = 1, Next = new() { Value = 2, Next = new() { Value = 3 } } };
        Node second = there.Next, third = second.Next!;
        var expected = new Node { Value = 4, Next = new() { Value = 5 } };
        expected.Next.Next = expected;
        expected.Next.Extra = expected.Next;
        for (int i = 0; i < 3; i++)
        {
            Numbering.Deserialize(Numbering.Serialize(expected), into: there);
            GraphAssert.Same(expected, there, sharing: true);
            Assert.Same(second, there.Next);
            Assert.Equal(3, third.Value);
        }

        var shared = new Line { Name = "shared" };
        var basket = new Basket { Lines = [shared, shared], Favourite = shared };
        Basket other = Example("Ada", 2);
        Numbering.Deserialize(Numbering.Serialize(basket), into: other);
        GraphAssert.Same(basket, other, sharing: true);
    }

    [Fact]
    public void An_object_that_cannot_change_is_replaced_since_the_program_may_share_it()
    {
        var there = new Priced { Price = Price.Zero, Any = Price.Zero };
        for (int i = 0; i < 3; i++)
        {
            Serializer.Deserialize(Serializer.Serialize(new Priced { Price = new(7, "CHF"), Any = new Price(8, "EUR") }), into: there);
            Assert.Equal((new Price(7, "CHF"), new Price(8, "EUR")), (there.Price, there.Any));
            Assert.Equal(new Price(0, ""), Price.Zero);
        }

        // Where the program gives it itself, it is meant.
        var own = new Price(1, "a");
        Assert.Same(own, Serializer.Deserialize(Serializer.Serialize(new Price(2, "b")), into: own));
        Assert.Equal(new Price(2, "b"), own);
    }

    [Fact]
    public void Objects_of_other_types_are_replaced()
    {
        var cat = new Cat { Name = "Tom", Lives = 7 };
        var there = new Dog { Name = "Rex", Friend = cat };
        var expected = new Dog { Name = "Max", Friend = new Puppy { Name = "Pup", Mother = new Dog { Name = "Rex" } } };
        Serializer.Deserialize(Serializer.Serialize(expected), into: there);
        GraphAssert.Same(expected, there);
        Assert.Equal("Tom", cat.Name);
        Animal animal = there;
        Assert.Same(animal, Serializer.Deserialize(Serializer.Serialize<Animal>(new Dog { Name = "Ben" }), into: animal));
        Assert.Equal("Ben", animal.Name);
    }

    [Fact]
    public void A_collection_of_another_comparer_or_order_is_replaced()
    {
        Basket there = Example("Ada", 3), expected = Example("Ada", 3);
        expected.ByName = new(StringComparer.OrdinalIgnoreCase) { ["A"] = new() { Name = "A" } };
        expected.Words = new(new OddComparer()) { "x" };
        Dictionary<string, Line> before = there.ByName;
        Serializer.Deserialize(Serializer.Serialize(expected), into: there);
        GraphAssert.Same(expected, there);
        Assert.NotSame(before, there.ByName);
        Assert.Equal("A", there.ByName["a"].Name);
        Assert.Equal(3, before.Count);

        Dictionary<string, Line> ignoring = there.ByName;
        Serializer.Deserialize(Serializer.Serialize(expected), into: there);
        Assert.Same(ignoring, there.ByName);
        GraphAssert.Same(expected, there);
    }

    [Theory]
    [InlineData(5)]
    [InlineData(200)]
    [InlineData(5000)]
    public void Keys_of_every_kind_are_found(int count)
    {
        IEnumerable<int> Keys(int seed) => Enumerable.Range(0, count).Select(i => (i * 7919) + seed);
        Check(seed => Keys(seed).ToDictionary(i => i, i => $"{i}"));
        Check(seed => Keys(seed).ToDictionary(i => $"{i}", i => new Leaf { Id = i }));
        Check(seed => Keys(seed).ToHashSet());
        Check(seed => Keys(seed).Select(i => $"{i}").ToHashSet());
        Check(seed => Keys(seed).ToDictionary(i => (i, $"{i}"), i => i));
        Check(seed => Keys(seed).ToDictionary(i => new Price(i, "key"), i => new[] { i }));
        Check(seed => new OrderedDictionary<long, string>(Keys(seed).Select(i => KeyValuePair.Create((long)i, $"{i}"))));

        void Check<T>(Func<int, T> make)
            where T : class
        {
            foreach (Serializer serializer in new[] { Serializer, Numbering })
            {
                T there = make(1);
                for (int seed = 0; seed < 3; seed++)
                {
                    Assert.Same(there, serializer.Deserialize(serializer.Serialize(make(seed)), into: there));
                    GraphAssert.Same(make(seed), there);
                }
            }
        }
    }

    [Fact]
    public void A_root_that_cannot_be_read_into_the_object_leaves_it_as_it_was()
    {
        foreach (Serializer serializer in new[] { Serializer, Numbering })
        {
            foreach (byte[] payload in new[] { serializer.Serialize<object?>(null), serializer.Serialize<object>(new Puppy()) })
            {
                var there = new Dog { Name = "Rex", Weight = 3 };
                WireFormatException e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Animal>(payload, into: there));
                Assert.Equal(WireFormatError.TypeMismatch, e.Error);
                Assert.Contains(typeof(Dog).ToString(), e.Message, StringComparison.Ordinal);
                Assert.Equal(("Rex", 3.0), (there.Name, there.Weight));
            }

            int[] array = [1, 2, 3];
            Assert.Same(array, serializer.Deserialize(serializer.Serialize(new[] { 4, 5, 6 }), into: array));
            Assert.Equal([4, 5, 6], array);
            Assert.Equal(
                WireFormatError.TypeMismatch,
                Assert.Throws<WireFormatException>(() => serializer.Deserialize(serializer.Serialize(new[] { 7, 8 }), into: array)).Error);
            Assert.Equal([4, 5, 6], array);
        }
    }

    [Fact]
    public void A_message_of_a_session_that_does_not_fit_is_part_of_it_all_the_same()
    {
        using SerializerSession writing = Serializer.GetSerializerSession();
        using DeserializerSession reading = Serializer.GetDeserializerSession();
        var dog = new Dog();
        Assert.Throws<WireFormatException>(
            () => Serializer.Deserialize<Animal>(Serializer.Serialize(new Cat { Lives = 9 }, writing), dog, reading));
        Assert.Equal(9, Serializer.Deserialize<Cat>(Serializer.Serialize(new Cat { Lives = 9 }, writing), reading)!.Lives);
        var cat = new Cat();
        Assert.Same(cat, Serializer.Deserialize(Serializer.Serialize(new Cat { Lives = 8 }, writing), cat, reading));
        Assert.Equal(8, cat.Lives);
    }

    [Fact]
    public void Types_whose_objects_are_made_of_what_is_read_are_refused_before()
    {
        var surrogates = new Serializer(
            Options with { Surrogates = [Surrogate.Create<Node, int>(node => node.Value, value => new Node { Value = value })] });
        AssertRefused(Serializer, "text");
        AssertRefused(Serializer, ImmutableList<int>.Empty);
        AssertRefused(Serializer, new Uri("http://a/"));
        AssertRefused(Serializer, new System.Version(1, 2));
        AssertRefused(surrogates, new Node());
        Assert.Throws<ArgumentNullException>(() => Serializer.Deserialize<Node>([], into: null!));

        static void AssertRefused<T>(Serializer serializer, T there)
            where T : class
        {
            var e = Assert.Throws<UnsupportedTypeException>(() => serializer.Deserialize(serializer.Serialize(there), into: there));
            Assert.Contains("read into", e.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void After_a_failure_the_object_can_be_read_into_again()
    {
        Basket expected = Example("Ada", 20);
        foreach (Serializer serializer in new[] { Serializer, Numbering })
        {
            byte[] payload = serializer.Serialize(expected);
            Basket there = Example("Bob", 25);
            for (int cut = 0; cut < payload.Length; cut++)
            {
                Assert.Throws<WireFormatException>(() => serializer.Deserialize(payload.AsSpan(0, cut), into: there));
            }

            serializer.Deserialize(payload, into: there);
            GraphAssert.Same(expected, there);
        }
    }

    [Fact]
    public void Callbacks_see_the_object_that_is_read_into()
    {
        var serializer = new Serializer(Options with { UseSerializationCallbacks = true });
        var there = new Called { Name = "old" };
        for (int i = 1; i < 4; i++)
        {
            serializer.Deserialize(serializer.Serialize(new Called { Name = $"{i}" }), into: there);
            Assert.Equal(($"{i}", $"before {(i == 1 ? "old" : $"{i - 1}")}, after {i}"), (there.Name, there.Seen));
        }
    }

    [Fact]
    public void Value_types_keep_the_objects_in_them()
    {
        var there = new Box<Rich> { Value = new() { Label = "label", Inner = [new() { Label = "inner" }] } };
        (List<Rich> inner, string? label) = (there.Value.Inner!, there.Value.Label);
        var expected = new Box<Rich>
        {
            Value = new() { Label = "label", Maybe = 3, At = { X = 4 }, Inner = [new() { Label = "other" }, default] },
        };
        for (int i = 0; i < 3; i++)
        {
            Serializer.Deserialize(Serializer.Serialize(expected), into: there);
            GraphAssert.Same(expected, there);
            Assert.Same(label, there.Value.Label);
            Assert.Same(inner, there.Value.Inner);
        }
    }

    [Fact]
    public void Limits_hold_as_for_new_objects()
    {
        Basket big = Example("Ada", 100);
        byte[] payload = Serializer.Serialize(big);
        foreach (Limits limits in new[]
        {
            Limits.Default with { MaxElements = 50 }, Limits.Default with { MaxDepth = 1 }, Limits.Default with { MaxStringLength = 80 },
            Limits.Default with { MaxAllocation = 500 }, Limits.Default with { MaxBytes = 100 },
        })
        {
            var limited = new Serializer(Options with { Limits = limits });
            WireFormatException expected = Assert.Throws<WireFormatException>(() => limited.Deserialize<Basket>(payload));
            WireFormatException actual = Assert.Throws<WireFormatException>(() => limited.Deserialize(payload, into: big));
            Assert.Equal((expected.Message, expected.Offset), (actual.Message, actual.Offset));
        }
    }

    private static Basket Example(string name, int lines) => new()
    {
        Buyer = new Buyer { Name = name, Age = 30, Note = new string('n', 90), Since = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc) },
        Counts = [lines, 2, 3],
        Lines = [.. Enumerable.Range(0, lines).Select(i => new Line { Name = $"€ {i}", Price = i, Marks = [1, 2, i] })],
        ByName = Enumerable.Range(0, lines).ToDictionary(i => $"{i}", i => new Line { Name = $"by name {i}" }),
        Words = [.. Enumerable.Range(0, lines).Select(i => $"word {i}")],
    };

    public sealed class Basket
    {
        public Buyer? Buyer { get; set; }

        public List<Line> Lines { get; set; } = [];

        public Dictionary<string, Line> ByName { get; set; } = [];

        public HashSet<string> Words { get; set; } = [];

        public int[] Counts { get; set; } = [];

        public Line? Favourite { get; set; }
    }

    public sealed class Buyer
    {
        public string? Name { get; set; }

        public string? Note { get; set; }

        public int Age { get; set; }

        public DateTime Since { get; set; }
    }

    public sealed class Line
    {
        public string? Name { get; set; }

        public decimal Price { get; set; }

        public int[] Marks { get; set; } = [];
    }

    public sealed record Price(decimal Amount, string Currency)
    {
        public static Price Zero { get; } = new(0, "");
    }

    public sealed class Priced
    {
        public Price? Price { get; set; }

        public object? Any { get; set; }
    }

    [WireName("Into.Version")]
    public sealed class WrittenVersion
    {
        public string? Name { get; set; }
    }

    [WireName("Into.Version")]
    public sealed class Version
    {
        public string? Name { get; set; }

        public string? Added { get; set; }

        public int Number { get; set; }

        [IgnoreMember]
        public int Ignored { get; set; }

        public Leaf? Inner { get; set; }

        public override string ToString() => $"{Name} {Added} {Number} {Ignored} {Inner?.Id}";
    }

    [WireName("Into.Version")]
    public sealed class Constructed
    {
        public string? Name { get; set; } = "none";

        public int Number { get; set; } = 7;

        public Leaf? Inner { get; set; } = new() { Id = 8 };
    }

    public sealed class Called
    {
        public string? Name { get; set; }

        [IgnoreMember]
        public string? Seen { get; private set; }

        [System.Runtime.Serialization.OnDeserializing]
        public void Before(System.Runtime.Serialization.StreamingContext context) => Seen = $"before {Name}";

        [System.Runtime.Serialization.OnDeserialized]
        public void After(System.Runtime.Serialization.StreamingContext context) => Seen += $", after {Name}";
    }

    public sealed class OddComparer : IEqualityComparer<string>
    {
        public bool Equals(string? x, string? y) => x?.Length == y?.Length;

        public int GetHashCode(string obj) => obj.Length;
    }
}
