using Wire.Comparing;
using Wire.Tests.Testing;
using static Wire.Tests.Behaviour.Into.IntoSamples;

namespace Wire.Tests.Behaviour.Into;

/// <summary>Reading into objects that exist: what stays, and what is made anew.</summary>
public class IntoTests
{
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
        foreach (Serializer serializer in new[] { Plain, Numbering })
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
        byte[] payload = Plain.Serialize(new WrittenVersion { Name = "new" });
        for (int i = 0; i < 3; i++)
        {
            var there = new IntoSamples.Version { Name = "old", Added = "added", Number = 3, Ignored = 4, Inner = new Leaf { Id = 5 } };
            Plain.Deserialize(payload, into: there);
            GraphAssert.Same(Plain.Deserialize<IntoSamples.Version>(payload), there);
            Assert.Equal(new IntoSamples.Version { Name = "new" }.ToString(), there.ToString());

            there = new IntoSamples.Version { Name = "old", Added = "added", Number = 3, Ignored = 4, Inner = new Leaf { Id = 5 } };
            Plain.Deserialize(payload, into: there, keepsMissing: true);
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
        Plain.Deserialize(Plain.Serialize(expected), into: there);
        GraphAssert.Same(expected, there, sharing: false);

        // The root, too.
        var node = new Node { Value = 1 };
        node.Next = node;
        node.Extra = node;
        byte[] three = Plain.Serialize(new Node { Value = 2, Next = new() { Value = 3 }, Extra = new Node { Value = 4 } });
        Plain.Deserialize(three, into: node);
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
            Plain.Deserialize(Plain.Serialize(new Priced { Price = new(7, "CHF"), Any = new Price(8, "EUR") }), into: there);
            Assert.Equal((new Price(7, "CHF"), new Price(8, "EUR")), (there.Price, there.Any));
            Assert.Equal(new Price(0, ""), Price.Zero);
        }

