using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour;

/// <summary>Objects as elements: a collection's level is entered once for all of them, and what their types need is remembered.</summary>
[Collection(nameof(RunAlone))]
[Trait("Runs", "alone")]
public class ElementTests
{
    private const int SmallStack = 256;

    public static TheoryData<bool, bool> Modes => new() { { true, true }, { true, false }, { false, true }, { false, false } };

    private sealed class Closed
    {
        public int Id;
        public object? Any;
    }

    private sealed class Level
    {
        public object?[] Items = [];
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void More_types_than_are_remembered_come_back(bool dynamicCode, bool references)
    {
        object?[] items = [.. Enumerable.Range(0, 5).SelectMany(i => Mixed(i))];
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
        Same(items, serializer.RoundTrip(items));
        Same(items, serializer.RoundTrip(items.ToList()));
        Same(items, serializer.RoundTrip(new Queue<object?>(items)));
        Same(
            items,
            serializer.RoundTrip(items.Select((item, i) => (item, i)).ToDictionary(pair => $"key {pair.i}", pair => pair.item)).Values);
        Same(
            items,
            serializer.RoundTrip(items.Select((item, i) => (item, i)).ToDictionary(pair => (pair.i, pair.i), pair => pair.item)).Values);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Shared_elements_stay_shared_only_with_references(bool dynamicCode, bool references)
    {
        var leaf = new Leaf { Id = 1 };
        Leaf[] copy = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references })
            .RoundTrip<Leaf[]>([leaf, new Leaf { Id = 2 }, new Leaf { Id = 3 }, leaf, new Leaf { Id = 5 }, leaf]);
        Assert.Equal([1, 2, 3, 1, 5, 1], copy.Select(item => item.Id));
        Assert.Equal(references, ReferenceEquals(copy[0], copy[3]));
        Assert.Equal(references, ReferenceEquals(copy[0], copy[5]));
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void A_type_that_gets_a_name_among_the_elements_is_still_known(bool dynamicCode, bool references)
    {
        Closed[] items = [.. Enumerable.Range(0, 12).Select(
            i => new Closed { Id = i, Any = i == 5 ? new Closed { Id = 50 } : i == 8 ? new Leaf { Id = 80 } : null })];
        Closed[] copy = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references }).RoundTrip(items);
        Assert.Equal(Enumerable.Range(0, 12), copy.Select(item => item.Id));
        Assert.Equal(50, Assert.IsType<Closed>(copy[5].Any).Id);
        Assert.Equal(80, Assert.IsType<Leaf>(copy[8].Any).Id);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Errors_name_the_element_and_its_member(bool dynamicCode, bool references)
    {
        string text = new('a', 100);
        Leaf[] items = [.. Enumerable.Range(0, 8).Select(i => new Leaf { Id = i, Text = i == 6 ? text : "" })];
        Check("[6].Text", items);
        Check("[6].Text", items.ToList());
        Check("[6].Text", new Queue<Leaf>(items));
        Check("[6].Text", items.ToDictionary(item => item.Id));
        Check("[7]", Enumerable.Range(0, 9).ToDictionary(i => i == 7 ? text : $"{i}", i => new Leaf { Id = i }));
        Check("[7]", Enumerable.Range(0, 9).Select(i => i == 7 ? (object)text : new Leaf { Id = i }).ToArray());

        void Check<T>(string path, T value)
            where T : class
        {
            Serializer lenient = Setup.Serializer(dynamicCode, o => o with { PreserveObjectReferences = references });
            Serializer strict = Setup.Serializer(
                dynamicCode, o => o with { PreserveObjectReferences = references, Limits = Limits.Default with { MaxStringLength = 64 } });
            Assert.Equal(path, Assert.Throws<ObjectGraphException>(() => strict.Serialize(value)).MemberPath);
            byte[] payload = lenient.Serialize(value);
            Assert.Equal(path, Assert.Throws<WireFormatException>(() => strict.Deserialize<T>(payload)).MemberPath);
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Elements_are_one_level_down_however_many_there_are(bool dynamicCode, bool references)
    {
        List<Leaf> items = [.. Enumerable.Range(0, 100).Select(i => new Leaf { Id = i })];
        Serializer two = Setup.Serializer(
            dynamicCode, o => o with { PreserveObjectReferences = references, Limits = Limits.Default with { MaxDepth = 2 } });
        Serializer one = Setup.Serializer(
            dynamicCode, o => o with { PreserveObjectReferences = references, Limits = Limits.Default with { MaxDepth = 1 } });
        Assert.Equal(100, two.RoundTrip(items).Count);
        Assert.Equal("[0]", Assert.Throws<ObjectGraphException>(() => one.Serialize(items)).MemberPath);
        byte[] payload = two.Serialize(items);
        Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => one.Deserialize<List<Leaf>>(payload)).Error);
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Elements_go_on_where_the_stack_ends(bool dynamicCode, bool references)
    {
        const int Levels = 3_000;
        Level? level = null;
        for (int i = 0; i < Levels; i++)
        {
            level =
                new Level { Items = [new Leaf { Id = i }, new Leaf { Id = i }, level, new Leaf { Id = -i }, null, new Leaf { Id = -i }] };
        }

        Serializer serializer = Setup.Serializer(
            dynamicCode, o => o with { PreserveObjectReferences = references, Limits = Limits.Default with { MaxDepth = int.MaxValue } });
        Level? copy = null;
        Setup.OnSmallStack(() => copy = serializer.RoundTrip(level), SmallStack);
        for (int i = Levels - 1; i >= 0; i--)
        {
            object?[] items = copy!.Items;
            Assert.Equal([i, i, -i, -i], items.OfType<Leaf>().Select(leaf => leaf.Id));
            copy = (Level?)items[2];
        }

        Assert.Null(copy);
    }

    private static IEnumerable<object?> Mixed(int i) =>
    [
        i, new Leaf { Id = i }, "text", new Box<int> { Value = i }, new Box<long> { Value = i }, new Box<string> { Value = "x" },
        null, new Box<short>(), new Box<byte>(), true, new Box<char>(), new Box<double>(), new Box<float>(), new Box<decimal>(),
        new Closed { Id = i, Any = new Box<uint>() }, 2.5, new int[] { i }, new Box<Guid>(), Guid.Empty, new Box<ulong>(),
        new DateTime(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc), 7L,
    ];

    private static void Same(IEnumerable<object?> expected, IEnumerable<object?> actual) =>
        Assert.Equal(expected.Select(Describe), actual.Select(Describe));

    private static string Describe(object? value) => value switch
    {
        null => "null",
        Leaf leaf => $"leaf {leaf.Id}",
        Closed closed => $"closed {closed.Id} {Describe(closed.Any)}",
        int[] numbers => $"numbers {string.Join(',', numbers)}",
        Box<int> box => $"box {box.Value}",
        Box<long> box => $"long box {box.Value}",
        _ when value.GetType().IsGenericType => value.GetType().ToString(),
        _ => $"{value.GetType()} {value}",
    };
}
