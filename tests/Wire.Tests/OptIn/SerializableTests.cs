using System.Runtime.Serialization;
using Wire.Tests.Testing;

// The interfaces under test are obsolete for formatters.
#pragma warning disable SYSLIB0050

namespace Wire.Tests.OptIn;

/// <summary>Types that write themselves, where <see cref="SerializerOptions.UseSerializable"/> lets them.</summary>
[TypeNotes(
    "off by default: then such types are written member by member",
    Title = "ISerializable",
    Options = "UseSerializable",
    Written = "names and values")]
public sealed class SerializableTests
{
    private static readonly Serializer On = OptInTester.With(Use);

    [Fact]
    public void The_whole_tester_takes_them()
    {
        OptInTester.RunAll<Account>([new Account("a", 3, [1, 2]), new Account(null, -1, null)], Use);
        OptInTester.RunAll<Amount>([new Amount(3), new Amount(-1)], Use);
    }

    [Fact]
    public void Names_types_and_values_come_back()
    {
        Bag read = On.Deserialize<Bag>(On.Serialize(new Bag()))!;
        Assert.Equal("Any:System.Object= None:System.String= Number:System.Int64=5 Text:System.Object=t", read.Seen);
    }

    [Fact]
    public void Without_the_option_they_are_written_member_by_member()
    {
        var off = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Unrestricted });
        Account read = off.Deserialize<Account>(off.Serialize(new Account("a", 3, [1])))!;
        Assert.Equal("a 3 1 members", read.Text());
        WireFormatException e = Assert.Throws<WireFormatException>(() => off.Deserialize<Account>(On.Serialize(new Account("a", 3, [1]))));
        Assert.Equal(WireFormatError.SchemaMismatch, e.Error);
        Assert.Contains("SerializerOptions.UseSerializable", e.Message, StringComparison.Ordinal);
        e = Assert.Throws<WireFormatException>(() => On.Deserialize<Account>(off.Serialize(new Account("a", 3, [1]))));
        Assert.Contains("SerializerOptions.UseSerializable", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Cycles_close()
    {
        var node = new Node { Name = "a" };
        node.Next = new Node { Name = "b", Next = node };
        Node read = On.Deserialize<Node>(On.Serialize(node))!;
        Assert.Equal("b", read.Next!.Name);
        Assert.Same(read, read.Next.Next);
    }

    // The constructor may copy it: what it has would be lost without an error.
    [Fact]
    public void A_constructor_does_not_get_a_collection_that_is_not_filled_yet()
    {
        var index = new Index();
        index.Table[Tuple.Create("a")] = 1;
        Assert.Equal(1, Assert.Single(On.Deserialize<Index>(On.Serialize(index))!.Table).Value);

        index.Table[Tuple.Create(index)] = 2;
        WireFormatException e = Assert.Throws<WireFormatException>(() => On.Deserialize<Index>(On.Serialize(index)));
        Assert.Contains("its constructor would see it empty", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void An_object_reference_stands_for_another_object()
    {
        object[] read =
            On.Deserialize<object[]>(On.Serialize(new object[] { Single.Instance, Single.Instance, new Pointer(1), new Pointer(1) }))!;
        Assert.Same(Single.Instance, read[0]);
        Assert.Same(Single.Instance, read[1]);
        Assert.Equal("one", read[2]);
        Assert.Equal("one", read[3]);
        Assert.Same(Single.Instance, On.Deserialize<Single>(On.Serialize(Single.Instance)));
        Assert.Equal(
            WireFormatError.TypeMismatch,
            Assert.Throws<WireFormatException>(() => On.Deserialize<Pointer>(On.Serialize(new Pointer(1)))).Error);
        Assert.Equal(
            WireFormatError.InvalidValue,
            Assert.Throws<WireFormatException>(() => On.Deserialize<object>(On.Serialize(new Pointer(9)))).Error);
    }

    [Fact]
    public void Callbacks_are_called_where_they_are_asked_for()
    {
        Serializer both = OptInTester.With(o => Use(o) with { UseSerializationCallbacks = true });
        Assert.Equal(" deserializing constructor deserialized graph", both.Deserialize<Called>(both.Serialize(new Called()))!.Log);
        Assert.Equal(" constructor", On.Deserialize<Called>(On.Serialize(new Called()))!.Log);
    }

    [Fact]
    public void What_cannot_be_made_again_is_refused_when_it_is_written()
    {
        Assert.Contains(
            "constructor",
            Assert.Throws<UnsupportedTypeException>(() => On.Serialize(new WithoutConstructor())).Message,
            StringComparison.Ordinal);
        Assert.Throws<UnsupportedTypeException>(() => On.Serialize(new Disguised()));
    }

    [Fact]
    public void A_type_that_is_set_and_is_no_ISerializable_is_refused_by_the_name_of_the_interface()
    {
        UnsupportedTypeException e = Assert.Throws<UnsupportedTypeException>(() => On.Serialize(new Outer(typeof(Plain))));
        Assert.Contains(
            $"{typeof(Plain)} cannot be created when it is read: GetObjectData has called SetType with it, and it does not implement " +
            "ISerializable.",
            e.Message,
            StringComparison.Ordinal);

        e = Assert.Throws<UnsupportedTypeException>(() => On.Serialize(new Renamed()));
        Assert.Contains(
            "Shop.Other cannot be created when it is read: GetObjectData has set FullTypeName or AssemblyName, which are not followed. " +
            "Call SetType",
            e.Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_type_that_the_filter_does_not_allow_is_not_made()
    {
        var narrow = new Serializer(new SerializerOptions { UseSerializable = true, TypeFilter = WireTypeFilter.Default.Allow<Node>() });
        Assert.Throws<TypeRefusedException>(() => narrow.Deserialize<object>(On.Serialize(new Account("a", 1, null))));
        Assert.Throws<TypeRefusedException>(
            () => new Serializer(new SerializerOptions { UseSerializable = true }).Deserialize<Single>(On.Serialize(Single.Instance)));
    }

    [Fact]
    public void What_the_options_treat_otherwise_is_not_made_under_another_name()
    {
        byte[] forged = On.Serialize(new Outer(typeof(Only)));
        Func<SerializerOptions, SerializerOptions>[] changes =
        [
            o => o with { Singletons = [new Only()] },
            o => o with { Surrogates = [Surrogate.Create<Only, int>(_ => 1, _ => new Only())] },
        ];
        Assert.IsType<Only>(On.Deserialize<object>(forged));
        foreach (Func<SerializerOptions, SerializerOptions> change in changes)
        {
            Serializer serializer = OptInTester.With(o => change(Use(o)));
            Assert.Equal(
                WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(forged)).Error);
            Assert.Contains(
                "singleton",
                Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(new Outer(typeof(Only)))).Message,
                StringComparison.Ordinal);
        }

        // Exceptions have rules of their own.
        Assert.Throws<UnsupportedTypeException>(() => On.Serialize(new Outer(typeof(Fault))));
    }

    [Fact]
    public void What_a_constructor_makes_of_wrong_values_is_an_error_of_the_bytes()
    {
        byte[] bytes = On.Serialize(new Account("a", 3, [1]));
        bytes[bytes.AsSpan().LastIndexOf("Owner"u8)] = (byte)'o';
        WireFormatException e = Assert.Throws<WireFormatException>(() => On.Deserialize<Account>(bytes));
        Assert.Equal(WireFormatError.InvalidValue, e.Error);
        Assert.IsType<SerializationException>(e.InnerException);
    }

    private static SerializerOptions Use(SerializerOptions options) => options with { UseSerializable = true };

    private sealed class Account : ISerializable
    {
        private readonly string? _owner;
        private readonly long _balance;
        private readonly int[]? _items;
        [IgnoreMember]
        private readonly string _way = "members";

        public Account(string? owner, long balance, int[]? items) => (_owner, _balance, _items, _way) = (owner, balance, items, "self");

        private Account(SerializationInfo info, StreamingContext context)
        {
            _owner = info.GetString("Owner");
            _balance = info.GetInt64("Balance");
            _items = (int[]?)info.GetValue("Items", typeof(int[]));
            _way = "self";
        }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("Owner", _owner);
            info.AddValue("Balance", _balance);
            info.AddValue("Items", _items, typeof(int[]));
        }

        public string Text() => $"{_owner} {_balance} {string.Join(',', _items ?? [])} {_way ?? "members"}";
    }

    private readonly struct Amount : ISerializable
    {
        public Amount(int value) => Twice = value * 2;

        private Amount(SerializationInfo info, StreamingContext context) => Twice = info.GetInt32("Half") * 2;

        public int Twice { get; }

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("Half", Twice / 2);
    }

    private sealed class Bag : ISerializable
    {
        public Bag()
        {
        }

        private Bag(SerializationInfo info, StreamingContext context)
        {
            var seen = new List<string>();
            foreach (SerializationEntry entry in info)
            {
                seen.Add($"{entry.Name}:{entry.ObjectType}={entry.Value}");
            }

            Seen = string.Join(' ', seen.Order(StringComparer.Ordinal));
        }

        public string Seen { get; } = "";

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("Number", 5L);
            info.AddValue("Text", "t", typeof(object));
            info.AddValue("None", null, typeof(string));
            info.AddValue("Any", null);
        }
    }

    private sealed class Node : ISerializable
    {
        public Node()
        {
        }

        private Node(SerializationInfo info, StreamingContext context)
        {
            Name = info.GetString("Name");
            Next = (Node?)info.GetValue("Next", typeof(Node));
        }

        public string? Name { get; set; }

        public Node? Next { get; set; }

        public void GetObjectData(SerializationInfo info, StreamingContext context)
        {
            info.AddValue("Name", Name);
            info.AddValue("Next", Next);
        }
    }

    private sealed class Index : ISerializable
    {
        public Index()
        {
        }

        private Index(SerializationInfo info, StreamingContext context) =>
            Table = new((Dictionary<object, int>)info.GetValue("Table", typeof(Dictionary<object, int>))!);

        public Dictionary<object, int> Table { get; } = [];

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("Table", Table);
    }

    private sealed class Single : ISerializable
    {
        public static readonly Single Instance = new();

        private Single()
        {
        }

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.SetType(typeof(Helper));

        private sealed class Helper : IObjectReference
        {
            public object GetRealObject(StreamingContext context) => Instance;
        }
    }

    private sealed class Pointer : ISerializable, IObjectReference
    {
        private readonly int _number;

        public Pointer(int number) => _number = number;

        private Pointer(SerializationInfo info, StreamingContext context) => _number = info.GetInt32("Number");

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("Number", _number);

        public object GetRealObject(StreamingContext context) =>
            _number == 1 ? "one" : throw new InvalidOperationException("no such number");
    }

    private sealed class Called : ISerializable, IDeserializationCallback
    {
        public Called()
        {
        }

        private Called(SerializationInfo info, StreamingContext context) => Log += " constructor";

        public string? Log { get; private set; }

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("A", 1);

        public void OnDeserialization(object? sender) => Log += " graph";

        [OnDeserializing]
        private void Deserializing(StreamingContext context) => Log += " deserializing";

        [OnDeserialized]
        private void Deserialized(StreamingContext context) => Log += " deserialized";
    }

    private sealed class Outer(Type type) : ISerializable
    {
        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.SetType(type);
    }

    private sealed class Only : ISerializable
    {
        public Only()
        {
        }

        private Only(SerializationInfo info, StreamingContext context) => info.GetEnumerator();

        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.SetType(GetType());
    }

    private sealed class Fault : Exception
    {
        private Fault(SerializationInfo info, StreamingContext context) => HResult = info.MemberCount;
    }

    private sealed class WithoutConstructor : ISerializable
    {
        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("A", 1);
    }

    private sealed class Plain
    {
        public int A { get; set; }
    }

    private sealed class Renamed : ISerializable
    {
        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.FullTypeName = "Shop.Other";
    }

    private sealed class Disguised : ISerializable
    {
        public void GetObjectData(SerializationInfo info, StreamingContext context) => info.SetType(typeof(System.Diagnostics.Process));
    }
}
