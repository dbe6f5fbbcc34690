using System.Diagnostics;
using System.Reflection;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

[TypeNotes("with the list that it is in, which takes `PreserveObjectReferences`", Options = "PreserveObjectReferences")]
public sealed class LoneLinkedListNodeTests : ValueTests<LinkedListNode<string?>?>
{
    protected override IEnumerable<LinkedListNode<string?>?> Samples => [null, new("a"), new(null), new("b")];
}

public sealed class LoneLinkedListNodeOfValuesTests : ValueTests<LinkedListNode<DateTime?>>
{
    protected override IEnumerable<LinkedListNode<DateTime?>> Samples => [new(null), new(DateTime.MaxValue)];
}

/// <summary>A node comes back as that of the list that is read, wherever the two stand.</summary>
public sealed class LinkedListNodeTests
{
    public static TheoryData<bool, bool> Ways => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    [Theory]
    [MemberData(nameof(Ways))]
    public void Nodes_are_those_of_their_list(bool copies, bool dynamicCode)
    {
        var cache = new Cache();
        foreach (string key in new[] { "a", "b", "c", "d" })
        {
            cache.Add(key);
        }

        cache.Touch("b");
        var behind = new Behind { List = cache.Used, Nodes = cache.Nodes };
        LinkedList<string> list = cache.Used;
        Check(cache, Back(cache, copies, dynamicCode), back => (back.Used, back.Nodes));
        Check(behind, Back(behind, copies, dynamicCode), back => (back.List!, back.Nodes!));
        Check(cache.Nodes, Back(cache.Nodes, copies, dynamicCode), back => (back["a"].List!, back));
        Check(
            new object[] { list.Last!, list, list.First!, list.Last! },
            Back(new object[] { list.Last!, list, list.First!, list.Last! }, copies, dynamicCode),
            back =>
                ((LinkedList<string>)back[1], new() { ["b"] = (LinkedListNode<string>)back[2], ["d"] = (LinkedListNode<string>)back[3] }));
        LinkedListNode<string> alone = Back(list.First!.Next!, copies, dynamicCode);
        Assert.Equal((list.First.Next!.Value, "b", list.Count), (alone.Value, alone.Previous!.Value, alone.List!.Count));

        static void Check<T>(T value, T back, Func<T, (LinkedList<string> Used, Dictionary<string, LinkedListNode<string>> Nodes)> parts)
            where T : class
        {
            GraphAssert.Same(value, back, sharing: true);
            (LinkedList<string> used, Dictionary<string, LinkedListNode<string>> nodes) = parts(back);
            var real = new HashSet<object>(ReferenceEqualityComparer.Instance);
            for (LinkedListNode<string>? node = used.First; node is not null; node = node.Next)
            {
                real.Add(node);
            }

            Assert.All(nodes, pair =>
            {
                Assert.Contains(pair.Value, real);
                Assert.Equal(pair.Key, pair.Value.Value);
                Assert.Same(used, pair.Value.List);
            });
            used.Remove(nodes["b"]);
            used.AddLast(nodes["b"]);
            Assert.Equal(["a", "c", "d", "b"], used);
            Assert.Same(nodes["b"], used.Last);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void An_element_may_have_its_own_node(bool copies, bool dynamicCode)
    {
        var list = new Items { Name = "list" };
        for (int i = 0; i < 3; i++)
        {
            var item = new Item { Number = i };
            item.Node = list.AddLast(item);
            item.Next = item.Node.Previous;
        }

        foreach (object root in new object[] { list, list.First!, list.First!.Value, list.Last!, new object[] { list.Last!.Value, list } })
        {
            object back = Back(root, copies, dynamicCode);
            GraphAssert.Same(root, back, sharing: true);
            Items items = (Items)(back as LinkedList<Item> ?? (back as LinkedListNode<Item>)?.List ?? (back as Item)?.Node!.List
                ?? ((object[])back)[1]);
            Assert.Equal("list", items.Name);
            Assert.Equal([0, 1, 2], items.Select(item => item.Number));
            Assert.All(items, item => Assert.Same(item, item.Node!.Value));
            Assert.Same(items.First, items.First!.Value.Node);
            Assert.Same(items.First!.Next, items.First.Next!.Value.Node);
            Assert.Same(items.First, items.First.Next!.Value.Next);
        }
    }

    [Theory]
    [MemberData(nameof(Ways))]
    public void A_node_without_a_list_may_hold_itself(bool copies, bool dynamicCode)
    {
        var node = new LinkedListNode<object?>(null);
        node.Value = new object[] { node, 1 };

        LinkedListNode<object?> back = Back(node, copies, dynamicCode);

        Assert.Null(back.List);
        Assert.Same(back, Assert.IsType<object[]>(back.Value)[0]);
    }

    [Fact]
    public void Without_references_only_a_node_without_a_list_is_written()
    {
        var serializer = new Serializer();
        LinkedListNode<int> node = new LinkedList<int>([1]).First!;
        foreach (Action act in new Action[] { () => serializer.Serialize(node), () => serializer.Clone(node) })
        {
            Assert.Contains(
                "Set SerializerOptions.PreserveObjectReferences of the writer, or write its Value",
                Assert.Throws<UnsupportedTypeException>(act).Message,
                StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Equal_graphs_have_nodes_at_the_same_places()
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode: true);
        var equality = new GraphEquality(serializer);
        Func<int, object> graph = index =>
        {
            var list = new LinkedList<string>(["a", "a", "b"]);
            return new object[] { list, new[] { list.First!, list.First!.Next!, list.Last! }[index] };
        };
        for (int i = 0; i < 3; i++)
        {
            for (int j = 0; j < 3; j++)
            {
                Assert.Equal(i == j, equality.AreEqual(graph(i), graph(j)));
            }
        }

        Assert.False(equality.AreEqual(new LinkedList<string>(["a"]).First, new LinkedListNode<string>("a")));
    }

    [Fact]
    public void Many_nodes_take_less_time_than_looking_for_each_from_the_beginning()
    {
        const int Count = 48_000;
        TimeSpan crossing = Enumerable.Range(0, 3).Min(_ => Cross(Count));

        // Nodes that are counted once take a small part of it, and nodes that are each looked for at least as long.
        var list = new LinkedList<int>(Enumerable.Range(0, Count));
        long begin = Stopwatch.GetTimestamp();
        long places = 0;
        for (LinkedListNode<int>? node = list.First; node is not null; node = node.Next)
        {
            for (LinkedListNode<int>? before = node.Previous; before is not null; before = before.Previous)
            {
                places++;
            }
        }

        TimeSpan looking = Stopwatch.GetElapsedTime(begin);
        Assert.Equal((long)Count * (Count - 1) / 2, places);
        Assert.True(crossing < looking, $"{crossing} of {looking}");
    }

    [Fact]
    public void Places_that_no_list_has_are_refused()
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode: true);
        var list = new LinkedList<byte>([7, 8]);
        byte[] good = serializer.Serialize(new object[] { list.First!, list.Last! });
        Assert.Equal(2, ((object[])serializer.Deserialize<object>(good)!).Length);
        int first = Places(good, 0).Single(i => good.AsSpan(i, 4).SequenceEqual(new byte[4]));
        foreach ((int index, string reason) in new[]
        {
            (2, "it is node 2 of a list of 2"), (int.MaxValue, "of a list of 2"), (-2, "it is node -2 of a list of 2"),
            (-1, "it is node -1 of a list of 2"), (1, "another object is node 1 of its list, too"),
        })
        {
            byte[] crafted = [.. good];
            BitConverter.TryWriteBytes(crafted.AsSpan(first), index);
            var e = Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(crafted));
            Assert.Equal(WireFormatError.InvalidValue, e.Error);
            Assert.Contains(reason, e.Message, StringComparison.Ordinal);
        }

        static IEnumerable<int> Places(byte[] bytes, int value) =>
            Enumerable.Range(0, bytes.Length - 3).Where(i => BitConverter.ToInt32(bytes, i) == value);
    }

