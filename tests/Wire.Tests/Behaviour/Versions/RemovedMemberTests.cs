using Wire.Comparing;
using Wire.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>Members that the reader no longer has, and that hold what kept ones share: it is read from where it lies.</summary>
public sealed class RemovedMemberTests
{
    private static class Written
    {
        [WireName("Removed.Store")]
        public sealed class Store
        {
            public object? Archive;
            public object? Current;
            public List<Thing>? Kept;
            public object? Last;
            public Dictionary<string, Thing>? OldMap;
            public Dictionary<string, Thing>? ZMap;
        }

        [WireName("Removed.Thing")]
        public class Thing
        {
            public object? Before;
            public string? Name;
            public Thing? Next;
            public object? Tail;
        }

        [WireName("Removed.Gone")]
        public sealed class Gone
        {
            public Thing? Inner;
            public object? More;
        }
    }

    private static class Kept
    {
        [WireName("Removed.Store")]
        public sealed class Store
        {
            public object? Current;
            public List<Thing>? Kept;
            public object? Last;
            public Dictionary<string, Thing>? ZMap;
        }

        [WireName("Removed.Thing")]
        public class Thing
        {
            public string? Name;
            public Thing? Next;
            public object? Tail;
        }
    }

    public static TheoryData<bool, string> Sources
    {
        get
        {
            var data = new TheoryData<bool, string>();
            foreach (string source in (string[])["span", "sequence", "stream", "frame", "session"])
            {
                data.Add(true, source);
                data.Add(false, source);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void What_a_removed_list_shares_with_a_kept_member_is_read_from_there(bool dynamicCode, string source)
    {
        var thing = new Written.Thing { Name = "s" };
        var store = new Written.Store
        {
            Archive = new List<object> { new Written.Thing { Name = "other" }, thing },
            Current = thing,
            Last = new object?[] { thing, null },
        };
        Kept.Store copy = Read(store, dynamicCode, source);
        Assert.Equal("s", Assert.IsType<Kept.Thing>(copy.Current).Name);
        Assert.Same(copy.Current, ((object[])copy.Last!)[0]);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Types_that_are_gone_are_passed_over_around_what_is_not(bool dynamicCode, string source)
    {
        var inner = new Written.Thing { Name = "inner", Next = new Written.Thing { Name = "next" } };
        var gone = new Written.Gone { Inner = inner, More = new Written.Gone { More = inner.Next } };
        Kept.Store copy = Read(new Written.Store { Archive = gone, Current = inner.Next, Last = inner }, dynamicCode, source);
        var last = Assert.IsType<Kept.Thing>(copy.Last);
        Assert.Equal(("inner", "next"), (last.Name, last.Next!.Name));
        Assert.Same(copy.Current, last.Next);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void A_part_that_is_referred_to_first_is_the_same_when_the_whole_is(bool dynamicCode, string source)
    {
        // Current leads to the end of a chain, Last to its beginning, and the chain leads back to the store.
        var store = new Written.Store();
        var end = new Written.Thing { Name = "end", Tail = store };
        var middle = new Written.Thing { Name = "middle", Next = end, Before = new object[] { new Written.Gone { Inner = end } } };
        var begin = new Written.Thing { Name = "begin", Next = middle, Tail = new object[] { end, middle } };
        end.Before = begin;
        store.Archive = begin;
        store.Current = end;
        store.Last = new object[] { begin, middle };
        Kept.Store copy = Read(store, dynamicCode, source);
        var first = (Kept.Thing)((object[])copy.Last!)[0];
        Assert.Equal(("begin", "middle", "end"), (first.Name, first.Next!.Name, first.Next.Next!.Name));
        Assert.Same(copy.Current, first.Next.Next);
        Assert.Same(first.Next, ((object[])copy.Last)[1]);
        Assert.Same(copy.Current, ((object[])first.Tail!)[0]);
        Assert.Same(first.Next, ((object[])first.Tail)[1]);
        Assert.Same(copy, first.Next.Next.Tail);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Collections_boxes_and_arrays_are_shared_too(bool dynamicCode, string source)
    {
        object box = new Point { X = 3 };
        int[] numbers = [1, 2, 3];
        int[,] grid = { { 1 }, { 2 } };
        var plain = new object();
        var list = new List<Point> { new() { X = 4 } };
        object[] all = [box, numbers, grid, plain, list];
        object[] reversed = [list, plain, grid, numbers, box];
        Kept.Store copy = Read(
            new Written.Store { Archive = new object[] { "before", all, 5 }, Current = reversed, Last = all }, dynamicCode, source);
        GraphAssert.Same(all, copy.Last, sharing: true);
        Assert.Equal((object[])copy.Last!, ((object[])copy.Current!).Reverse(), ReferenceEqualityComparer.Instance);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void A_collection_of_the_declared_type_is_read_as_that_of_the_variable(bool dynamicCode, string source)
    {
        var map = new Dictionary<string, Written.Thing>(StringComparer.OrdinalIgnoreCase) { ["A"] = new() { Name = "a" } };
        Kept.Store copy = Read(new Written.Store { OldMap = map, ZMap = map }, dynamicCode, source);
        Assert.Equal("a", copy.ZMap!["a"].Name);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void What_the_bytes_do_not_say_the_type_of_is_refused(bool dynamicCode, string source)
    {
        // The list is of the type that its member declared; a variable of type object does not say which that was.
        var inner = new List<Written.Thing> { new() { Name = "a" } };
        var store = new Written.Store { Current = new Old { Inner = inner }, Last = inner };
        var error = Assert.Throws<WireFormatException>(() => Read(store, dynamicCode, source));
        Assert.Equal((WireFormatError.Reference, "Last"), (error.Error, error.MemberPath));
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void What_lies_around_an_object_says_its_type(bool dynamicCode, string source)
    {
        // The list is that of a member; the thing in it is there once, with whatever leads to it.
        var thing = new Written.Thing { Name = "deep" };
        var inner = new Written.Store { Kept = [thing, thing] };
        object[] both = [inner, thing];
        var outer = new Written.Store { Archive = new object[] { inner, thing }, Current = inner.Kept, Last = both };
        Kept.Store copy = Read(outer, dynamicCode, source);
        var list = Assert.IsType<List<Kept.Thing>>(copy.Current);
        Assert.Equal("deep", list[0].Name);
        Assert.Same(list[0], list[1]);
        Assert.Same(list, ((Kept.Store)((object[])copy.Last!)[0]).Kept);
        Assert.Same(list[0], ((object[])copy.Last!)[1]);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void What_a_value_serializer_wrote_is_read_where_it_stands_or_not_at_all(bool dynamicCode, string source)
    {
        // The frame defines types under identifiers that are given again behind it, to the types of what is current.
        object[] archive = ["a", new Framed { Inside = new Box<Leaf> { Value = new Leaf { Id = 5 } } }, new Written.Thing { Name = "t" }];
        object[] current = [new Cat { Name = "c" }, new Dog { Name = "d" }, new Box<Point> { Value = new Point { X = 6 } }];
        object[] behind = [archive[2], new Cat { Name = "e" }, new Dog { Name = "f" }, new Box<Point>()];
        Kept.Store copy = Read(new Written.Store { Archive = archive, Current = current, Last = behind }, dynamicCode, source);
        object[] last = (object[])copy.Last!;
        Assert.Equal("t", Assert.IsType<Kept.Thing>(last[0]).Name);
        Assert.Equal("e", Assert.IsType<Cat>(last[1]).Name);
        Assert.Equal("f", Assert.IsType<Dog>(last[2]).Name);
        Assert.IsType<Box<Point>>(last[3]);
        GraphAssert.Same(current, copy.Current, sharing: true);

        // What holds a frame, and what is referred to from inside of one.
        Refuses(new Written.Store { Archive = archive, Current = current, Last = archive });
        Refuses(new Written.Store { Archive = archive, Current = current, Last = new object[] { 1, archive[1], new Cat() } });
        object[] inside = [new Dog(), archive[2], new Cat()];
        Refuses(new Written.Store { Archive = archive, Current = current, Last = new Framed { Inside = inside } });

        void Refuses(Written.Store store) => Assert.Equal(
            WireFormatError.Reference, Assert.Throws<WireFormatException>(() => Read(store, dynamicCode, source)).Error);
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void A_frame_in_a_member_that_is_removed_from_what_is_read_again_is_passed_over(bool dynamicCode, string source)
    {
        var thing = new Written.Thing { Before = new object[] { new Framed { Inside = new Box<Leaf>() }, new Cat() }, Name = "t" };
        thing.Tail = new object[] { new Dog { Name = "d" }, thing };
        var store = new Written.Store { Archive = new object[] { thing }, Current = thing, Last = new object[] { new Cat(), new Dog() } };
        Kept.Store copy = Read(store, dynamicCode, source);
        object[] tail = (object[])Assert.IsType<Kept.Thing>(copy.Current).Tail!;
        Assert.Equal("d", Assert.IsType<Dog>(tail[0]).Name);
        Assert.Same(copy.Current, tail[1]);
        Assert.Equal([typeof(Cat), typeof(Dog)], ((object[])copy.Last!).Select(item => item.GetType()));
    }

    private sealed class Framed
    {
        public object? Inside;
    }

    private sealed class FramedSerializer : ValueSerializer<Framed>
    {
        public override void Write(ref WireWriter writer, Framed value) => writer.WriteValue(value.Inside);

        public override Framed Read(ref WireReader reader) => new() { Inside = reader.ReadValue<object?>() };
    }

    [WireName("Removed.Old")]
    private sealed class Old
    {
        public List<Written.Thing>? Inner;
        public int Kept;
    }

    [WireName("Removed.Old")]
    private sealed class New
    {
        public int Added;
        public int Kept;
    }

    [WireName("Removed.Sealed")]
    private sealed class Sealed
    {
        public int Number;
    }

    [WireName("Removed.Pair")]
    private sealed class OldPair
    {
        public Sealed? First;
        public Sealed? Second;
        public object? Third;
    }

    [WireName("Removed.Pair")]
    private sealed class NewPair
    {
        public Sealed? Second;
        public object? Third;
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_sealed_class_is_known_by_its_variable(bool dynamicCode)
    {
        var one = new Sealed { Number = 5 };
        Serializer writer = Writer(dynamicCode);
        Serializer reader = Setup.Serializer(dynamicCode, o => o with { TypeFilter = WireTypeFilter.Default });
        var copy = reader.Deserialize<NewPair>(writer.Serialize(new OldPair { First = one, Second = one, Third = one }))!;
        Assert.Equal(5, copy.Second!.Number);
        Assert.Same(copy.Second, copy.Third);
        byte[] unknown = writer.Serialize(new OldPair { First = one, Third = one });
        var error = Assert.Throws<WireFormatException>(() => reader.Deserialize<NewPair>(unknown));
        Assert.Equal((WireFormatError.Reference, "Third"), (error.Error, error.MemberPath));
    }

    [Theory]
    [MemberData(nameof(Sources))]
    public void Types_that_are_not_allowed_stay_so(bool dynamicCode, string source)
    {
        var gone = new Written.Gone { More = 5 };
        Assert.Throws<TypeRefusedException>(() => Read(new Written.Store { Archive = gone, Current = gone }, dynamicCode, source));
    }

    [Fact]
    public void Deep_and_many_removed_objects_cost_what_their_bytes_cost()
    {
        // Each thing leads back to the one before it, and all are removed but the last.
        Serializer writer = Writer(true);
        var things = new List<object>();
        Written.Thing? before = null;
        for (int i = 0; i < 300; i++)
        {
            things.Add(before = new Written.Thing { Name = "t" + i, Next = before, Before = new object[] { new object(), i } });
        }

        Kept.Store copy = Reader(true).Deserialize<Kept.Store>(writer.Serialize(new Written.Store { Archive = things, Last = before }))!;
        int count = 0;
        for (var thing = (Kept.Thing?)copy.Last; thing is not null; thing = thing.Next)
        {
            Assert.Equal("t" + (299 - count++), thing.Name);
        }

        Assert.Equal(300, count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_message_behind_another_reads_its_own(bool dynamicCode)
    {
        Serializer writer = Writer(dynamicCode);
        Serializer reader = Reader(dynamicCode);
        using SerializerSession writing = writer.GetSerializerSession();
        using DeserializerSession reading = reader.GetDeserializerSession();
        for (int i = 0; i < 12; i++)
        {
            var thing = new Written.Thing { Name = "n" + i };
            byte[] message = writer.Serialize(new Written.Store { Archive = new object[] { thing }, Current = thing }, writing);
            Assert.Equal("n" + i, ((Kept.Thing)reader.Deserialize<Kept.Store>(message, reading)!.Current!).Name);
        }
    }

    private static Serializer Writer(bool dynamicCode) => Setup.Closed(dynamicCode, o => o with
    {
        PreserveObjectReferences = true,
        ValueSerializerFactories = [ValueSerializerFactory.For(new FramedSerializer())],
    });

    private static Serializer Reader(bool dynamicCode) => Setup.Serializer(dynamicCode, o => o with
    {
        TypeFilter = WireTypeFilter.Default.Allow<Kept.Store>().Allow<Kept.Thing>().Allow<Point>().Allow<New>()
            .Allow<Framed>().Allow(typeof(Box<>)).Allow<Leaf>().Allow<Cat>().Allow<Dog>(),
        ValueSerializerFactories = [ValueSerializerFactory.For(new FramedSerializer())],
    });

    private static Kept.Store Read(Written.Store store, bool dynamicCode, string source)
    {
        Serializer writer = Writer(dynamicCode);
        Serializer reader = Reader(dynamicCode);
        if (source == "session")
        {
            using SerializerSession writing = writer.GetSerializerSession();
            using DeserializerSession reading = reader.GetDeserializerSession();
            return reader.Deserialize<Kept.Store>(writer.Serialize(store, writing), reading)!;
        }

        byte[] payload = writer.Serialize(store);
        byte[] frame = [.. BitConverter.GetBytes(payload.Length), .. payload];
        if (source == "stream")
        {
            var stream = new MemoryStream([1, 2, .. payload, 3]) { Position = 2 };
            Kept.Store copy = reader.Deserialize<Kept.Store>(stream)!;
            Assert.Equal(stream.Length - 1, stream.Position);
            return copy;
        }

        return source switch
        {
            "span" => reader.Deserialize<Kept.Store>(payload)!,
            "sequence" => reader.Deserialize<Kept.Store>(Fragments.Every(payload, 3))!,
            _ => reader.DeserializeFramedAsync<Kept.Store>(new MemoryStream(frame)).AsTask().GetAwaiter().GetResult()!,
        };
    }
}
