using System.Collections.Immutable;
using System.Runtime.Serialization;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>
/// What the comparison of graphs finds, and where. That it agrees with the strict comparison of the tests is a property of every value in
/// <see cref="ValueTests{T}"/> and of random graphs in <see cref="GraphPropertyTests"/>.
/// </summary>
public class GraphEqualityTests
{
    private static readonly GraphEquality Plain = new(new Serializer());

    private static readonly GraphEquality References = new(new Serializer(new SerializerOptions { PreserveObjectReferences = true }));

    public static TheoryData<object?, object?, string> Differences => new()
    {
        { 1, 2, "1 and 2" },
        { 1, 1L, "the types are System.Int32 and System.Int64" },
        { null, "a", "null and 'a'" },
        { 0.0, -0.0, "0 and -0" },
        { new Leaf { Text = "a" }, new Leaf { Text = "b" }, "Text: 'a' and 'b'" },
        {
            new Box<List<Leaf>> { Value = [new(), new() { Id = 3 }] }, new Box<List<Leaf>> { Value = [new(), new()] },
            "Value[1].Id: 3 and 0"
        },
        { new int[] { 1, 2, 3 }, new int[] { 1, 5, 3 }, "[1]: 2 and 5" },
        { new int[] { 1, 2 }, new int[] { 1 }, "2 and 1 elements" },
        { new List<string> { "a" }, new List<string>(), "1 and 0 elements" },
        { new int[1, 2], new int[2, 1], "an array with the bounds 0..0, 0..1 and an array with the bounds 0..1, 0..0" },
        { new Rich { Maybe = 1 }, default(Rich), "Maybe: 1 and null" },
        { Map(("a", 1), ("b", 2)), Map(("b", 3), ("a", 1)), "[1]: 2 and 3" },
        { Map(("a", 1)), Map(("c", 1)), "[0]: 'a' and 'c'" },
        {
            new HashSet<string>(StringComparer.OrdinalIgnoreCase), new HashSet<string>(),
            "the comparers are System.OrdinalIgnoreCaseComparer and System.Collections.Generic.StringEqualityComparer"
        },
        { new Node { Next = new Node { Next = new Node { Value = 1 } } }, new Node { Next = new Node { Next = new Node() } },
            "Next.Next.Value: 1 and 0" },
        { new TimeoutException("a"), new TimeoutException("b"), "" },
    };

    [Theory]
    [MemberData(nameof(Differences), DisableDiscoveryEnumeration = true)]
    public void The_first_difference_has_its_path(object? left, object? right, string expected)
    {
        foreach (GraphEquality equality in new[] { Plain, References })
        {
            GraphDifference difference = Assert.IsType<GraphDifference>(equality.FindDifference(left, right));
            if (expected.Length > 0)
            {
                Assert.Equal(expected, difference.ToString());
            }

            Assert.False(equality.AreEqual(right, left));
            Assert.True(equality.AreEqual(left, left));
        }
    }

    [Fact]
    public void Dictionaries_and_sets_have_no_order()
    {
        Assert.True(Plain.AreEqual(Map(("a", 1), ("b", 2)), Map(("b", 2), ("a", 1))));
        Assert.True(Plain.AreEqual(new HashSet<int> { 1, 2, 3 }, new HashSet<int> { 3, 1, 2 }));
        Assert.False(Plain.AreEqual(new HashSet<int> { 1, 2, 3 }, new HashSet<int> { 4, 1, 2 }));
        Assert.True(Plain.AreEqual(
            ImmutableHashSet.Create("x", "y", "z").Remove("y"), ImmutableHashSet.Create("z").Add("x")));
        Assert.False(Plain.AreEqual(new List<int> { 1, 2 }, new List<int> { 2, 1 }));
    }

    [Fact]
    public void Keys_that_are_compared_by_reference_are_found_by_what_they_hold()
    {
        var left = Enumerable.Range(0, 50).Select(i => new Leaf { Id = i }).ToImmutableHashSet();
        var right = Enumerable.Range(0, 50).Reverse().Select(i => new Leaf { Id = i }).ToImmutableHashSet();
        var other = Enumerable.Range(1, 50).Select(i => new Leaf { Id = i }).ToImmutableHashSet();

        Assert.Null(Plain.FindDifference(left, right)?.ToString());
        Assert.False(Plain.AreEqual(left, other));
    }

