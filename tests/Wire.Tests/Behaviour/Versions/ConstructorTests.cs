using System.Runtime.Serialization;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>Objects that are made by their constructors, because their payload lacks members.</summary>
public sealed class ConstructorTests
{
    [ThreadStatic]
    private static int _calls;

    [ThreadStatic]
    private static Exception? _thrown;

    public static TheoryData<bool, bool> Twins => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    [Theory]
    [MemberData(nameof(Twins))]
    public void What_initializers_set_stays_in_what_the_payload_lacks(bool dynamicCode, bool references)
    {
        (Serializer writer, Serializer reader) = Pair<Old, New>(dynamicCode, references);
        byte[] bytes = writer.Serialize(new Old { Shared = 4, Text = "t" });
        for (int i = 0; i < 3; i++)
        {
            New read = reader.Deserialize<New>(bytes)!;
            Assert.Equal((4, "t", "EUR", 1.5m), (read.Shared, read.Text, read.Currency, read.Rate));
            Assert.Equal(["a"], read.Tags);
            Compiled.Once(writer, reader, new Old { Shared = 5, Text = "other" });
        }

        // Each object has its own.
        New[] many = reader.Deserialize<object[]>(writer.Serialize(new object[] { new Old(), new Old() }))!.Cast<New>().ToArray();
        Assert.NotSame(many[0].Tags, many[1].Tags);
        Assert.Null(many[0].Text);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_payload_with_all_members_and_options_without_it_run_no_constructor(bool dynamicCode, bool references)
    {
        (Serializer writer, Serializer reader) = Pair<OldCounted, Counted>(dynamicCode, references);
        _calls = 0;
        byte[] all = reader.Serialize(new Counted { Shared = 1, Added = 2 });
        Assert.Equal(1, _calls);
        _calls = 0;
        for (int i = 0; i < 5; i++)
        {
            Assert.Equal(2, reader.Deserialize<Counted>(all)!.Added);
        }

        // A schema that lacks nothing, and has more.
        (Serializer larger, _) = Pair<Larger, Counted>(dynamicCode, references);
        Assert.Equal(4, reader.Deserialize<Counted>(larger.Serialize(new Larger { Shared = 3, Added = 4, More = 5 }))!.Added);
        byte[] less = writer.Serialize(new OldCounted { Shared = 6 });
        var off = new Serializer(reader.Options with { UseConstructors = false });
        Assert.Equal((6, 0), (off.Deserialize<Counted>(less)!.Shared, off.Deserialize<Counted>(less)!.Added));
        Assert.Equal(0, _calls);
        for (int i = 1; i < 10; i++)
        {
            Assert.Equal(9, reader.Deserialize<Counted>(less)!.Added);
            Assert.Equal(i, _calls);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Structs_have_constructors_too_and_a_struct_in_an_object_is_replaced_as_a_whole(bool dynamicCode, bool references)
    {
        (Serializer writer, Serializer reader) = Pair<OldOuter, Outer>(dynamicCode, references);
        var old = new OldOuter
        {
            Made = new OldPoint { X = 1 },
            Plain = new OldPoint { X = 2 },
            List = [default],
            Array = [new() { X = 3 }],
        };
        byte[] bytes = writer.Serialize(old);
        for (int i = 0; i < 3; i++)
        {
            Outer read = reader.Deserialize<Outer>(bytes)!;
            Assert.Equal((1, 7), (read.Made.X, read.Made.Y));
            Assert.Equal((2, 0), (read.Plain.X, read.Plain.Y));
            Assert.Equal("set", read.Added);
            Assert.Equal((0, 7), (read.List![0].X, read.List[0].Y));
            Assert.Equal((3, 7), (read.Array![0].X, read.Array[0].Y));
            Assert.Null(read.Maybe);
            Compiled.Once(writer, reader, old);
        }

        (writer, reader) = Pair<OldPoint, Point>(dynamicCode, references);
        Assert.Equal(7, reader.Deserialize<Point>(writer.Serialize(new OldPoint { X = 1 })).Y);
        Assert.Equal(7, reader.Deserialize<Point[]>(writer.Serialize(new OldPoint[] { new() { X = 1 } }))![0].Y);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void What_a_constructor_throws_comes_out_as_it_is(bool dynamicCode, bool references)
    {
        (Serializer writer, Serializer reader) = Pair<OldCounted, Counted>(dynamicCode, references);
        byte[] bytes = writer.Serialize(new OldCounted { Shared = 6 });
        for (int i = 0; i < 3; i++)
        {
            _thrown = new InvalidOperationException("mine");
            Assert.Same(_thrown, Record.Exception(() => reader.Deserialize<Counted>(bytes)));
            Exception inside = Record.Exception(() => reader.Deserialize<object[]>(writer.Serialize(new object[] { new OldCounted() })))!;
            Assert.Same(_thrown, inside);
            Assert.Equal("[0]", inside.Data[Serializer.MemberPathKey]);
            _thrown = null;
            Assert.Equal(9, reader.Deserialize<Counted>(bytes)!.Added);
            Compiled.Once(writer, reader, new OldCounted { Shared = 6 });
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Callbacks_run_behind_the_constructor(bool dynamicCode, bool references)
    {
        (Serializer writer, Serializer reader) = Pair<OldCounted, Calling>(dynamicCode, references, useCallbacks: true);
        byte[] bytes = writer.Serialize(new OldCounted { Shared = 6 });
        for (int i = 0; i < 3; i++)
        {
            Calling read = reader.Deserialize<Calling>(bytes)!;
            Assert.Equal("constructor, deserializing 0, deserialized 6", read.Log);
            Compiled.Once(writer, reader, new OldCounted { Shared = 6 });
        }

        (writer, reader) = Pair<OldCounted, CallingStruct>(dynamicCode, references, useCallbacks: true);
        Assert.Equal("constructor, deserializing 0, deserialized 6", reader.Deserialize<CallingStruct>(bytes).Log);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Where_no_constructor_may_be_called_objects_are_made_without(bool dynamicCode, bool references)
    {
        Check<Hidden>();
        Check<Positional>();
        Check<Bag>();
        Check<Failure>();

        void Check<T>()
            where T : class, IAdded
        {
            (Serializer writer, Serializer reader) = Pair<OldCounted, T>(dynamicCode, references);
            T read = reader.Deserialize<T>(writer.Serialize(new OldCounted { Shared = 6 }))!;
            Assert.Equal(0, read.Added);
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void Objects_that_the_constructor_made_are_replaced_by_those_of_the_payload(bool dynamicCode, bool references)
    {
        (Serializer writer, Serializer reader) = Pair<OldNode, Node>(dynamicCode, references);
        byte[] bytes = writer.Serialize(new OldNode { Next = new OldNode() });
        for (int i = 0; i < 3; i++)
        {
            Node read = reader.Deserialize<Node>(bytes)!;
            Assert.Null(read.Next!.Next);
            Assert.Equal((8, 8), (read.Added, read.Next.Added));
            Compiled.Once(writer, reader, new OldNode { Next = new OldNode() });
        }

        if (references)
        {
            var circle = new OldNode();
            circle.Next = circle;
            Node read = reader.Deserialize<Node>(writer.Serialize(circle))!;
            Assert.Same(read, read.Next);
        }
    }

    private static (Serializer Writer, Serializer Reader) Pair<TFrom, TTo>(
        bool dynamicCode, bool references, bool useCallbacks = false) => (
        Setup.Serializer(dynamicCode, o => o with
        {
            TypeAliases = TypeAliases.None.Alias<TFrom>("it"),
            PreserveObjectReferences = references,
        }),
        Setup.Serializer(dynamicCode, o => o with
        {
            TypeAliases = TypeAliases.None.Alias<TTo>("it"),
            PreserveObjectReferences = references,
            UseConstructors = true,
            UseSerializationCallbacks = useCallbacks,
        }));

    private interface IAdded
    {
        int Added { get; }
    }

    private sealed class Old
    {
        public int Shared;
        public string? Text;
    }

    private sealed class New
    {
        public int Shared;
        public string? Text = "initial";

        public string Currency { get; init; } = "EUR";

        public decimal Rate { get; set; } = 1.5m;

        public List<string> Tags { get; } = ["a"];
    }

    private sealed class OldCounted
    {
        public int Shared;
    }

    private sealed class Larger
    {
        public int Shared;
        public int Added;
        public int More;
    }

    private sealed class Counted
    {
        public int Shared;
        public int Added = 9;

        public Counted()
        {
            _calls++;
            if (_thrown is not null)
            {
                throw _thrown;
            }
        }
    }

    private struct OldPoint
    {
        public int X;
    }

    private struct Point
    {
        public int X;
        public int Y;

        public Point() => (X, Y) = (6, 7);
    }

    private struct PlainPoint
    {
        public int X;
        public int Y;
    }

    private sealed class OldOuter
    {
        public OldPoint Made;
        public OldPoint Plain;
        public List<OldPoint>? List;
        public OldPoint[]? Array;
        public OldPoint? Maybe;
    }

    private sealed class Outer
    {
        public Point Made;
        public PlainPoint Plain = new() { X = 8, Y = 9 };
        public List<Point>? List;
        public Point[]? Array;
        public Point? Maybe = new Point();
        public string Added = "set";
    }

    private sealed class Calling
    {
        public int Shared;
        public int Added;

        [IgnoreMember]
        public string Log { get; private set; } = "constructor";

        [OnDeserializing]
        private void Deserializing(StreamingContext context) => Log += $", deserializing {Shared}";

        [OnDeserialized]
        private void Deserialized(StreamingContext context) => Log += $", deserialized {Shared}";
    }

    private struct CallingStruct
    {
        public int Shared;
        public int Added;

        public CallingStruct() => Log = "constructor";

        [IgnoreMember]
        public string Log { get; private set; }

        [OnDeserializing]
        private void Deserializing(StreamingContext context) => Log += $", deserializing {Shared}";

        [OnDeserialized]
        private void Deserialized(StreamingContext context) => Log += $", deserialized {Shared}";
    }

    private sealed class Hidden : IAdded
    {
        public int Shared;

        private Hidden() => _calls++;

        public int Added { get; set; } = 9;

        public static Hidden Make() => new();
    }

    private sealed record Positional(int Added, int Shared) : IAdded;

    private sealed class Bag : List<int>, IAdded
    {
        public int Shared;

        public Bag() => Add(1);

        public int Added { get; set; } = 9;
    }

    private sealed class Failure : Exception, IAdded
    {
        public int Shared;

        public int Added { get; set; } = 9;
    }

    private sealed class OldNode
    {
        public OldNode? Next;
    }

    private sealed class Node
    {
        public int Added = 8;
        public Node? Next;

        public Node() => Next = this;
    }
}
