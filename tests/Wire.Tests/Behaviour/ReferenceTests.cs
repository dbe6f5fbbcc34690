using Wire.Comparing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>Shared objects, cycles and identity.</summary>
public class ReferenceTests
{
    public static TheoryData<bool> Twins => [true, false];

    [Theory]
    [MemberData(nameof(Twins))]
    public void Shared_objects_come_back_shared(bool dynamicCode)
    {
        var leaf = new Leaf { Id = 1 };
        object[] copy = Setup.WithReferences(dynamicCode).RoundTrip<object[]>([leaf, leaf, new Box<object> { Value = leaf }]);
        Assert.Same(copy[0], copy[1]);
        Assert.Same(copy[0], ((Box<object>)copy[2]).Value);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Without_the_option_shared_objects_are_copied(bool dynamicCode)
    {
        var leaf = new Leaf { Id = 1 };
        object[] copy = Setup.Serializer(dynamicCode).RoundTrip<object[]>([leaf, leaf]);
        Assert.NotSame(copy[0], copy[1]);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Cycles_come_back_as_cycles(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        var self = new Node { Value = 3 };
        self.Next = self;
        self.Extra = self;
        Node copy = serializer.RoundTrip(self);
        Assert.Same(copy, copy.Next);
        Assert.Same(copy, copy.Extra);

        var first = new Node { Value = 1, Next = new Node { Value = 2 } };
        first.Next.Next = first;
        copy = serializer.RoundTrip(first);
        Assert.Equal(2, copy.Next!.Value);
        Assert.Same(copy, copy.Next.Next);
        Assert.Same(serializer.CopyBothWays(first).GetType(), typeof(Node));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Typed_roots_keep_cycles(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        var node = new Node();
        node.Next = node;
        Node copy = serializer.DeserializeTyped<Node>(serializer.SerializeTyped(node))!;
        Assert.Same(copy, copy.Next);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Collections_take_part_in_cycles(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        var list = new List<object>();
        list.Add(list);
        list = serializer.RoundTrip(list);
        Assert.Same(list, list[0]);

        object[] array = new object[2];
        array[1] = array;
        array = serializer.RoundTrip(array);
        Assert.Same(array, array[1]);

        var map = new Dictionary<string, object>();
        map["itself"] = map;
        map = serializer.RoundTrip(map);
        Assert.Same(map, map["itself"]);

        object[,] grid = new object[1, 2];
        grid[0, 1] = grid;
        grid = serializer.RoundTrip(grid);
        Assert.Same(grid, grid[0, 1]);

        Node[] nodes = [new Node()];
        nodes[0].Extra = nodes;
        nodes = serializer.RoundTrip(nodes);
        Assert.Same(nodes, nodes[0].Extra);

        var set = new HashSet<object>(1);
        set.Add(new Box<object> { Value = set });
        set = serializer.RoundTrip(set);
        Assert.Same(set, Assert.IsType<Box<object>>(Assert.Single(set)).Value);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Collections_are_shared_too(bool dynamicCode)
    {
        int[] numbers = [1, 2];
        var bag = new Bag { Things = [numbers, numbers, new List<int> { 1 }] };
        Bag copy = Setup.WithReferences(dynamicCode).RoundTrip(bag);
        Assert.Same(copy.Things![0], copy.Things[1]);
        GraphAssert.Same(bag, copy, sharing: true);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Boxes_of_value_types_are_objects(bool dynamicCode)
    {
        object box = new Rich { Label = "once", Any = new Leaf() };
        object[] copy = Setup.WithReferences(dynamicCode).RoundTrip<object[]>([box, new Box<object> { Value = box }, box]);
        Assert.Same(copy[0], copy[2]);
        Assert.Same(copy[0], ((Box<object>)copy[1]).Value);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_box_that_contains_itself_is_a_clear_error(bool dynamicCode)
    {
        var inner = new object[1];
        object box = new Rich { Any = inner };
        inner[0] = box;
        Serializer serializer = Setup.WithReferences(dynamicCode);
        byte[] payload = serializer.Serialize(box);
        var error = Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(payload));
        Assert.Equal(WireFormatError.Reference, error.Error);
        Assert.Contains("Any", error.MemberPath, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_value_type_at_the_root_takes_its_number(bool dynamicCode)
    {
        var leaf = new Leaf { Id = 4 };
        var rich = new Rich { Any = leaf, Inner = [new Rich { Any = leaf }] };
        Rich copy = Setup.WithReferences(dynamicCode).RoundTrip(rich);
        Assert.Same(copy.Any, copy.Inner![0].Any);
        Rich? maybe = Setup.WithReferences(dynamicCode).RoundTrip<Rich?>(rich);
        Assert.Same(maybe!.Value.Any, maybe.Value.Inner![0].Any);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Identity_is_the_reference_and_never_Equals(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        var hostile = new HostileEquality { Id = 1, Other = new HostileEquality { Id = 2 } };
        hostile.Other.Other = hostile;
        HostileEquality copy = serializer.RoundTrip(hostile);
        Assert.True(ReferenceEquals(copy, copy.Other!.Other));
        Assert.Equal(2, copy.Other.Id);

        AllEqual[] twins = serializer.RoundTrip<AllEqual[]>([new AllEqual { Id = 1 }, new AllEqual { Id = 2 }]);
        Assert.Equal([1, 2], twins.Select(t => t.Id));
        Assert.False(ReferenceEquals(twins[0], twins[1]));
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Thousands_of_objects_keep_their_numbers(bool dynamicCode)
    {
        Leaf[] leaves = [.. Enumerable.Range(0, 5000).Select(i => new Leaf { Id = i })];
        object[] all = [.. leaves, .. leaves.Reverse()];
        object[] copy = Setup.WithReferences(dynamicCode).RoundTrip(all);
        for (int i = 0; i < leaves.Length; i++)
        {
            Assert.Equal(i, ((Leaf)copy[i]).Id);
            Assert.Same(copy[i], copy[^(i + 1)]);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Surrogates_keep_identity(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with
        {
            PreserveObjectReferences = true,
            Surrogates = [Surrogate.Create<Leaf, string>(leaf => leaf.Text!, text => new Leaf { Text = text })],
        });
        var leaf = new Leaf { Text = "stands" };
        object[] copy = serializer.RoundTrip<object[]>([leaf, new Bag { Leaf = leaf }, leaf, new Leaf { Text = "apart" }]);
        Assert.Equal("stands", Assert.IsType<Leaf>(copy[0]).Text);
        Assert.Same(copy[0], copy[2]);
        Assert.Same(copy[0], ((Bag)copy[1]).Leaf);
        Assert.NotSame(copy[0], copy[3]);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_reader_follows_the_payload_and_not_its_own_option(bool dynamicCode)
    {
        var leaf = new Leaf();
        byte[] payload = Setup.WithReferences(dynamicCode).Serialize<object[]>([leaf, leaf]);
        object[] copy = Setup.Serializer(dynamicCode).Deserialize<object[]>(payload)!;
        Assert.Same(copy[0], copy[1]);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Without_the_option_a_cycle_names_the_members(bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode);
        var node = new Node { Next = new Node() };
        node.Next.Extra = new object[] { 1, node };
        var error = Assert.Throws<ObjectGraphException>(() => serializer.Serialize(node));
        Assert.StartsWith("Next.Extra[1].Next.Extra[1]", error.MemberPath, StringComparison.Ordinal);
        Assert.Contains(nameof(SerializerOptions.PreserveObjectReferences), error.Message, StringComparison.Ordinal);
        Assert.Contains(error.MemberPath, error.Message, StringComparison.Ordinal);

        // The serializer is as usable as before.
        Assert.Equal(5, serializer.RoundTrip(new Node { Value = 5 }).Value);
    }
}
