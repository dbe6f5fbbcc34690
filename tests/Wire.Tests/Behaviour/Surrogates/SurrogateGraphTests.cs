using Wire.Comparing;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour.Surrogates;

/// <summary>Stand-ins deep in object graphs: identity, cycles, nesting, value types behind interfaces, and what errors say.</summary>
public class SurrogateGraphTests
{
    public interface IUnit
    {
        string Code { get; }
    }

    public sealed class Kilo(string code) : IUnit
    {
        public string Code { get; } = code;
    }

    public readonly record struct Gram(int Number) : IUnit
    {
        public string Code => "g" + Number;
    }

    public abstract class UnitStandIn
    {
        public string Code = "";
        public object? Extra;
    }

    public sealed class KiloStandIn : UnitStandIn;

    public sealed class GramStandIn : UnitStandIn
    {
        public int Number;
    }

    public sealed class Stock
    {
        public IUnit? Unit;
        public Kilo? Kilo;
        public Gram Gram;
        public Gram? Maybe;
        public object? Any;
        public IUnit?[]? Units;
        public Gram[]? Grams;
        public List<IUnit?>? List;
        public Dictionary<IUnit, Kilo?>? ByUnit;
        public Dictionary<Gram, IUnit?>? ByGram;
        public HashSet<Gram>? Set;
        public (IUnit?, Gram) Pair;
    }

    /// <summary>A value type with a tree of its own kind below.</summary>
    public readonly struct Tree(string name, params List<Tree> below)
    {
        public readonly string Name = name;
        public readonly List<Tree> Below = below;
    }

    public readonly record struct TreeStandIn(string Name, List<Tree> Below);

    public readonly record struct LaterTreeStandIn(int Age, List<Tree> Below, string Name);

    public sealed class Person
    {
        public string? Name;
        public Person? Friend;
        public object? Carries;
    }

    public sealed class PersonStandIn
    {
        public string? Name;
        public Person? Friend;
        public object? Carries;
    }

    public struct PersonRow
    {
        public string? Name;
        public Person? Friend;
        public object? Carries;
    }

    private sealed class Handle(int number)
    {
        public int Number { get; } = number;
    }

    public static TheoryData<bool, bool> Modes => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    private static Surrogate Units { get; } = Surrogate.Create<IUnit, UnitStandIn>(
        unit => unit is Gram gram ? new GramStandIn { Code = unit.Code, Number = gram.Number } : new KiloStandIn { Code = unit.Code },
        standIn => standIn is GramStandIn gram ? new Gram(gram.Number) : new Kilo(standIn.Code));

    private static Surrogate PeopleAsClass { get; } = Surrogate.Create<Person, PersonStandIn>(
        p => new PersonStandIn { Name = p.Name, Friend = p.Friend, Carries = p.Carries },
        s => new Person { Name = s.Name, Friend = s.Friend, Carries = s.Carries });

    private static Surrogate PeopleAsStruct { get; } = Surrogate.Create<Person, PersonRow>(
        p => new PersonRow { Name = p.Name, Friend = p.Friend, Carries = p.Carries },
        s => new Person { Name = s.Name, Friend = s.Friend, Carries = s.Carries });

