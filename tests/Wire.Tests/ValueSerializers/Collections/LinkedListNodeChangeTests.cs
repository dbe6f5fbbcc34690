using System.Runtime.Serialization;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

/// <summary>
/// An index belongs to the list that was written, and to the one that was read: where a program changes one of them meanwhile, its nodes
/// are an error, and no other ones. Where nothing changes, each has its value before a set asks for it.
/// </summary>
public sealed class LinkedListNodeChangeTests
{
    public static TheoryData<bool, bool> Ways => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_list_that_has_changed_since_it_was_written_has_no_nodes(bool derived)
    {
        foreach (Action<LinkedList<string>> change in Changes)
        {
            Serializer serializer = Changing(write: change, read: null);
            foreach (int place in new[] { 0, 1, 2 })
            {
                LinkedList<string> list = derived ? new Texts(["a", "b", "c"]) : new(["a", "b", "c"]);
                LinkedListNode<string> node = NodesOf(list)[place];
                var values = new object[] { list, new Holder { List = list }, node };
                Exception? e = Record.Exception(() => serializer.Serialize(values));
                if (node.List is null)
                {
                    // It has no list any more when it is written.
                    Assert.Null(e);
                    continue;
                }

                Assert.Contains(
                    "changed while it was written", Assert.IsType<InvalidOperationException>(e).Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void A_list_that_has_changed_before_it_was_written_has_nodes()
    {
        Serializer serializer = Changing(write: list => list.AddFirst("new"), read: null);
        var list = new LinkedList<string>(["a", "b"]);

        var back =
            (object[])serializer.Deserialize<object>(serializer.Serialize(new object[] { new Holder { List = list }, list, list.First! }))!;

        Assert.Equal(["new", "a", "b"], (LinkedList<string>)back[1]);
        Assert.Same(((LinkedList<string>)back[1]).First!.Next, back[2]);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_list_that_has_changed_since_it_was_read_has_no_nodes(bool derived)
    {
        foreach (Action<LinkedList<string>> change in Changes)
        {
            Serializer serializer = Changing(write: null, read: change);
            LinkedList<string> list = derived ? new Texts(["a", "b", "c"]) : new(["a", "b", "c"]);
            foreach (object[] values in new object[][]
            {
                [new Holder { List = list }, list.First!], [list, new Holder { List = list }, list.Last!],
                [list.Last!, new Holder { List = list }, list.First!.Next!],
            })
            {
                byte[] bytes = serializer.Serialize(values);
                var e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(bytes));
                Assert.Equal(WireFormatError.InvalidValue, e.Error);
                Assert.Contains("its list has changed since it was read", e.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void A_callback_that_changes_a_list_leaves_it_no_nodes()
    {
        Serializer serializer = Calling();
        foreach (bool first in new[] { true, false })
        {
            var moving = new Moving { AddsFirst = first };
            byte[] bytes = serializer.Serialize(new object[] { moving, moving.List.First! });
            Assert.Contains(
                "its list has changed since it was read",
                Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(bytes)).Message,
                StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_callback_may_keep_nodes_of_a_list_that_has_been_read()
    {
        Serializer serializer = Calling();
        var cache = new Cache();

        var back =
            (object[])serializer.Deserialize<object>(serializer.Serialize(new object[] { cache, cache.List.First!, cache.List.Last! }))!;

        var again = (Cache)back[0];
        Assert.Same(again.Nodes["a"], back[1]);
        Assert.Same(again.Nodes["b"], back[2]);
        Assert.Same(again.List.First, back[1]);
        Assert.Same(again.List.Last, back[2]);
    }

    [Fact]
    public void A_callback_sees_nodes_of_a_list_whose_elements_lead_back()
    {
        Serializer serializer = Calling();
        var owner = new Owner();
        foreach (string name in new[] { "a", "b", "c" })
        {
            var part = new Part { Name = name, Owner = owner };
            part.Node = owner.Parts.AddLast(part);
        }

        foreach (object root in new object[] { owner, owner.Parts, owner.Parts.First!.Value, owner.Parts.Last! })
        {
            object? read = serializer.Deserialize<object>(serializer.Serialize(root));
            LinkedList<Part> parts = read as LinkedList<Part> ?? (read as LinkedListNode<Part>)?.List ?? (read as Owner)?.Parts
                ?? ((Part)read!).Owner!.Parts;
            Assert.All(NodesOf(parts), node => Assert.Same(node, node.Value.Node));
            Assert.All(parts, part => Assert.Same(parts, part.Owner!.Parts));
            Assert.Equal(["a", "b", "c"], parts.Select(part => part.Name).Order());
            Assert.Equal(ReferenceEquals(root, owner) ? "c" : "a", parts.First!.Value.Name);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_set_asks_for_the_value_of_a_node_that_has_it(bool copies, bool dynamicCode)
    {
        var list = new LinkedList<Item>();
        var item = new Item { Set = new(new ByName()), Sorted = new(new ByNumber()), Name = "one", Number = 1 };
        LinkedListNode<Item> node = list.AddLast(item);
        LinkedListNode<Item> other = list.AddLast(new Item { Name = "two", Number = 0 });
        item.Set!.UnionWith([node, other]);
        item.Sorted!.UnionWith([node, other]);
        foreach (object root in new object[]
        {
            node, list, item, item.Set, item.Sorted, other, new object[] { item.Set, list }, new object[] { node, list },
            new object[] { list, node }, new object[] { item.Sorted, item.Set, other },
        })
        {
            Check(Back(root, copies, dynamicCode));
        }

        Check(Typed(node, dynamicCode));
        Check(Typed(list, dynamicCode));
        Check(Typed(item, dynamicCode));
        Check(Typed(item.Set, dynamicCode));
        Check(Typed(item.Sorted, dynamicCode));

        static void Check(object root)
        {
            LinkedList<Item> list = Find(root);
            Item item = list.First!.Value;
            Assert.Equal(["one", "two"], list.Select(each => each.Name));
            foreach (IEnumerable<LinkedListNode<Item>> nodes in new IEnumerable<LinkedListNode<Item>>[] { item.Set!, item.Sorted! })
            {
                Assert.Equal(2, nodes.Count());
                Assert.All(nodes, each => Assert.True(each == list.First || each == list.Last));
            }

            Assert.IsType<ByName>(item.Set!.Comparer);
            Assert.IsType<ByNumber>(item.Sorted!.Comparer);
            Assert.Equal([0, 1], item.Sorted.Select(each => each.Value.Number));
            for (LinkedListNode<Item>? each = list.First; each is not null; each = each.Next)
            {
                Assert.Contains(each, item.Set);
                Assert.Contains(each, item.Sorted);
                Assert.True(item.Set.TryGetValue(new(new() { Name = each.Value.Name }), out LinkedListNode<Item>? found));
                Assert.Same(each, found);
            }
        }

        static LinkedList<Item> Find(object root) => root switch
        {
            LinkedList<Item> list => list,
            LinkedListNode<Item> node => node.List!,
            Item item => Find(item.Set!),
            IEnumerable<LinkedListNode<Item>> nodes => nodes.First().List!,
            object[] roots => Find(roots[0]),
            _ => throw new ArgumentException("It has no list.", nameof(root)),
        };
    }

    private static Action<LinkedList<string>>[] Changes =>
    [
        list => list.AddFirst("new"), list => list.RemoveFirst(), list => list.AddAfter(list.First!, "new"),
        list =>
        {
            LinkedListNode<string> first = list.First!;
            list.Remove(first);
            list.AddLast(first);
        },
        list => list.Clear(),
        list =>
        {
            list.AddFirst("new");
            list.RemoveFirst();
        },
    ];

    private static Serializer Changing(Action<LinkedList<string>>? write, Action<LinkedList<string>>? read) => new(new SerializerOptions
    {
        PreserveObjectReferences = true,
        TypeFilter = WireTypeFilter.Default.Allow<Texts>(),
        Surrogates =
        [
            Surrogate.Create<Holder, object[]>(
                holder =>
                {
                    write?.Invoke(holder.List);
                    return write is null ? [holder.List] : [];
                },
                parts =>
                {
                    var list = (LinkedList<string>?)parts.FirstOrDefault() ?? [];
                    read?.Invoke(list);
                    return new() { List = list };
                }),
        ],
    });

    private static List<LinkedListNode<T>> NodesOf<T>(LinkedList<T> list)
    {
        var nodes = new List<LinkedListNode<T>>();
        for (LinkedListNode<T>? node = list.First; node is not null; node = node.Next)
        {
            nodes.Add(node);
        }

        return nodes;
    }

    private static object Back(object value, bool copies, bool dynamicCode)
    {
        Serializer serializer = Allowing(dynamicCode);
        return copies ? serializer.Clone(value) : serializer.Deserialize<object>(serializer.Serialize(value))!;
    }

    private static T Typed<T>(T value, bool dynamicCode)
        where T : class
    {
        Serializer serializer = Allowing(dynamicCode);
        return serializer.DeserializeTyped<T>(serializer.SerializeTyped(value))!;
    }

    private static Serializer Calling() => new(new SerializerOptions
    {
        PreserveObjectReferences = true,
        UseSerializationCallbacks = true,
        TypeFilter = WireTypeFilter.Default.Allow<Moving>().Allow<Cache>().Allow<Owner>().Allow<Part>(),
    });

    private static Serializer Allowing(bool dynamicCode) => new(
        Configuration.Options(references: true, tolerance: true, dynamicCode) with
        {
            TypeFilter = WireTypeFilter.Default.Allow<Item>().Allow<ByName>().Allow<ByNumber>(),
        });

    private sealed class Holder
    {
        public required LinkedList<string> List { get; init; }
    }

    private sealed class Texts(IEnumerable<string> texts) : LinkedList<string>(texts);

    private sealed class Moving
    {
        public LinkedList<string> List { get; } = new(["a", "b"]);

        public bool AddsFirst { get; set; }

        [OnDeserialized]
        private void Move(StreamingContext context)
        {
            LinkedListNode<string> last = List.Last!;
            if (AddsFirst)
            {
                List.AddFirst("new");
            }
            else
            {
                List.Remove(last);
                List.AddFirst(last);
            }
        }
    }

    private sealed class Cache
    {
        public LinkedList<string> List { get; } = new(["a", "b"]);

        [IgnoreDataMember]
        public Dictionary<string, LinkedListNode<string>> Nodes { get; private set; } = [];

        [OnDeserialized]
        private void Find(StreamingContext context) => Nodes = NodesOf(List).ToDictionary(node => node.Value);
    }

    private sealed class Owner
    {
        public LinkedList<Part> Parts { get; } = new();

        // A list that begins outside of it has not all of its elements yet.
        [OnDeserialized]
        private void Move(StreamingContext context)
        {
            if (Parts.Last?.Value.Node is { List: { } list } last && list.Count == 3)
            {
                list.Remove(last);
                list.AddFirst(last);
            }
        }
    }

    private sealed class Part
    {
        public string? Name { get; set; }

        public Owner? Owner { get; set; }

        public LinkedListNode<Part>? Node { get; set; }
    }

    private sealed class Item
    {
        public HashSet<LinkedListNode<Item>>? Set { get; set; }

        public SortedSet<LinkedListNode<Item>>? Sorted { get; set; }

        public string? Name { get; set; }

        public int Number { get; set; }
    }

    private sealed class ByName : IEqualityComparer<LinkedListNode<Item>>
    {
        public bool Equals(LinkedListNode<Item>? x, LinkedListNode<Item>? y) => x!.Value.Name == y!.Value.Name;

        public int GetHashCode(LinkedListNode<Item> obj) => obj.Value.Name!.GetHashCode(StringComparison.Ordinal);
    }

    private sealed class ByNumber : IComparer<LinkedListNode<Item>>
    {
        public int Compare(LinkedListNode<Item>? x, LinkedListNode<Item>? y) => x!.Value.Number.CompareTo(y!.Value.Number);
    }
}