    [Fact]
    public void Elements_without_an_order_belong_to_those_that_are_shared_with_the_rest()
    {
        Leaf[] leaves = [.. Enumerable.Range(0, 20).Select(_ => new Leaf())];
        object[] graph = [leaves.ToImmutableHashSet(), leaves[3], leaves.ToImmutableDictionary(leaf => leaf, leaf => leaf.Text), leaves[7]];
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = true });

        Assert.Null(References.FindDifference(graph, serializer.Clone(graph))?.ToString());
        Assert.Null(References.FindDifference(serializer.Clone(graph), graph)?.ToString());
    }

    [Fact]
    public void Equal_keys_belong_together_by_their_values()
    {
        ImmutableDictionary<Leaf, int> numbers = Enumerable.Range(0, 30).ToImmutableDictionary(_ => new Leaf(), i => i);

        Assert.Null(Plain.FindDifference(numbers, new Serializer().Clone(numbers))?.ToString());
        Assert.False(Plain.AreEqual(numbers, numbers.ToImmutableDictionary(pair => new Leaf(), pair => pair.Value == 9 ? 10 : pair.Value)));
    }

    [Fact]
    public void Keys_may_hold_what_has_no_order()
    {
        var left = new HashSet<Group> { new(1, 2), new(3, 4) };

        Assert.Null(Plain.FindDifference(left, new HashSet<Group> { new(4, 3), new(2, 1) })?.ToString());
        Assert.False(Plain.AreEqual(left, new HashSet<Group> { new(4, 3), new(2, 2) }));
    }

    [Fact]
    public void A_sequence_is_equal_to_the_list_that_it_is_written_as_on_either_side()
    {
        IEnumerable<string> query = new[] { "1" }.Where(_ => true);

        Assert.True(Plain.AreEqual(query, new List<string> { "1" }));
        Assert.True(Plain.AreEqual(new List<string> { "1" }, query));
        Assert.False(Plain.AreEqual(new List<string> { "2" }, query));
    }

    [Fact]
    public void Callbacks_decide_what_is_written()
    {
        var equality = new GraphEquality(new Serializer(new SerializerOptions { UseSerializationCallbacks = true }));

        Assert.False(equality.AreEqual(new Sealed { Secret = "a" }, new Sealed { Secret = "b" }));
        Assert.True(equality.AreEqual(new Sealed { Secret = "a", Written = "old" }, new Sealed { Secret = "a" }));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Many_keys_that_are_compared_by_reference_are_found_in_any_order(bool references)
    {
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = references });
        GraphEquality equality = references ? References : Plain;

        // So many that identity hash codes of the two graphs often agree by chance.
        for (int i = 0; i < 4; i++)
        {
            HashSet<Priced> prices = [.. Enumerable.Range(0, 5_000).Select(number => new Priced { Price = number, Id = Guid.NewGuid() })];
            HashSet<Priced> other = [.. serializer.Clone(prices).Reverse()];

            Assert.Null(equality.FindDifference(prices, other)?.ToString());
            other.Last().Price += 1;
            Assert.False(equality.AreEqual(prices, other));
        }
    }

    [Fact]
    public void Many_keys_that_are_alike_are_no_trouble()
    {
        HashSet<Node> Make() => [.. Enumerable.Range(0, 5_000).Select(_ => new Node { Next = new Node() })];

        HashSet<Node> other = Make();
        foreach (GraphEquality equality in new[] { Plain, References })
        {
            Assert.Null(equality.FindDifference(Make(), other)?.ToString());
        }

        other.ElementAt(2_500).Next!.Value = 1;
        Assert.False(Plain.AreEqual(Make(), other));
        Assert.False(References.AreEqual(Make(), other));
    }

    [Fact]
    public void A_ring_in_a_set_is_found_in_any_order()
    {
        HashSet<Node> Ring(int start, int step)
        {
            Node[] nodes = [.. Enumerable.Range(0, 11).Select(_ => new Node())];
            for (int i = 0; i < nodes.Length; i++)
            {
                nodes[i].Next = nodes[(i + 1) % nodes.Length];
            }

            return [.. Enumerable.Range(0, nodes.Length).Select(i => nodes[(start + (i * step)) % nodes.Length])];
        }

        Assert.Null(References.FindDifference(Ring(0, 1), Ring(4, 3))?.ToString());
        Assert.Null(References.FindDifference(Ring(2, 5), Ring(0, 1))?.ToString());
    }

    [Fact]
    public void Sets_in_sets_take_no_more_than_their_size()
    {
        Folder Chain(int depth)
        {
            Folder root = new(), last = root;
            for (int i = 0; i < depth; i++)
            {
                var next = new Folder { Name = $"{i}" };
                last.Below.Add(next);
                last.Below.Add(new Folder { Name = "leaf" });
                last = next;
            }

            return root;
        }

        HashSet<Node> Complete()
        {
            Node[] nodes = [.. Enumerable.Range(0, 12).Select(i => new Node { Value = i % 2 })];
            Array.ForEach(nodes, node => node.Extra = new HashSet<Node>(nodes));
            return [.. nodes];
        }

        foreach (GraphEquality equality in new[] { Plain, References })
        {
            Assert.True(equality.AreEqual(Chain(60), Chain(60)));
            Assert.False(equality.AreEqual(Chain(60), Chain(59)));
            Assert.True(equality.AreEqual(Complete(), Complete()));
        }
    }

    [Fact]
    public void Elements_that_are_alike_are_told_apart_by_what_refers_to_them()
    {
        HashSet<Node> Make(bool isSwapped)
        {
            Node first = new(), second = new(), one = new() { Value = 1, Next = first }, two = new() { Value = 2, Next = second };
            return isSwapped ? [second, first, one, two] : [first, second, one, two];
        }

        Assert.Null(References.FindDifference(Make(false), Make(true))?.ToString());
        Assert.Null(References.FindDifference(Make(true), Make(false))?.ToString());
        HashSet<Node> other = Make(true);
        Node shared = other.First(node => node.Value == 0);
        foreach (Node node in other.Where(node => node.Value > 0))
        {
            node.Next = shared;
        }

        Assert.False(References.AreEqual(Make(false), other));
        Assert.True(Plain.AreEqual(Make(false), other));
    }

    [Fact]
    public void Sharing_of_what_cannot_change_counts_too()
    {
        ImmutableList<int> one = ImmutableList.Create(1, 2), two = ImmutableList.Create(1, 2);

        Assert.False(References.AreEqual(new object[] { one, one }, new object[] { one, two }));
        Assert.True(Plain.AreEqual(new object[] { one, one }, new object[] { one, two }));
    }

    [Fact]
    public void Keys_may_be_deep_and_lead_back()
    {
        Node Chain()
        {
            var root = new Node();
            for (int i = 0; i < 3_000; i++)
            {
                root = new Node { Next = root };
            }

            return root;
        }

        HashSet<Node> Circle()
        {
            var set = new HashSet<Node>();
            set.Add(new Node { Extra = set });
            set.Add(new Node { Value = 1, Extra = set });
            return set;
        }

        foreach (GraphEquality equality in new[] { Plain, References })
        {
            Assert.True(equality.AreEqual(new HashSet<Node> { Chain() }, new HashSet<Node> { Chain() }));
            Assert.True(equality.AreEqual(Circle(), Circle()));
        }
    }

    [Fact]
    public void What_user_code_throws_has_its_path()
    {
        Serializer serializer = Setup.Serializer(true, o => o with
        {
            Surrogates = [Surrogate.Create<Leaf, int>(_ => throw new InvalidTimeZoneException(), _ => new Leaf())],
        });
        var box = new Box<Leaf> { Value = new Leaf() };

        var failure = Assert.Throws<InvalidTimeZoneException>(
            () => new GraphEquality(serializer).AreEqual(box, new Box<Leaf> { Value = new Leaf() }));

        Assert.Equal("Value", failure.Data[Serializer.MemberPathKey]);
    }

    [Fact]
    public void What_is_shared_counts_where_references_are_preserved()
    {
        var leaf = new Leaf();
        object[] shared = [leaf, leaf], apart = [new Leaf(), new Leaf()];

        Assert.True(Plain.AreEqual(shared, apart));
        Assert.Equal("[1]", References.FindDifference(shared, apart)!.MemberPath);
        Assert.Equal("[1]", References.FindDifference(apart, shared)!.MemberPath);
    }

    [Fact]
    public void A_cycle_or_a_deep_graph_ends()
    {
        Node Deep(int last)
        {
            var root = new Node();
            Node end = root;
            for (int i = 0; i < 100_000; i++)
            {
                end = end.Next = new Node();
            }

            end.Value = last;
            end.Extra = root;
            return root;
        }

        foreach (GraphEquality equality in new[] { Plain, References })
        {
            Assert.True(equality.AreEqual(Deep(1), Deep(1)));
            string path = equality.FindDifference(Deep(1), Deep(2))!.MemberPath;
            Assert.EndsWith("Next.Value", path, StringComparison.Ordinal);
            Assert.Contains("more", path, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Members_that_are_not_written_do_not_count()
    {
        Assert.True(Plain.AreEqual(new Partial { Kept = 1, Left = 2 }, new Partial { Kept = 1, Left = 3 }));
        Assert.False(Plain.AreEqual(new Partial { Kept = 1 }, new Partial { Kept = 2 }));
    }

    [Fact]
    public void A_type_that_cannot_be_written_cannot_be_compared() =>
        Assert.Throws<UnsupportedTypeException>(() => Plain.AreEqual(new Box<Thread> { Value = Thread.CurrentThread },
            new Box<Thread> { Value = Thread.CurrentThread }));

    private static Dictionary<string, int> Map(params (string Key, int Value)[] pairs) => pairs.ToDictionary(p => p.Key, p => p.Value);

    private sealed class Group(params int[] numbers)
    {
        public HashSet<int> Numbers { get; set; } = [.. numbers];

        public override bool Equals(object? obj) => obj is Group other && other.Numbers.SetEquals(Numbers);

        public override int GetHashCode() => Numbers.Sum();
    }

    private sealed class Priced
    {
        public decimal Price { get; set; }

        public Guid Id { get; set; }
    }

    private sealed class Folder
    {
        public string? Name { get; set; }

        public HashSet<Folder> Below { get; } = [];
    }

    private sealed class Sealed
    {
        [IgnoreMember]
        public string? Secret { get; set; }

        public string? Written { get; set; }

        [OnSerializing]
        private void Write(StreamingContext context) => Written = Secret + "!";
    }

    private sealed class Partial
    {
        public int Kept { get; set; }

        [IgnoreMember]
        public int Left { get; set; }
    }
}