    [Theory]
    [MemberData(nameof(Modes))]
    public void One_surrogate_of_an_interface_serves_classes_and_value_types_everywhere(bool dynamicCode, bool references)
    {
        Serializer serializer = Make(dynamicCode, references, Units);
        var stock = new Stock
        {
            Unit = new Gram(1),
            Kilo = new Kilo("k"),
            Gram = new Gram(2),
            Maybe = new Gram(3),
            Any = new object?[] { new Gram(4), new Kilo("l"), new Gram?[] { new Gram(5), null }, null },
            Units = [new Kilo("m"), new Gram(6), null],
            Grams = [new Gram(7), new Gram(8)],
            List = [new Gram(9), null, new Kilo("n")],
            ByUnit = new() { [new Gram(10)] = new Kilo("o"), [new Gram(11)] = null },
            ByGram = new() { [new Gram(12)] = new Gram(13), [new Gram(14)] = null },
            Set = [new Gram(15)],
            Pair = (new Kilo("p"), new Gram(16)),
        };

        GraphAssert.Same(stock, serializer.RoundTrip(stock), sharing: references);
        GraphAssert.Same(stock, serializer.DeserializeTyped<Stock>(serializer.SerializeTyped(stock)), sharing: references);
        GraphAssert.Same(stock, serializer.CopyBothWays(stock), sharing: references);
        GraphAssert.Same(new Stock(), serializer.RoundTrip(new Stock()), sharing: references);
        GraphAssert.Same(new Gram(17), serializer.RoundTrip(new Gram(17)));
        GraphAssert.Same(new Gram(18), serializer.RoundTrip<object>(new Gram(18)));
        GraphAssert.Same(new Gram(19), serializer.DeserializeTyped<Gram>(serializer.SerializeTyped(new Gram(19))));
        GraphAssert.Same(new Gram(20), serializer.DeserializeTyped<IUnit>(serializer.SerializeTyped<IUnit>(new Gram(20))));
        GraphAssert.Same(new Kilo("q"), serializer.DeserializeTyped<Kilo>(serializer.SerializeTyped(new Kilo("q"))));
        GraphAssert.Same(new Kilo("r"), serializer.RoundTrip<IUnit>(new Kilo("r")));
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_stand_in_that_becomes_another_value_type_or_class_is_bad_input(bool dynamicCode, bool references)
    {
        Serializer writer = Make(dynamicCode, references, Units);
        Serializer reader =
            Make(dynamicCode, references, Surrogate.Create<IUnit, UnitStandIn>(_ => new KiloStandIn(), standIn => new Kilo(standIn.Code)));

        Assert.Equal(
            WireFormatError.TypeMismatch,
            Assert.Throws<WireFormatException>(() => reader.Deserialize<Gram[]>(writer.Serialize(new Gram[1]))).Error);
        Assert.Equal(
            WireFormatError.TypeMismatch,
            Assert.Throws<WireFormatException>(() => reader.Deserialize<Gram>(writer.Serialize(new Gram(1)))).Error);
        Assert.IsType<Kilo>(reader.Deserialize<IUnit>(writer.Serialize<IUnit>(new Gram(1))));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void An_object_that_is_reached_twice_comes_back_as_one(bool dynamicCode)
    {
        foreach (Surrogate people in new[] { PeopleAsClass, PeopleAsStruct })
        {
            Serializer serializer = Make(dynamicCode, references: true, people);
            var carried = new List<object> { "keys" };
            var ada = new Person { Name = "Ada", Carries = carried };
            var bob = new Person { Name = "Bob", Friend = ada, Carries = carried };
            object[] graph =
            [
                bob,
                ada,
                new Person[] { ada, bob },
                new Dictionary<string, object> { ["a"] = ada, ["c"] = carried },
                new object[] { new[] { bob } },
            ];

            GraphAssert.Same(graph, serializer.RoundTrip(graph), sharing: true);
            using SerializerSession writing = serializer.GetSerializerSession();
            using DeserializerSession reading = serializer.GetDeserializerSession();
            for (int i = 0; i < 3; i++)
            {
                GraphAssert.Same(graph, serializer.Deserialize<object[]>(serializer.Serialize(graph, writing), reading), sharing: true);
            }
        }
    }

    [Fact]
    public void Objects_that_are_keys_keep_their_identity()
    {
        Serializer serializer = Make(true, references: true, PeopleAsClass);
        var ada = new Person { Name = "Ada" };
        var graph = new object[]
        {
            new Dictionary<Person, Person> { [ada] = ada, [new Person { Name = "Bob" }] = ada },
            new HashSet<Person> { ada },
            ada,
        };

        object[] copy = serializer.RoundTrip(graph);

        var people = (Dictionary<Person, Person>)copy[0];
        var same = (Person)copy[2];
        Assert.Same(same, people[same]);
        Assert.Contains(same, (HashSet<Person>)copy[1]);
        Assert.Equal(new[] { "Ada", "Bob" }, people.Keys.Select(p => p.Name));
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_stand_in_that_leads_back_to_its_object_is_reported(bool dynamicCode, bool references)
    {
        foreach (Surrogate people in new[] { PeopleAsClass, PeopleAsStruct })
        {
            Serializer serializer = Make(dynamicCode, references, people);
            var ada = new Person { Name = "Ada" };
            ada.Friend = new Person { Name = "Bob", Carries = new object[] { 1, ada } };

            var error = Assert.Throws<ObjectGraphException>(() => serializer.Serialize(new object[] { "x", ada }));

            Assert.StartsWith(
                $"The stand-in of an object of type {typeof(Person)} refers back to the object at [1].Friend.Carries[1]",
                error.Message,
                StringComparison.Ordinal);
            Assert.StartsWith("[1].Friend.Carries[1]", error.MemberPath, StringComparison.Ordinal);
            GraphAssert.Same(new Person { Name = "Eve" }, serializer.RoundTrip(new Person { Name = "Eve" }));
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_box_whose_stand_in_leads_back_to_it_is_reported(bool dynamicCode, bool references)
    {
        Serializer serializer = Make(
            dynamicCode,
            references,
            Surrogate.Create<PersonRow, object?[]>(row => [row.Carries], things => new PersonRow { Carries = things[0] }));
        var inside = new object?[] { 1, null };
        object box = new PersonRow { Carries = inside };
        inside[1] = box;

        var error = Assert.Throws<ObjectGraphException>(() => serializer.Serialize(new object[] { "x", box }));

        Assert.StartsWith(
            $"The stand-in of an object of type {typeof(PersonRow)} refers back to the object at [1][0][1]",
            error.Message,
            StringComparison.Ordinal);
        Assert.Equal(2, Assert.IsType<PersonRow>(serializer.RoundTrip<object>(new PersonRow { Carries = 2 })).Carries);
    }

    [Fact]
    public void An_object_that_stands_for_itself_is_reported()
    {
        Serializer serializer =
            Make(true, references: true, Surrogate.Create<Cat, Animal>(cat => cat, animal => new Cat { Name = animal.Name }));
        Assert.Throws<ObjectGraphException>(() => serializer.Serialize(new Cat()));
        Assert.Throws<ObjectGraphException>(
            () => Make(true, references: false, Surrogate.Create<Cat, Animal>(cat => cat, _ => new Cat())).Serialize(new Cat()));
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Payloads_that_refer_to_an_object_from_inside_its_stand_in_are_refused(bool dynamicCode, bool references)
    {
        // The same layout without a surrogate has no such limit, so that a payload can say it.
        Serializer serializer = Make(dynamicCode, references: true, PeopleAsClass);
        byte[] payload = serializer.Serialize(new object?[] { new Person { Friend = new Person { Name = "b" } } });
        Assert.NotEmpty(serializer.Deserialize<object[]>(payload)!);
        int refused = 0;
        for (int at = 0; at < payload.Length; at++)
        {
            // Tag 0x01 and number 1: the outer person.
            byte[] damaged = [.. payload[..at], 0x01, 0x01, .. payload[Math.Min(payload.Length, at + (references ? 2 : 1))..]];
            try
            {
                serializer.Deserialize<object[]>(damaged);
            }
            catch (WireFormatException e)
            {
                refused +=
                    e.Error == WireFormatError.Reference && e.Message.Contains("from inside itself", StringComparison.Ordinal) ? 1 : 0;
            }
        }

        Assert.NotEqual(0, refused);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Value_types_nest_through_their_stand_ins(bool dynamicCode, bool references)
    {
        Serializer serializer = Make(
            dynamicCode,
            references,
            Surrogate.Create<Tree, TreeStandIn>(t => new TreeStandIn(t.Name, t.Below), s => new Tree(s.Name, s.Below)));
        var tree = new Tree("a", new Tree("b"), new Tree("c", new Tree("d", new Tree("e"))));

        GraphAssert.Same(tree, serializer.RoundTrip(tree), sharing: references);
        GraphAssert.Same(new object[] { tree, new[] { tree, tree } }, serializer.RoundTrip(new object[] { tree, new[] { tree, tree } }));

        // A reader whose stand-in has another member reads the nested ones by the writer's schema too.
        Serializer later = Make(dynamicCode, references, Surrogate.Create<Tree, LaterTreeStandIn>(
            t => new LaterTreeStandIn(0, t.Below, t.Name), s => new Tree(s.Name + s.Age, s.Below)));
        Tree copy = later.Deserialize<Tree>(serializer.Serialize(tree));
        Assert.Equal(("a0", "c0", "d0"), (copy.Name, copy.Below[1].Name, copy.Below[1].Below[0].Name));
        Assert.Throws<UnsupportedTypeException>(() =>
            Make(dynamicCode, references, Surrogate.Create<Tree, List<Tree>>(t => t.Below, below => new Tree("", below))).Serialize(tree));
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Chains_of_stand_ins_go_on_where_the_stack_ends(bool dynamicCode, bool references)
    {
        foreach (Surrogate people in new[] { PeopleAsClass, PeopleAsStruct })
        {
            Serializer serializer = Setup.Serializer(dynamicCode, o => o with
            {
                PreserveObjectReferences = references,
                Surrogates = [people],
                Limits = Limits.Default with { MaxDepth = 100_000 },
            });
            var chain = new Person();
            for (int i = 0; i < 3_000; i++)
            {
                chain = new Person { Friend = chain };
            }

            Setup.OnSmallStack(
                () =>
                {
                    Person? copy = serializer.RoundTrip(chain);
                    int length = 0;
                    for (; copy!.Friend is not null; copy = copy.Friend)
                    {
                        length++;
                    }

                    Assert.Equal(3_000, length);
                },
                kilobytes: 256);
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Errors_inside_stand_ins_say_where(bool dynamicCode, bool references)
    {
        foreach (Surrogate people in new[] { PeopleAsClass, PeopleAsStruct })
        {
            Serializer serializer = Make(dynamicCode, references, people);
            var graph = new Box<List<Person>>
            {
                Value = [new Person(), new Person { Friend = new Person { Carries = new object[] { 1, new Thread(() => { }) } } }],
            };

            var error = Assert.Throws<UnsupportedTypeException>(() => serializer.Serialize(graph));
            Assert.Equal((typeof(Thread), "Value[1].Friend.Carries[1]"), (error.Type, error.MemberPath));

            graph.Value[1].Friend = new Person { Name = "the end" };
            byte[] payload = serializer.Serialize(graph);
            payload[payload.AsSpan().LastIndexOf("the end"u8) - 1] = 0x7E;
            var cut = Assert.Throws<WireFormatException>(() => serializer.Deserialize<Box<List<Person>>>(payload));
            Assert.Equal((WireFormatError.Length, "Value[1].Friend.Name"), (cut.Error, cut.MemberPath));
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Errors_inside_stand_ins_of_value_types_say_where(bool dynamicCode, bool references)
    {
        Surrogate asClass =
            Surrogate.Create<Wrapped, Box<object?>>(w => new Box<object?> { Value = w.Content }, box => new Wrapped(box.Value));
        Surrogate asStruct = Surrogate.Create<Wrapped, (object?, int)>(w => (w.Content, 1), pair => new Wrapped(pair.Item1));
        foreach ((Surrogate surrogate, string place) in new[] { (asClass, "Value.Value[1]"), (asStruct, "Value.Item1[1]") })
        {
            Serializer serializer = Make(dynamicCode, references, surrogate);
            var error = Assert.Throws<UnsupportedTypeException>(
                () => serializer.Serialize(new Box<Wrapped> { Value = new Wrapped(new object[] { 1, new Thread(() => { }) }) }));
            Assert.Equal(place, error.MemberPath);

            byte[] payload = serializer.Serialize(new Box<Wrapped> { Value = new Wrapped(new object[] { 1, 'q' }) });
            payload[payload.AsSpan().LastIndexOf((byte)'q') - 1] = 0x7F;
            Assert.Equal(place, Assert.Throws<WireFormatException>(() => serializer.Deserialize<Box<Wrapped>>(payload)).MemberPath);
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Null_stands_for_nothing(bool dynamicCode, bool references)
    {
        Serializer writer =
            Make(dynamicCode, references, Surrogate.Create<Handle, string>(h => h.Number == 0 ? null! : "7", t => new Handle(t.Length)));
        var error = Assert.Throws<UnsupportedTypeException>(() => writer.Serialize(new object[] { new Handle(1), new Handle(0) }));
        Assert.Equal((typeof(Handle), "[1]"), (error.Type, error.MemberPath));
        Assert.Equal(new int?[] { 1, null }, writer.RoundTrip(new Handle?[] { new Handle(5), null }).Select(h => h?.Number));

        byte[] payload = writer.Serialize(new Handle(1));
        int at = payload.AsSpan().LastIndexOf("7"u8);
        byte[] withNull = [.. payload[..(at - 1)], 0];
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => writer.Deserialize<Handle>(withNull)).Error);

        Serializer nullable = Make(
            dynamicCode,
            references,
            Surrogate.Create<Handle, int?>(h => h.Number == 0 ? null : h.Number, n => n == 9 ? null! : new Handle(n ?? 0)));
        Assert.Equal(new[] { 0, 8 }, nullable.RoundTrip(new[] { new Handle(0), new Handle(8) }).Select(h => h.Number));
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => nullable.RoundTrip(new Handle(9))).Error);
    }

    [Fact]
    public void A_stand_in_that_is_replaced_itself_is_refused()
    {
        Surrogate cats = Surrogate.Create<Cat, Leaf>(cat => new Leaf { Id = cat.Lives }, leaf => new Cat { Lives = (int)leaf.Id });
        Surrogate leaves = Surrogate.Create<Leaf, Point?>(leaf => new Point { X = (int)leaf.Id }, p => new Leaf { Id = p!.Value.X });
        Surrogate points = Surrogate.Create<Point, int>(p => p.X, x => new Point { X = x });
        Assert.NotNull(Make(true, false, cats, points));
        foreach (Surrogate[] chain in new Surrogate[][] { [cats, leaves], [leaves, cats], [points, leaves] })
        {
            ArgumentException e = Assert.Throws<ArgumentException>(() => Make(true, false, chain));
            Assert.Contains("SerializerOptions.Surrogates has a surrogate for it too", e.Message, StringComparison.Ordinal);
        }

        Surrogate everything = Surrogate.Create<IComparable, Leaf>(_ => new Leaf(), _ => 1);
        Surrogate numbers = Surrogate.Create<Meters, double>(m => m.Value, v => new Meters(v));
        Assert.Equal(2, Make(true, false, everything, numbers).RoundTrip(new Meters(2)).Value);
    }

    [Fact]
    public void Sources_that_no_surrogate_can_replace_are_refused()
    {
        Assert.Throws<ArgumentException>(() => Surrogate.Create<string, Leaf>(_ => new Leaf(), _ => ""));
        Assert.Throws<ArgumentException>(() => Surrogate.Create<int[], Leaf>(_ => new Leaf(), _ => []));
        ArgumentException e = Assert.Throws<ArgumentException>(() => Surrogate.Create<Gram?, int>(g => g!.Value.Number, n => new Gram(n)));
        Assert.StartsWith($"Make the surrogate of {typeof(Gram)} instead", e.Message, StringComparison.Ordinal);
    }

    private readonly record struct Meters(double Value);

    private readonly record struct Wrapped(object? Content);

    private static Serializer Make(bool dynamicCode, bool references, params Surrogate[] surrogates) =>
        Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references, Surrogates = [.. surrogates] });
}