    [Fact]
    public void A_list_that_changes_meanwhile_is_an_error()
    {
        var list = new LinkedList<object>(["a", "b"]);
        var serializer = new Serializer(new SerializerOptions
        {
            PreserveObjectReferences = true,
            Surrogates = [Surrogate.Create<Changing, string>(value => value.Change(), _ => null!)],
        });
        object[] values = [list.First!, new Changing(list), list.Last!];
        Assert.Contains(
            "changed while it was written",
            Assert.ThrowsAny<InvalidOperationException>(() => serializer.Serialize(values)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void Its_parts_are_seen_without_its_type()
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode: true);
        byte[] bytes = serializer.Serialize<object>(new LinkedList<int>([5, 6]).Last!);

        PayloadNode root = PayloadDocument.Parse(bytes).Root;

        Assert.Equal(1, root["Index"].GetValue<int>());
        Assert.Equal(2, root["List"].Count);
    }

    [Fact]
    public void A_list_is_found_in_a_member_that_the_program_no_longer_has()
    {
        var options = new SerializerOptions { PreserveObjectReferences = true };
        var list = new LinkedList<Item>();
        for (int i = 0; i < 3; i++)
        {
            var item = new Item { Number = i };
            item.Node = list.AddLast(item);
        }

        var listed = new WithList { List = list, Nodes = [list.Last!, list.First!], Some = list.First!.Next!.Value };
        byte[] bytes = new Serializer(options).Serialize(listed);

        WithoutList back = new Serializer(options).Deserialize<WithoutList>(bytes)!;

        Assert.Equal([2, 0], back.Nodes!.Select(node => node.Value.Number));
        Assert.Same(back.Nodes![0].List, back.Nodes[1].List);
        Assert.Same(back.Some!.Node, back.Nodes[1].Next);
        Assert.Same(back.Some, back.Some.Node!.Value);
        Assert.Equal(3, back.Some.Node.List!.Count);
    }

    [Fact]
    public void A_program_in_the_middle_does_not_pass_on_nodes_of_a_list_that_it_changes()
    {
        var options = new SerializerOptions
        {
            PreserveObjectReferences = true,
            TypeFilter = WireTypeFilter.Default.Allow<Texts>(),
        };
        Serializer atEnds = new(options), inMiddle = new(options);
        var list = new LinkedList<string>(["a", "b"]);
        var items = new Texts(["c", "d"]);
        foreach (NewHolder sent in new[]
        {
            new NewHolder { Nodes = [list.Last!], List = list }, new NewHolder { Nodes = [items.Last!], List = items },
            new NewHolder { List = list, Others = [list.Last!] }, new NewHolder { List = items, Others = [items.Last!] },
        })
        {
            OldHolder old = inMiddle.Deserialize<OldHolder>(atEnds.Serialize(sent))!;
            old.List!.RemoveFirst();

            NewHolder back = atEnds.Deserialize<NewHolder>(inMiddle.Serialize(old))!;

            Assert.Single(back.List!);
            Assert.Null(back.Nodes ?? back.Others);
            Assert.Equal(sent.List!.GetType(), back.List!.GetType());
            Assert.Single(old.UnknownMembers!.Dropped);
        }

        // A list of its own is passed on with them.
        var whole = new NewHolder { Nodes = [list.Last!, list.First!], List = new(["e"]) };
        OldHolder kept = inMiddle.Deserialize<OldHolder>(atEnds.Serialize(whole))!;
        GraphAssert.Same(whole, atEnds.Deserialize<NewHolder>(inMiddle.Serialize(kept)), sharing: true);
    }

    // How long it takes to clone and compare so many nodes, in another order than that of the list, so that each is far from the last.
    private static TimeSpan Cross(int count)
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode: true);
        var cache = new Cache();
        for (int i = 0; i < count; i++)
        {
            cache.Add($"{i}");
        }

