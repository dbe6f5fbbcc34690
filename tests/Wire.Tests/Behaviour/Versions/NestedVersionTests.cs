using Wire.Comparing;
using Wire.Testing;

namespace Wire.Tests.Behaviour.Versions;

/// <summary>
/// Nested types and elements of collections that have changed since the bytes were written, among messages of the program's own layout:
/// interpreted the first times and compiled then, each message says the same.
/// </summary>
public sealed class NestedVersionTests
{
    private const int Messages = 30;

    private static readonly TypeAliases Renamed = TypeAliases.None
        .Redirect("Nested.Part", typeof(After.Part))
        .Redirect("Nested.Cell", typeof(After.Cell))
        .Redirect("Nested.Node", typeof(After.Node))
        .Redirect("Nested.Leaf", typeof(After.NodeLeaf))
        .Redirect("Nested.Document", typeof(After.Document));

    public static TheoryData<bool, bool> Modes => new() { { true, false }, { true, true }, { false, false }, { false, true } };

    [Theory]
    [MemberData(nameof(Modes))]
    public void Standalone_messages_of_both_layouts_take_turns(bool dynamicCode, bool references)
    {
        var random = new Random(1);
        Serializer writer = Setup.Closed(dynamicCode: true, o => o with { PreserveObjectReferences = references });
        Serializer reader = Reader(dynamicCode, references);
        for (int i = 0; i < Messages; i++)
        {
            Before.Document before = Document(random);
            After.Document expected = After.Of(before);
            byte[] bytes = writer.Serialize(before);
            Same(expected, reader.Deserialize<After.Document>(bytes));
            Same(expected, reader.Deserialize<object>(bytes));
            Same(expected, reader.Deserialize<After.Document>(Sequences.Chunked(bytes, 1 + (i % 7))));
            Same(expected, reader.Deserialize<After.Document>(new SeekableStream(bytes)));
            if (i % 3 == 1)
            {
                // What the reader writes itself has its own layout, with the same names.
                byte[] own = reader.Serialize(expected);
                Same(expected, reader.Deserialize<After.Document>(own));
                Same(expected, reader.Deserialize<After.Document>(Sequences.Chunked(own, 3)));
            }
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Messages_of_sessions_in_both_layouts_take_turns(bool dynamicCode, bool references)
    {
        var random = new Random(2);
        Serializer writer = Setup.Closed(dynamicCode: true, o => o with { PreserveObjectReferences = references });
        Serializer reader = Reader(dynamicCode, references);
        for (int session = 0; session < 4; session++)
        {
            using SerializerSession writing = writer.GetSerializerSession();
            using DeserializerSession reading = reader.GetDeserializerSession();
            using SerializerSession ownWriting = reader.GetSerializerSession();
            using DeserializerSession ownReading = reader.GetDeserializerSession();
            for (int i = 0; i < Messages; i++)
            {
                object before = random.Next(4) switch
                {
                    0 => Part(random)!,
                    1 => Node(random)!,
                    _ => Document(random),
                };
                object expected = before is Before.Document document ? After.Of(document) : After.OfAny(before)!;
                byte[] bytes = writer.Serialize(before, writing);
                Same(
                    expected,
                    i % 2 == 0
                        ? reader.Deserialize<object>(bytes, reading)
                        : reader.Deserialize<object>(Sequences.Chunked(bytes, 3), reading));
                Same(expected, reader.Deserialize<object>(reader.Serialize(expected, ownWriting), ownReading));
            }
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Roots_whose_elements_have_changed_are_read_each_time(bool dynamicCode)
    {
        var random = new Random(3);
        Serializer writer = Setup.Closed(dynamicCode: true);
        Serializer reader = Reader(dynamicCode, references: false);
        for (int i = 0; i < Messages; i++)
        {
            List<Before.Part?> parts = Many(random, Part);
            Dictionary<int, Before.Part?> numbered = Keyed(parts, number => number);
            Same(parts.ConvertAll(After.Of), reader.Deserialize<List<After.Part?>>(writer.Serialize(parts)));
            Same(parts.Select(After.Of).ToArray(), reader.Deserialize<After.Part?[]>(writer.Serialize(parts.ToArray())));
            Same(
                numbered.ToDictionary(pair => pair.Key, pair => After.Of(pair.Value)),
                reader.Deserialize<Dictionary<int, After.Part?>>(writer.Serialize(numbered)));
            List<Before.Cell> cells = Many(random, Cell);
            Same(cells.ConvertAll(After.Of), reader.Deserialize<List<After.Cell>>(writer.Serialize(cells)));
            List<Before.Node?> nodes = Many(random, Node);
            Same(nodes.ConvertAll(After.Of), reader.Deserialize<List<After.Node?>>(writer.Serialize(nodes)));
        }
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void What_does_not_fit_is_refused_each_time_and_harms_nothing(bool dynamicCode)
    {
        var random = new Random(4);
        Serializer after = Setup.Closed(dynamicCode);
        Serializer before = Setup.Closed(
            dynamicCode,
            o => o with { TypeFilter = WireTypeFilter.Default.AllowWhere((name, _) => name.Contains("Before", StringComparison.Ordinal)) });
        Before.Document document = Document(random);
        byte[] good = before.Serialize(document);
        After.Document tooLarge = After.Of(document);
        tooLarge.One = new After.Part { Id = 1L << 40 };
        byte[] bad = after.Serialize(tooLarge);
        string? first = null;
        for (int i = 0; i < Messages; i++)
        {
            var error = Assert.Throws<WireFormatException>(() => before.Deserialize<Before.Document>(bad));
            Assert.Equal(WireFormatError.SchemaMismatch, error.Error);
            Assert.Equal(first ??= error.Message, error.Message);
            Same(document, before.Deserialize<Before.Document>(good));
        }
    }

    private static Serializer Reader(bool dynamicCode, bool references) => Setup.Closed(
        dynamicCode, o => o with { PreserveObjectReferences = references, TypeAliases = Renamed });

    private static void Same(object? expected, object? actual) => GraphAssert.Same(expected, actual, sharing: false);

    private static Before.Document Document(Random random) => new()
    {
        One = Part(random),
        List = Perhaps(random, () => Many(random, Part)),
        Array = Perhaps(random, () => Many(random, Part).ToArray()),
        Named = Perhaps(random, () => Keyed(Many(random, Part), number => $"κ{number}")),
        Numbered = Perhaps(random, () => Keyed(Many(random, Part), number => number)),
        Queue = Perhaps(random, () => new Queue<Before.Part?>(Many(random, Part))),
        Immutable = Perhaps(random, () => System.Collections.Immutable.ImmutableList.CreateRange(Many(random, Part))),
        Sorted = Perhaps(random, () => new SortedDictionary<int, Before.Part?>(Keyed(Many(random, Part), number => -number))),
        Cells = Perhaps(random, () => Many(random, Cell)),
        Cell = random.Next(2) == 0 ? null : Cell(random),
        Node = Node(random),
        Nodes = Perhaps(random, () => Many(random, Node)),
        Any = Any(random),
        Anything = Perhaps(random, () => Many(random, Any)),
    };

    private static Before.Part? Part(Random random) => random.Next(9) == 0 ? new Before.Part() : new Before.Part
    {
        Id = random.Next(),
        Name = Text(random),
        Gone = random.NextDouble(),
        Key = Guid.NewGuid(),
        Lost = Text(random),
    };

    private static Before.Cell Cell(Random random) => new() { X = random.Next(), Text = Text(random), Gone = random.Next(2) == 0 };

    private static Before.Node? Node(Random random) => random.Next(3) == 0
        ? new Before.NodeLeaf { Number = random.Next(), More = (short)random.Next(), Gone = Text(random) }
        : new Before.Node
        {
            Number = random.Next(),
            Gone = Text(random),
            Next = random.Next(3) == 0 ? Node(random) : null,
            Part = random.Next(2) == 0 ? Part(random) : null,
        };

    private static object? Any(Random random) => random.Next(5) switch
    {
        0 => Part(random),
        1 => Node(random),
        2 => Cell(random),
        3 => Text(random),
        _ => random.Next(),
    };

    private static string? Text(Random random) => random.Next(6) switch
    {
        0 => null,
        1 => new string('λ', random.Next(40)),
        2 => new string('x', random.Next(60, 200)),
        _ => new string('é', random.Next(20)),
    };

    private static T? Perhaps<T>(Random random, Func<T> make)
        where T : class => random.Next(4) == 0 ? null : make();

    private static List<T> Many<T>(Random random, Func<Random, T> make) =>
        [.. Enumerable.Range(0, random.Next(3) == 0 ? 40 : random.Next(6)).Select(_ => make(random))];

    private static Dictionary<TKey, T> Keyed<TKey, T>(List<T> values, Func<int, TKey> key)
        where TKey : notnull => values.Select((value, i) => KeyValuePair.Create(key(i), value)).ToDictionary();
}
