using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Runtime.CompilerServices;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>
/// Copies without bytes. That they are what writing and reading gives is a property of every value in <see cref="ValueTests{T}"/>, of
/// random graphs in <see cref="GraphPropertyTests"/> and of many more graphs by <see cref="BothWays"/>; here is what is particular to
/// copies.
/// </summary>
public class CloneTests
{
    public static TheoryData<bool, bool> Modes => new() { { true, false }, { true, true }, { false, false }, { false, true } };

    [Theory]
    [MemberData(nameof(Modes))]
    public void What_cannot_change_is_shared_and_all_else_is_new(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        object[] immutable =
        [
            "text", 1, 2.5m, Guid.NewGuid(), DateTimeOffset.Now, Color.Blue, new Version(1, 2), new Uri("http://a/b"), typeof(string),
            ImmutableList.Create("a", "b"), ImmutableArray.Create(1, 2), new[] { "a", "b" }.ToFrozenSet(),
            ImmutableDictionary.CreateRange(StringComparer.OrdinalIgnoreCase, [KeyValuePair.Create("a", 1)]), ImmutableStack.Create(1),
        ];
        object[] mutable =
        [
            new Leaf(), new[] { 1 }, new List<string> { "a" }, new Dictionary<int, int> { [1] = 2 }, ImmutableList.Create(new Leaf()),
            new[] { new Leaf() }.ToFrozenSet(ReferenceEqualityComparer.Instance), new int[2, 2], new Point { X = 1 },
            new Rich { Any = new Leaf() },
            Tuple.Create(1), new object(), new Queue<int>([1]), new SortedSet<string> { "b" }, new Memory<byte>([1]),
        ];

        // Twice, because the first value of a class takes another way than those that follow.
        for (int i = 0; i < 3; i++)
        {
            object[] copies = serializer.Clone(immutable);
            Assert.NotSame(immutable, copies);
            Assert.All(immutable.Zip(copies), pair => Assert.Same(pair.First, pair.Second));
            copies = serializer.Clone(mutable);
            GraphAssert.Same(mutable, copies, references);
            Assert.All(mutable.Zip(copies), pair => Assert.NotSame(pair.First, pair.Second));
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_graph_that_has_no_copy_is_refused_as_such(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        object box = default(Boxed);
        Unsafe.Unbox<Boxed>(box).Own = box;
        Renamed first = new() { Name = "a" }, second = new() { Name = "b" };
        HashSet<Renamed> set = [first, second];
        second.Name = "a";
        foreach (object graph in new[] { box, new object[] { box }, set, new Leaf[1].Append<object>(set).ToArray() })
        {
            ObjectGraphException e = Assert.Throws<ObjectGraphException>(() => serializer.Clone(graph));
            Assert.DoesNotContain("payload", e.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_deep_graph_is_copied_whatever_its_depth(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(
            dynamicCode, o => o with { PreserveObjectReferences = references, Limits = o.Limits with { MaxDepth = 100_000 } });
        foreach (int depth in new[] { 10, 500, 50_000 })
        {
            var root = new Node();
            Node last = root;
            for (int i = 1; i < depth; i++)
            {
                last = last.Next = new Node { Value = i };
            }

            Setup.OnSmallStack(() => GraphAssert.Same(root, serializer.Clone(root), references), 256);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_cycle_without_references_is_refused_as_it_is_when_written(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        var node = new Node();
        node.Next = new Node { Next = node };

        var written = Assert.Throws<ObjectGraphException>(() => serializer.Serialize(node));
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(written.Message, Assert.Throws<ObjectGraphException>(() => serializer.Clone(node)).Message);
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_type_that_cannot_be_written_is_refused_as_it_is_when_written(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        object[] graph = [1, new Box<object> { Value = new List<object> { new MemoryStream(), new Thread(() => { }) } }];
        var written = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(graph));

        Assert.Equal(written.Message, Assert.Throws<UnsupportedTypeException>(() => serializer.Clone(graph)).Message);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_surrogate_is_asked_and_its_stand_in_is_copied(bool dynamicCode, bool references)
    {
        var asked = new List<string>();
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with
        {
            PreserveObjectReferences = references,
            Surrogates =
            [
                Surrogate.Create<Leaf, List<string?>>(
                    leaf =>
                    {
                        asked.Add("to");
                        return [leaf.Text];
                    },
                    texts =>
                    {
                        asked.Add("from");
                        return new Leaf { Id = 7, Text = texts[0] + "!" };
                    }),
            ],
        });
        var shared = new Leaf { Id = 1, Text = "a" };

        Leaf[] copy = serializer.Clone(new[] { shared, shared });

        Assert.All(copy, leaf => Assert.Equal((7, "a!"), (leaf.Id, leaf.Text)));
        Assert.Equal(references, ReferenceEquals(copy[0], copy[1]));
        Assert.Equal(references ? ["to", "from"] : ["to", "from", "to", "from"], asked);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_surrogate_may_copy_in_turn(bool dynamicCode, bool references)
    {
        Serializer serializer = null!;
        serializer = Setup.Serializer(dynamicCode, o => o with
        {
            PreserveObjectReferences = references,
            Surrogates = [Surrogate.Create<Leaf, Node>(
                leaf => serializer.Clone(new Node { Value = (int)leaf.Id }),
                node => new Leaf { Id = serializer.Clone(node).Value })],
        });
        var node = new Node { Value = 5 };
        object[] graph = [new Leaf { Id = 3 }, node, node, new Leaf { Id = 4 }];

        for (int i = 0; i < 3; i++)
        {
            GraphAssert.Same(graph, serializer.Clone(graph), references);
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Comparers_of_the_program_are_copied_and_those_of_NET_are_shared(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        var own = new ByLength { Factor = 3 };
        var sets = new HashSet<string>[] { new(StringComparer.OrdinalIgnoreCase) { "a" }, new(own) { "b", "cc" }, new(own) { "d" } };
        for (int i = 0; i < 3; i++)
        {
            HashSet<string>[] copies = serializer.Clone(sets);

            GraphAssert.Same(sets, copies, references);
            Assert.Same(sets[0].Comparer, copies[0].Comparer);
            Assert.NotSame(own, copies[1].Comparer);
            Assert.Equal(references, ReferenceEquals(copies[1].Comparer, copies[2].Comparer));
            Assert.Contains("zz", copies[1]);
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void What_is_copied_by_bytes_keeps_its_sharing_with_the_rest(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        var leaf = new Leaf { Text = "x" };
        object[] graph = [leaf, new InvalidOperationException("an exception") { Data = { ["leaf"] = leaf } }, leaf];

        // Again and again: the attempt without bytes is made less and less often.
        for (int i = 0; i < 10; i++)
        {
            GraphAssert.Same(graph, serializer.Clone(graph), references);
            GraphAssert.Same(leaf, serializer.Clone(leaf));
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Values_that_hold_their_own_type_are_levels_too(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        Serializer deeper = Setup.Serializer(
            dynamicCode, o => o with { PreserveObjectReferences = references, Limits = o.Limits with { MaxDepth = 10_000 } });
        Branch branch = default;
        for (int i = 0; i < 5_000; i++)
        {
            branch = new Branch { Number = i, Below = [branch] };
        }

        Setup.OnSmallStack(
            () =>
            {
                Assert.Throws<ObjectGraphException>(() => serializer.Clone(branch));
                Assert.Throws<ObjectGraphException>(() => serializer.Clone(branch));
                GraphAssert.Same(branch, deeper.Clone(branch));
                GraphAssert.Same(branch, deeper.Clone(branch));
            },
            512);
    }

    [Theory]
    [InlineData(3)]
    [InlineData(20)]
    [InlineData(33)]
    public void The_limit_of_the_depth_is_that_of_writing(int most)
    {
        Serializer serializer = Setup.Serializer(true, o => o with { Limits = o.Limits with { MaxDepth = most } });
        for (int depth = 1; depth < 50; depth++)
        {
            Node? chain = null;
            for (int i = 0; i < depth; i++)
            {
                chain = new Node { Next = chain };
            }

            bool isWritten = Record.Exception(() => serializer.Serialize(chain)) is null;
            Assert.Equal(isWritten, Record.Exception(() => serializer.Clone(chain)) is null);
        }
    }

    [Fact]
    public void A_box_that_an_interface_can_change_is_copied()
    {
        var serializer = new Serializer();
        ICounter[] counters = [new Ring(), new Plain()];
        ICounter[] copies = serializer.Clone(counters);

        Assert.All(copies, copy => copy.Count());

        Assert.All(counters, counter => Assert.Equal(0, counter.Value));
        Assert.All(copies, copy => Assert.Equal(1, copy.Value));
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_key_that_throws_has_its_path(bool dynamicCode, bool references)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        var keys = new Dictionary<Key, int> { [new Key { Id = 1 }] = 1, [new Key { Id = 2 }] = 2, [new Key { Id = 3 }] = 3 };
        for (int i = 0; i < 3; i++)
        {
            keys.Keys.ElementAt(1).Fails = true;
            var failure = Assert.Throws<InvalidTimeZoneException>(() => serializer.Clone(new Box<Dictionary<Key, int>> { Value = keys }));
            Assert.Equal("Value[1]", failure.Data[Serializer.MemberPathKey]);
            keys.Keys.ElementAt(1).Fails = false;
            Assert.Equal(3, serializer.Clone(keys).Count);
        }
    }

    [Fact]
    public void A_sequence_of_another_class_leaves_the_next_copies_alone()
    {
        var serializer = new Serializer();
        var list = new List<int> { 1 };

        Assert.Equal([5, 5], (IEnumerable<int>)serializer.Clone(new Box<object> { Value = Enumerable.Repeat(5, 2) }).Value!);

        Assert.Equal(list, serializer.Clone(new Box<object> { Value = list }).Value);
    }

    [Fact]
    public void A_value_type_or_null_as_the_root_needs_no_object()
    {
        var serializer = new Serializer();
        var rich = new Rich { Label = "a", Any = new Leaf { Id = 1 }, Inner = [new Rich { Maybe = 3 }] };

        Rich copy = serializer.Clone(rich);

        GraphAssert.Same(rich, copy);
        Assert.NotSame(rich.Any, copy.Any);
        Assert.Null(serializer.Clone<object?>(null));
        Assert.Null(serializer.Clone<int?>(null));
        Assert.Equal(5, serializer.Clone<int?>(5));
    }

    [Fact]
    public async Task Copies_are_made_from_many_threads_at_once()
    {
        var serializer = new Serializer(new SerializerOptions { PreserveObjectReferences = true });
        var node = new Node { Value = 1 };
        object[] graph = [node, new Box<object> { Value = node }, new Dictionary<string, Node> { ["a"] = node }, new List<Node> { node }];

        await Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(() =>
        {
            for (int i = 0; i < 200; i++)
            {
                GraphAssert.Same(graph, serializer.Clone(graph), sharing: true);
            }
        })));
    }

    private interface ICounter
    {
        int Value { get; }

        void Count();
    }

    [InlineArray(2)]
    private struct Ring : ICounter
    {
        private int _first;

        public readonly int Value => this[0];

        public void Count() => this[0]++;
    }

    private struct Plain : ICounter
    {
        public int Value { get; private set; }

        public void Count() => Value++;
    }

    private struct Branch
    {
        public int Number;
        public ImmutableArray<Branch> Below;
    }

    private sealed class Key
    {
        public int Id { get; set; }

        public bool Fails { get; set; }

        public override bool Equals(object? obj) => obj is Key other && other.Id == Id;

        public override int GetHashCode() => Fails ? throw new InvalidTimeZoneException() : Id;
    }

    private sealed class ByLength : IEqualityComparer<string>
    {
        public int Factor { get; set; }

        public bool Equals(string? x, string? y) => x?.Length == y?.Length;

        public int GetHashCode(string obj) => obj.Length * Factor;
    }

    private struct Boxed
    {
        public object? Own;
    }

    private sealed class Renamed
    {
        public string? Name;

        public override bool Equals(object? obj) => obj is Renamed other && other.Name == Name;

        public override int GetHashCode() => string.GetHashCode(Name, StringComparison.Ordinal);
    }
}