        // Where the program gives it itself, it is meant.
        var own = new Price(1, "a");
        Assert.Same(own, Plain.Deserialize(Plain.Serialize(new Price(2, "b")), into: own));
        Assert.Equal(new Price(2, "b"), own);
    }

    [Fact]
    public void Objects_of_other_types_are_replaced()
    {
        var cat = new Cat { Name = "Tom", Lives = 7 };
        var there = new Dog { Name = "Rex", Friend = cat };
        var expected = new Dog { Name = "Max", Friend = new Puppy { Name = "Pup", Mother = new Dog { Name = "Rex" } } };
        Plain.Deserialize(Plain.Serialize(expected), into: there);
        GraphAssert.Same(expected, there);
        Assert.Equal("Tom", cat.Name);
        Animal animal = there;
        Assert.Same(animal, Plain.Deserialize(Plain.Serialize<Animal>(new Dog { Name = "Ben" }), into: animal));
        Assert.Equal("Ben", animal.Name);
    }

    [Fact]
    public void A_collection_of_another_comparer_or_order_is_replaced()
    {
        Basket there = Example("Ada", 3), expected = Example("Ada", 3);
        expected.ByName = new(StringComparer.OrdinalIgnoreCase) { ["A"] = new() { Name = "A" } };
        expected.Words = new(new OddComparer()) { "x" };
        Dictionary<string, Line> before = there.ByName;
        Plain.Deserialize(Plain.Serialize(expected), into: there);
        GraphAssert.Same(expected, there);
        Assert.NotSame(before, there.ByName);
        Assert.Equal("A", there.ByName["a"].Name);
        Assert.Equal(3, before.Count);

        Dictionary<string, Line> ignoring = there.ByName;
        Plain.Deserialize(Plain.Serialize(expected), into: there);
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
            foreach (Serializer serializer in new[] { Plain, Numbering })
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
            Plain.Deserialize(Plain.Serialize(expected), into: there);
            GraphAssert.Same(expected, there);
            Assert.Same(label, there.Value.Label);
            Assert.Same(inner, there.Value.Inner);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Value_types_and_nullable_members_are_as_in_a_new_object_where_the_payload_does_not_have_them(bool dynamicCode)
    {
        var serializer = new Serializer(Options with { DynamicCode = dynamicCode });
        WrittenSquare[] written = [.. Enumerable.Range(0, 40).Select(i => new WrittenSquare { Id = i, At = new() { X = i }, Name = "n" })];
        Square[] own = [.. Enumerable.Range(0, 40).Select(i => new Square { Id = i, At = new() { X = i, Y = i }, Name = "n" })];
        for (int i = 0; i < 4; i++)
        {
            Check(serializer.Serialize(written[7]), Old(1).First());
            Check(serializer.Serialize(own[7]), Old(1).First());
            Check(serializer.Serialize(written.ToList()), Old(40).ToList());
            Check(serializer.Serialize(own.ToList()), Old(40).ToList());
            Check(serializer.Serialize(new List<Box<ReadCorner>> { new() { Value = new() { X = 1 } } }), new List<Box<ReadCorner>>
            {
                new() { Value = new() { X = 2, Y = 3, Seen = 4 } },
            });
        }

        static IEnumerable<Square> Old(int count) => Enumerable.Range(0, count).Select(_ => new Square
        {
            At = new() { X = -1, Y = -1, Seen = -1 },
            Name = "old",
            Age = TimeSpan.FromDays(1),
            Cached = DateTime.UtcNow,
        });

        void Check<T>(byte[] payload, T there)
            where T : class
        {
            GraphAssert.Same(serializer.Deserialize<T>(payload), serializer.Deserialize(payload, into: there));
        }
    }

    [Fact]
    public void The_objects_in_a_value_type_that_cannot_change_are_replaced()
    {
        for (int i = 0; i < 4; i++)
        {
            var there = new Box<Vector> { Value = Vector.Zero };
            var several = new List<Vector> { Vector.Zero, Vector.Zero };
            Plain.Deserialize(Plain.Serialize(new Box<Vector> { Value = new([1, 2, 3], "m") }), into: there);
            Plain.Deserialize(Plain.Serialize(new List<Vector> { new([1, 2, 3], "m"), new([4, 5, 6], "km") }), into: several);
            Assert.Equal([1, 2, 3], there.Value.Values);
            Assert.Same(Vector.Zero.Unit, there.Value.Unit);
            Assert.Equal([4, 5, 6], several[1].Values);
            Assert.Equal([0, 0, 0], Vector.Zero.Values);
        }
    }

    [Fact]
    public void An_object_that_is_chosen_by_the_type_is_asked_for_when_that_is_known()
    {
        var serializer = new Serializer(Options with { TypeFilter = Configuration.Types });
        var asked = new List<Type>();
        var line = new Line();
        object? Choose(Type type)
        {
            asked.Add(type);
            return type == typeof(Line) ? line : null;
        }

        byte[] payload = serializer.Serialize<object>(new Line { Name = "a", Marks = [1] });
        byte[] other = serializer.Serialize<object>(new Leaf { Id = 3 });
        Assert.NotSame(line, serializer.Deserialize(payload, Choose));
        Assert.Empty(asked);
        for (int i = 0; i < 20; i++)
        {
            GraphAssert.Same(new Line { Name = "a", Marks = [1] }, serializer.Deserialize(payload, Choose));
            Assert.Equal(3, Assert.IsType<Leaf>(serializer.Deserialize(other, Choose)).Id);
        }

        Assert.Equal([typeof(Leaf), typeof(Line)], asked.Distinct().OrderBy(type => type.Name));
        Assert.Same(line, serializer.Deserialize(payload, Choose));

        // One that it cannot be read into is left alone.
        Node[] two = [new() { Value = 1 }, new() { Value = 2 }];
        byte[] three = serializer.Serialize<object>(new Node[] { new() { Value = 7 }, new() { Value = 8 }, new() { Value = 9 } });
        for (int i = 0; i < 4; i++)
        {
            Node[] read = Assert.IsType<Node[]>(serializer.Deserialize<object>(three, _ => two));
            Assert.Equal([7, 8, 9], read.Select(node => node.Value));
            Assert.Equal([1, 2], two.Select(node => node.Value));
        }
    }
}
