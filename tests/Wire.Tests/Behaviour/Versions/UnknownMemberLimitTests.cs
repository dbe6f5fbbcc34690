using Wire.Testing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>
/// Where unknown members end: shared objects, schemas that are fixed, bytes that mean nothing elsewhere, and hostile ones.
/// </summary>
public class UnknownMemberLimitTests
{
    // More often than a foreign schema is interpreted before it is compiled.
    private const int Messages = 14;

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void Shared_objects_stay_shared(bool dynamicCode, bool sessions)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, true, true, sessions);
        for (int i = 0; i < Messages; i++)
        {
            var money = new Newest.Currency { Code = "CHF" };
            money.Parent = new Newest.Currency { Parent = money };
            var other = new Newest.Tree { Name = "other", Money = money };
            var sent = new Newest.Tree { Name = "root", Owner = other, ParentOf = other, Children = [] };
            for (int n = 0; n < 6; n++)
            {
                sent.Children.Add(new Newest.Tree { Name = $"{n}", Owner = sent, Money = n == 5 ? money.Parent : money });
            }

            Newest.Tree received = road.Pass<Newest.Tree, Middle.Tree>(sent, tree =>
            {
                Assert.Empty(tree.UnknownMembers!.Dropped);
                Assert.All(tree.Children!, child => Assert.Empty(child.UnknownMembers!.Dropped));
                tree.ParentOf!.Name = "changed";
            });
            other.Name = "changed";
            road.AssertSame(sent, received);
            Assert.Same(received, received.Children![3].Owner);
            Assert.Same(received.ParentOf, received.Owner);
            Assert.Same(received.Children[0].Money, received.Children[1].Money);
            Assert.Same(received.Owner!.Money, received.Children[1].Money);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_collection_that_is_shared_with_a_known_member_is_dropped_by_name(bool dynamicCode)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, true, true, false);
        List<Newest.Tree> trees = [new()];
        var sent = new Newest.Tree { Name = "x", Children = trees, Extra = trees, Money = new Newest.Currency { Code = "CHF" } };
        for (int i = 0; i < Messages; i++)
        {
            Newest.Tree received = road.Pass<Newest.Tree, Middle.Tree>(sent, tree =>
            {
                Assert.Equal(["Extra"], tree.UnknownMembers!.Dropped);
                Assert.Equal(["Money", "Owner", "Shared"], tree.UnknownMembers.Names);
                Assert.Contains("Extra: dropped", tree.UnknownMembers.ToString(), StringComparison.Ordinal);
            });
            Assert.Null(received.Extra);
            Assert.Single(received.Children!);
            Assert.Equal("CHF", received.Money!.Code);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_collection_of_the_type_that_the_bytes_say_stays_shared(bool dynamicCode)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, true, true, false);
        int[] numbers = [1, 2, 3];
        var sent = new Newest.Tree { Name = "x", Shared = numbers, Zeros = numbers, Extra = numbers };
        for (int i = 0; i < Messages; i++)
        {
            Newest.Tree received = road.Pass<Newest.Tree, Middle.Tree>(sent, tree =>
            {
                Assert.Empty(tree.UnknownMembers!.Dropped);
                tree.Zeros![0] = 7;
            });
            Assert.Equal([7, 2, 3], received.Zeros!);
            Assert.Same(received.Zeros, received.Shared);
            Assert.Same(received.Zeros, received.Extra);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void An_object_whose_first_place_is_gone_is_refused_when_only_that_place_says_its_type(bool dynamicCode)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, true, true, false);
        var money = new Newest.Currency { Code = "CHF" };
        var sent = new Newest.Tree { Children = [new() { Name = "a", Money = money }, new() { Name = "b", Money = money }] };
        Middle.Tree tree = road.ReadInMiddle<Middle.Tree>(sent);
        tree.Children!.RemoveAt(0);
        ObjectGraphException e = Assert.Throws<ObjectGraphException>(() => road.InMiddle.Serialize(tree));
        Assert.Contains("UnknownMembers", e.Message, StringComparison.Ordinal);
        tree.Children[0].UnknownMembers = null;
        Assert.Equal("b", road.ReadAtEnd<Newest.Tree>(tree).Children![0].Name);
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void What_a_value_serializer_has_written_is_dropped_by_name(bool dynamicCode, bool references)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, references, references, false);
        var sent = new Newest.Framing { Id = 1, Text = "text", Value = new Write.Framed { X = 1 }, Values = [1, new Write.Framed()] };
        for (int i = 0; i < Messages; i++)
        {
            Newest.Framing received = road.Pass<Newest.Framing, Middle.Framing>(
                sent, middle => Assert.Equal(["Value", "Values"], middle.Kept()!.Dropped));
            Assert.Equal((1, "text"), (received.Id, received.Text));
            Assert.Null(received.Value);
            Assert.Null(received.Values);
        }
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void A_clone_has_the_same(bool dynamicCode, bool references)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, references, references, false);
        Newest.Order sent = Newest.Order.Sample();
        for (int i = 0; i < Messages; i++)
        {
            Middle.Order order = road.ReadInMiddle<Middle.Order>(sent);
            Middle.Order clone = road.InMiddle.Clone(order);
            Assert.NotSame(order, clone);
            Assert.Equal(order.UnknownMembers!.Names, clone.UnknownMembers!.Names);
            road.AssertSame(sent, road.ReadAtEnd<Newest.Order>(clone));
            // Both in one message are two objects, with nothing shared.
            List<Newest.Order> both = road.ReadAtEnd<List<Newest.Order>>(new List<Middle.Order> { order, clone });
            Assert.NotSame(both[0].Money, both[1].Money);
            Assert.True(new GraphEquality(road.InMiddle).AreEqual(order, clone));
            clone.UnknownMembers = null;
            Assert.False(new GraphEquality(road.InMiddle).AreEqual(order, clone));
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_fixed_schema_refuses_them(bool dynamicCode)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, false, false, false);
        Serializer exact = Setup.Closed(dynamicCode, o => o with { VersionTolerance = false });
        Middle.Order order = road.ReadInMiddle<Middle.Order>(Newest.Order.Sample());
        for (int i = 0; i < Messages; i++)
        {
            AssertRefused(() => road.InMiddle.SerializeTyped(order));
            AssertRefused(() => exact.Serialize(order));
            AssertRefused(() => exact.Serialize<object>(new object[] { order }));
            var bare = new Middle.Order { Id = i, Lines = [new Middle.Line()] };
            Assert.Equal(i, road.InMiddle.DeserializeTyped<Middle.Order>(road.InMiddle.SerializeTyped(bare))!.Id);
            Assert.Equal(i, exact.Deserialize<Middle.Order>(exact.Serialize(bare))!.Id);
        }
    }

    [Fact]
    public void Members_that_belong_to_another_class_are_refused()
    {
        var road = new UnknownMemberTests.Road(true, false, false, false);
        Middle.Order order = road.ReadInMiddle<Middle.Order>(Newest.Order.Sample());
        var wrong = new Middle.Framing();
        ((IUnknownMembers)wrong).UnknownMembers = order.UnknownMembers;
        Newest.Framing received = road.ReadAtEnd<Newest.Framing>(wrong);
        Assert.Equal("text 1", received.Text);
        var loop = new Middle.Clash { UnknownMembers = order.UnknownMembers };
        InvalidOperationException e = Assert.Throws<InvalidOperationException>(() => road.InMiddle.Serialize(loop));
        Assert.Contains("'Text'", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_value_type_cannot_keep_any()
    {
        UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize(default(Middle.Value)));
        Assert.Contains("value type", e.Message, StringComparison.Ordinal);
        Middle.Order order = new UnknownMemberTests.Road(true, false, false, false).ReadInMiddle<Middle.Order>(Newest.Order.Sample());
        Assert.Throws<UnsupportedTypeException>(() => new Serializer().Serialize<object>(order.UnknownMembers!));
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void They_are_kept_from_every_kind_of_input(bool dynamicCode, bool references)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, references, references, false);
        Newest.Order sent = Newest.Order.Sample();
        byte[] payload = road.Send(sent);
        for (int i = 0; i < Messages; i++)
        {
            foreach (Middle.Order? order in new[]
            {
                road.InMiddle.Deserialize<Middle.Order>(new SeekableStream(payload)),
                road.InMiddle.Deserialize<Middle.Order>(new TrickleStream(payload, 3)),
                road.InMiddle.Deserialize<Middle.Order>(Sequences.Chunked(payload, 1)),
                road.InMiddle.Deserialize<Middle.Order>(Sequences.Chunked(payload, 7)),
            })
            {
                road.AssertSame(sent, road.ReadAtEnd<Newest.Order>(order));
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_layout_that_leads_out_of_the_member_is_not_kept(bool dynamicCode)
    {
        // { A: int, B: a sequence of the members around it }, with A = 1, B = [{ A = 2, B = [] }].
        byte[] payload = new PayloadWriter().Byte(0x10)
            .Definition(typeof(Middle.Loop), schema => schema.Byte(0x44).Number(2).Name("A").Byte(0x15).Name("B").Byte(0x41, 0x45, 0))
            .Byte(1, 0, 0, 0, 1, 2, 0, 0, 0, 0).Bytes;
        Serializer serializer = Setup.Serializer(dynamicCode);
        Middle.Loop loop = serializer.Deserialize<Middle.Loop>(payload)!;
        Assert.Equal(1, loop.A);
        Assert.Equal(["B"], loop.UnknownMembers!.Dropped);
        Assert.Empty(loop.UnknownMembers.Names);
        Assert.Equal(serializer.Serialize(new Middle.Loop { A = 1 }), serializer.Serialize(loop));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Bytes_that_end_or_change_anywhere_are_refused_or_passed_on(bool references)
    {
        var road = new UnknownMemberTests.Road(false, references, references, false);
        byte[] payload = road.Send(Newest.Order.Sample());
        for (int i = 1; i < payload.Length; i++)
        {
            Assert.Throws<WireFormatException>(() => road.InMiddle.Deserialize<Middle.Order>(payload.AsSpan(0, i)));
            byte[] damaged = [.. payload];
            damaged[i] ^= 0x41;
            PassOn(road, damaged);
        }
    }

    // What the middle passes on can be passed over by the next program.
    private static void PassOn(UnknownMemberTests.Road road, byte[] payload)
    {
        Middle.Order? order;
        try
        {
            order = road.InMiddle.Deserialize<Middle.Order>(payload);
        }
        catch (Exception e) when (e is WireFormatException or TypeRefusedException)
        {
            return;
        }

        byte[] next;
        try
        {
            next = road.InMiddle.Serialize(order);
        }
        catch (ObjectGraphException)
        {
            return;
        }

        Assert.Equal(order?.Id, road.InMiddle.Deserialize<Middle.Order>(next)?.Id);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_message_that_fails_leaves_the_session_as_it_was(bool dynamicCode)
    {
        var road = new UnknownMemberTests.Road(dynamicCode, true, true, true);
        for (int i = 0; i < Messages; i++)
        {
            var money = new Newest.Currency { Code = "CHF" };
            var sent = new Newest.Tree
            {
                Extra = new List<object> { new Newest.Unit { Digits = i }, new Newest.Plain() },
                Children = [new() { Name = "a", Money = money }, new() { Name = "b", Money = money, Extra = new Newest.Plain() }],
            };
            Middle.Tree tree = road.ReadInMiddle<Middle.Tree>(sent);
            Middle.Tree first = tree.Children![0];
            tree.Children.RemoveAt(0);
            Assert.Throws<ObjectGraphException>(() => road.Passed(tree));
            tree.Children.Insert(0, first);
            road.AssertSame(sent, road.ReadAtEnd<Newest.Tree>(tree));
        }
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public void Any_depth_within_the_limit_is_kept_on_a_small_stack(bool dynamicCode, bool references)
    {
        Newest.Currency? chain = null;
        for (int i = 0; i < 450; i++)
        {
            chain = new Newest.Currency { Digits = i, Parent = chain };
        }

        var road = new UnknownMemberTests.Road(dynamicCode, references, references, false);
        var sent = new Newest.Tree { Money = chain };
        Setup.OnSmallStack(
            () => road.AssertSame(
                sent, road.Pass<Newest.Tree, Middle.Tree>(sent, tree => Assert.Empty(tree.UnknownMembers!.Dropped))),
            256);
    }

    [Fact]
    public void They_count_as_memory_of_the_message()
    {
        var road = new UnknownMemberTests.Road(true, false, false, false);
        Newest.Order sent = Newest.Order.Sample();
        sent.Text = new string('x', 100_000);
        byte[] payload = road.Send(sent);
        Serializer small = new(road.InMiddle.Options with { Limits = Limits.Default with { MaxAllocation = 50_000 } });
        WireFormatException e = Assert.Throws<WireFormatException>(() => small.Deserialize<Middle.Order>(payload));
        Assert.Equal(WireFormatError.Limit, e.Error);
    }

    private static void AssertRefused(Action write) =>
        Assert.Contains("unknown members", Assert.Throws<ObjectGraphException>(write).Message, StringComparison.Ordinal);
}