        var other = new Behind { Nodes = new(cache.Nodes.OrderBy(pair => pair.Key.GetHashCode(StringComparison.Ordinal))) };
        long begin = Stopwatch.GetTimestamp();
        Behind back = serializer.Clone(other);
        TimeSpan elapsed = Stopwatch.GetElapsedTime(begin);
        Assert.True(new GraphEquality(serializer).AreEqual(other, back));
        Assert.DoesNotContain(back.Nodes!, pair => pair.Key != pair.Value.Value);
        Assert.Equal(cache.Used, back.Nodes!["5"].List!);
        return elapsed;
    }

    private static T Back<T>(T value, bool copies, bool dynamicCode)
        where T : class
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode);
        GraphAssert.Same(value, serializer.DeserializeTyped<T>(serializer.SerializeTyped(value)), sharing: true);
        return copies ? serializer.Clone(value) : (T)serializer.Deserialize<object>(serializer.Serialize<object>(value))!;
    }

    /// <summary>The least recently used last; the nodes in front of their list.</summary>
    private sealed class Cache
    {
        public Dictionary<string, LinkedListNode<string>> Nodes { get; } = [];

        public LinkedList<string> Used { get; } = [];

        public void Add(string key) => Nodes.Add(key, Used.AddLast(key));

        public void Touch(string key)
        {
            Used.Remove(Nodes[key]);
            Used.AddFirst(Nodes[key]);
        }
    }

    private sealed class Behind
    {
        public LinkedList<string>? List { get; set; }

        public Dictionary<string, LinkedListNode<string>>? Nodes { get; set; }
    }

    private sealed class Item
    {
        public int Number { get; set; }

        public LinkedListNode<Item>? Node { get; set; }

        public LinkedListNode<Item>? Next { get; set; }
    }

    [WireName("Nodes.Listed")]
    private sealed class WithList
    {
        public LinkedList<Item>? List { get; set; }

        public LinkedListNode<Item>[]? Nodes { get; set; }

        public Item? Some { get; set; }
    }

    [WireName("Nodes.Listed")]
    private sealed class WithoutList
    {
        public LinkedListNode<Item>[]? Nodes { get; set; }

        public Item? Some { get; set; }
    }

    private sealed class Items : LinkedList<Item>
    {
        public string? Name { get; set; }
    }

    private sealed class Texts(IEnumerable<string> texts) : LinkedList<string>(texts);

    [WireName("Nodes.Holder")]
    private sealed class NewHolder
    {
        public LinkedListNode<string>[]? Nodes { get; set; }

        public LinkedList<string>? List { get; set; }

        public LinkedListNode<string>[]? Others { get; set; }
    }

    [WireName("Nodes.Holder")]
    private sealed class OldHolder : IUnknownMembers
    {
        public LinkedList<string>? List { get; set; }

        public UnknownMembers? UnknownMembers { get; set; }
    }

    private sealed class Changing(LinkedList<object> list)
    {
        public string Change()
        {
            list.RemoveFirst();
            list.AddFirst("c");
            return "";
        }
    }
}
