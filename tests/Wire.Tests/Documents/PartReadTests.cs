using System.Collections.Immutable;
using System.Reflection;
using Wire.Testing;
using Wire.Tests.Golden;
using Xunit;

namespace Wire.Tests.Documents;

/// <summary>Reading one part of a payload gives what reading all of it and going there gives.</summary>
public class PartReadTests
{
    private static readonly int Graphs = Sweep.IsWhole ? 400 : 80;

    private static readonly SerializerOptions Options = new() { TypeFilter = WireTypeFilter.Unrestricted };

    private static readonly Serializer Copies = new(Options);

    private static readonly Serializer References = new(Options with { PreserveObjectReferences = true });

    public interface ILeaf;

    public enum Color : byte
    {
        Red = 1,
        Green = 2,
    }

    [Fact]
    public void A_member_is_read_as_its_type()
    {
        byte[] payload = Copies.Serialize(Example());
        Assert.Equal("Ada", Copies.Read<string>(payload, "Name"));
        Assert.Equal(7, Copies.Read<int>(payload, "Number"));
        Assert.Equal(7L, Copies.Read<long>(payload, "Number"));
        Assert.Equal(7, Copies.Read<object>(payload, "Number"));
        Assert.Equal(7, Copies.Read<IComparable>(payload, "Number"));
        Assert.Equal(7, Copies.Read<int?>(payload, "Number"));
        Assert.Equal(Color.Green, Copies.Read<Color>(payload, "Color"));
        Assert.Equal(new Point(3, 4), Copies.Read<Point>(payload, "Corner"));
        Assert.Equal(new Point(3, 4), Copies.Read<Point?>(payload, "Corner"));
        Assert.Equal(4, Copies.Read<int>(payload, "Corner.Y"));
        Assert.Equal(new Point(1, 2), Copies.Read<Point>(payload, "Any"));
        Assert.Equal(2, Copies.Read<int>(payload, "Any.Y"));
        Assert.Equal(new Leaf("x"), Copies.Read<ILeaf>(payload, "Leaf"));
        Assert.Equal(new Leaf("x"), Copies.Read<Leaf>(payload, "Leaf"));
        Assert.Equal(["a", "b"], Copies.Read<List<string>>(payload, "Texts"));
        Assert.Equal(["a", "b"], Copies.Read<string[]>(payload, "Texts")!);
        Assert.Equal("b", Copies.Read<string>(payload, "Texts[1]"));
        Assert.Equal("b", Copies.Read<object>(payload, "Texts[1]"));
        Assert.Equal(6, Copies.Read<int>(payload, "Grid[4]"));
        Assert.Equal(30, Copies.Read<int>(payload, "ByName[\"c\"]"));
        Assert.Equal("number", Copies.Read<string>(payload, "ByAny[1]"));
        Assert.Equal("text", Copies.Read<string>(payload, "ByAny[\"1\"]"));
        Assert.Equal("color", Copies.Read<string>(payload, "ByAny[Green]"));
        Assert.Equal("day", Copies.Read<string>(payload, "ByAny[2024-02-29]"));
        Assert.Equal("minus", Copies.Read<string>(payload, "ByAny[\"-1\"]"));
        Assert.Null(Copies.Read<string>(payload, "Nothing"));
        Assert.Null(Copies.Read<int?>(payload, "MaybeNumber"));
        Assert.Null(Copies.Read<object>(payload, "MaybeNumber"));
        Assert.Equal(Example().Name, Copies.Read<Everything>(payload, "")!.Name);
    }

    [Fact]
    public void What_is_not_there_is_not_found()
    {
        foreach (Serializer serializer in new[] { Copies, References })
        {
            byte[] payload = serializer.Serialize(Example());
            foreach (string path in new[]
            {
                "name", "Number.Value", "Texts[2]", "Texts.Count", "ByName[\"d\"]", "ByName.a", "ByAny[2]", "Nothing.Length", "Corner[0]",
                "Texts[\"1\"]", "[0]", "MaybeNumber.Value", "Name.Length",
            })
            {
                Assert.False(PayloadDocument.Parse(payload).Root.TryGet(path, out _), path);
                Assert.False(serializer.TryRead(payload, path, out object? value), path);
                Assert.Null(value);
                KeyNotFoundException absent = Assert.Throws<KeyNotFoundException>(() => serializer.Read<object>(payload, path));
                Assert.Contains($"'{path}'", absent.Message, StringComparison.Ordinal);
            }

            Assert.Throws<FormatException>(() => serializer.Read<object>(payload, "a..b"));
            Assert.False(serializer.TryRead(serializer.Serialize<object?>(null), "a", out object? _));
            Assert.False(serializer.TryRead(serializer.Serialize(5), "a", out object? _));
        }
    }

    [Fact]
    public void A_value_in_a_variable_of_object_is_read_as_its_type()
    {
        foreach (Serializer serializer in new[] { Copies, References })
        {
            byte[] payload = serializer.Serialize(new object?[] { "text", new Version(1, 2), new Uri("http://a/"), typeof(int), 5, null });
            Assert.Equal("text", serializer.Read<string>(payload, "[0]"));
            Assert.Equal(new Version(1, 2), serializer.Read<Version>(payload, "[1]"));
            Assert.Equal(new Uri("http://a/"), serializer.Read<Uri>(payload, "[2]"));
            Assert.Equal(typeof(int), serializer.Read<Type>(payload, "[3]"));
            Assert.Equal(5, serializer.Read<int?>(payload, "[4]"));
            Assert.Null(serializer.Read<string>(payload, "[5]"));
            Assert.Null(serializer.Read<int?>(payload, "[5]"));
            Assert.Throws<WireFormatException>(() => serializer.Read<int>(payload, "[5]"));
            Assert.Throws<WireFormatException>(() => serializer.Read<string>(payload, "[4]"));
        }
    }

    [Fact]
    public void Of_keys_of_several_types_with_one_text_none_is_found()
    {
        var map = new Dictionary<object, string> { [1] = "int", [1L] = "long", ["1"] = "string", [(byte)2] = "byte" };
        foreach (Serializer serializer in new[] { Copies, References })
        {
            byte[] payload = serializer.Serialize(map);
            PayloadNode root = PayloadDocument.Parse(payload).Root;
            Assert.False(serializer.TryRead(payload, "[1]", out string? value) && value != "string");
            Assert.Equal(root.TryGet("[1]", out PayloadNode node), serializer.TryRead(payload, "[1]", out value));
            Assert.Equal("string", serializer.Read<string>(payload, "[\"1\"]"));
            Assert.True(root.TryGet("[\"1\"]", out node) && node.GetText() == "string");
            Assert.Equal("byte", serializer.Read<string>(payload, "[2]"));
            Assert.True(root.TryGet("[2]", out node) && node.GetText() == "byte");

            byte[] numbers = serializer.Serialize(new Dictionary<object, string> { [1] = "int", [1L] = "long" });
            Assert.False(serializer.TryRead(numbers, "[1]", out string? _));
            Assert.False(PayloadDocument.Parse(numbers).Root.TryGet("[1]", out _));
        }
    }

    [Fact]
    public void What_is_skipped_takes_no_more_levels_than_when_it_is_read()
    {
        Node? chain = null;
        for (int i = 0; i < 900; i++)
        {
            chain = new Node { Left = chain, Any = i % 2 == 0 ? new object[] { 1 } : null };
        }

        foreach (Serializer serializer in new[] { Copies, References })
        {
            byte[] payload = serializer.Serialize(new object[] { chain!, "last" });
            int depth = PayloadDocument.Parse(payload).Depth;
            var exact = new Serializer(serializer.Options with { Limits = new Limits { MaxDepth = depth } });
            Assert.Equal("last", exact.Read<string>(payload, "[1]"));
            Assert.Equal(2, exact.Deserialize<object[]>(payload)!.Length);
            var less = new Serializer(serializer.Options with { Limits = new Limits { MaxDepth = depth - 2 } });
            Assert.Equal(WireFormatError.Limit, Assert.Throws<WireFormatException>(() => less.Read<string>(payload, "[1]")).Error);

            using SerializerSession writing = serializer.GetSerializerSession();
            using DeserializerSession reading = exact.GetDeserializerSession();
            Assert.Equal("last", exact.Read<string>(serializer.Serialize(new object[] { chain!, "last" }, writing), "[1]", reading));
            Assert.Equal("n", exact.Deserialize<Node>(serializer.Serialize(new Node { Name = "n" }, writing), reading)!.Name);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Every_value_of_a_graph_is_what_is_there_in_the_whole(bool references)
    {
        Serializer serializer = references ? References : Copies;
        var equality = new GraphEquality(serializer);
        for (int seed = 0; seed < Graphs; seed++)
        {
            Node root = new Maker(new Random(seed), references).MakeGraph();
            byte[] payload = serializer.Serialize(root);
            Node whole = serializer.Deserialize<Node>(payload)!;
            foreach ((string path, object? value, Type type) in Walk(whole).Take(200))
            {
                object? read = Read(serializer, type, payload, path);
                GraphDifference? difference = equality.FindDifference(value, read);
                Assert.True(difference is null, $"seed {seed}, '{path}': {difference}");
                difference = equality.FindDifference(value, Read(serializer, typeof(object), payload, path, mayBeUntold: true));
                Assert.True(difference is null, $"seed {seed}, '{path}' as object: {difference}");
            }
        }
    }

    [Fact]
    public void A_message_of_a_session_is_read_in_part_and_leaves_its_types()
    {
        using SerializerSession writing = References.GetSerializerSession();
        using DeserializerSession reading = References.GetDeserializerSession();
        var random = new Random(1);
        for (int i = 0; i < 50; i++)
        {
            Node root = new Maker(random, references: true).MakeGraph();
            byte[] payload = References.Serialize(root, writing);
            foreach ((string path, object? value, Type type) in Walk(root).Take(20))
            {
                if (type == typeof(string))
                {
                    Assert.Equal((string?)value, References.Read<string>(payload, path, reading));
                }
            }

            if (i % 3 == 0)
            {
                GraphDifference? difference =
                    new GraphEquality(References).FindDifference(root, References.Deserialize<Node>(payload, reading));
                Assert.True(difference is null, $"{difference}");
            }
        }
    }

    [Fact]
    public void Every_named_value_of_the_golden_payloads_is_read_alone()
    {
        int read = 0;
        foreach (GoldenSample sample in GoldenSamples.All)
        {
            byte[] payload = Copies.Serialize(sample.Value);
            foreach ((string path, PayloadNode node) in NodeWalk.Paths(PayloadDocument.Parse(payload).Root).Skip(1).Take(100))
            {
                if (node.Kind == PayloadKind.Scalar && node.EnumName is null && node.Type is null && node.ScalarType != typeof(Type)
                    && node.RawBytes.Length > 0 && Copies.TryRead(payload, path, out object? scalar))
                {
                    Assert.Equal(node.GetText(), PayloadDocument.Parse(Copies.Serialize(scalar)).Root.GetText());
                    read++;
                }
                else if (node.Type is { IsNamed: true } && node.Kind is not PayloadKind.Opaque)
                {
                    object? value = Copies.Read<object>(payload, path);
                    Assert.Equal(node.ToString(), PayloadDocument.Parse(Copies.Serialize(value)).ToString());
                    read++;
                }
            }
        }

        Assert.InRange(read, 500, int.MaxValue);
    }

    [Fact]
    public void Elements_of_a_recursive_layout_are_read_alone()
    {
        var value = new Recursive(1, [new(2, [new(3, default)]), new(4, [])]);
        byte[] payload = Copies.Serialize(new object[] { value });
        Assert.Equal(2, Copies.Read<Recursive>(payload, "[0].Inside[0]").Number);
        ImmutableArray<Recursive> inside = Copies.Read<ImmutableArray<Recursive>>(payload, "[0].Inside");
        Assert.Equal((2, 3, 4), (inside[0].Number, inside[0].Inside[0].Number, inside[1].Number));
        List<Recursive> deep = Copies.Read<List<Recursive>>(payload, "[0].Inside[0].Inside")!;
        Assert.Equal(3, Assert.Single(deep).Number);
        Assert.True(deep[0].Inside.IsDefault);
    }

    [Fact]
    public void Unknown_members_of_a_part_are_kept_with_what_they_refer_to()
    {
        var shared = new Node { Name = "shared" };
        Serializer writer = new(Options with
        {
            PreserveObjectReferences = true,
            TypeAliases = TypeAliases.None.Alias<Newer>("Kept").Alias<Node>("Node"),
        });
        Serializer reader = new(Options with
        {
            PreserveObjectReferences = true,
            TypeAliases = TypeAliases.None.Alias<Older>("Kept").Alias<Node>("Node"),
        });
        byte[] payload = writer.Serialize(new object[] { shared, new Newer { Number = 5, More = shared } });
        Older part = reader.Read<Older>(payload, "[1]")!;
        Assert.Equal(5, part.Number);
        Newer back = writer.Deserialize<Newer>(reader.Serialize(part))!;
        Assert.Equal("shared", back.More?.Name);
    }

    [Fact]
    public void Only_the_types_of_the_value_must_be_there_and_be_allowed()
    {
        var writer = new Serializer(Options with { TypeAliases = TypeAliases.None.Alias<Leaf>("Gone.Leaf") });
        byte[] payload = writer.Serialize(new object[] { new Leaf("x"), new Point(1, 2), new Everything { Name = "y" } });
        var reader = new Serializer(new SerializerOptions());

        Assert.Equal(new Point(1, 2), reader.Read<Point>(payload, "[1]"));
        Assert.Equal("y", reader.Read<string>(payload, "[2].Name"));
        Assert.Equal("x", reader.Read<string>(payload, "[0].Text"));
        Assert.Throws<TypeRefusedException>(() => reader.Read<object>(payload, "[1]"));
        Assert.ThrowsAny<Exception>(() => reader.Deserialize<object[]>(payload));

        var denying = new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.Deny<Point>() });
        Assert.Throws<TypeRefusedException>(() => denying.Read<Point>(payload, "[1]"));
        Assert.Throws<TypeRefusedException>(() => denying.Read<Point>(Copies.Serialize(Example()), "Corner"));
    }

    [Fact]
    public void An_error_says_where()
    {
        byte[] payload = Copies.Serialize(new Everything { Leaf = new Leaf("x"), Any = new object[] { 1, new Point(1, 2) } });
        WireFormatException wrong = Assert.Throws<WireFormatException>(() => Copies.Read<DateTime>(payload, "Name"));
        Assert.Equal(WireFormatError.SchemaMismatch, wrong.Error);
        Assert.Equal("Name", wrong.MemberPath);
        wrong = Assert.Throws<WireFormatException>(() => Copies.Read<Leaf>(payload, "Any"));
        Assert.Equal((WireFormatError.TypeMismatch, "Any"), (wrong.Error, wrong.MemberPath));
        Assert.Equal("Any", wrong.MemberPath);
        wrong = Assert.Throws<WireFormatException>(() => Copies.Read<int>(payload, "Any[1]"));
        Assert.Equal("Any[1]", wrong.MemberPath);

        byte[] cut = Copies.Serialize(new object[] { new List<string> { "a", "b" }, "c" })[..^5];
        wrong = Assert.Throws<WireFormatException>(() => Copies.Read<List<string>>(cut, "[0]"));
        Assert.Equal((WireFormatError.Truncated, "[0][1]"), (wrong.Error, wrong.MemberPath));

        // The next one is read as if there had been none.
        Assert.Equal("x", Copies.Read<string>(payload, "Leaf.Text"));
        wrong = Assert.Throws<WireFormatException>(() => Copies.Deserialize<List<string>>(payload));
        Assert.Equal("", wrong.MemberPath);
    }

    [Fact]
    public void What_is_behind_the_value_is_not_read()
    {
        byte[] payload = Copies.Serialize(new object[] { "first", 5, "last" });
        payload[^1] = 0xFF;
        Assert.Equal(5, Copies.Read<int>(payload.AsSpan(0, payload.Length - 3), "[1]"));
    }

    private static Everything Example() => new()
    {
        Any = new Point(1, 2),
        ByAny = { [1] = "number", ["1"] = "text", [Color.Green] = "color", [new DateOnly(2024, 2, 29)] = "day", [-1] = "minus" },
        ByName = { ["a"] = 10, ["b"] = 20, ["c"] = 30 },
        Color = Color.Green,
        Corner = new(3, 4),
        Grid = new[,] { { 1, 2, 3 }, { 5, 6, 7 } },
        Leaf = new Leaf("x"),
        Name = "Ada",
        Number = 7,
        Texts = ["a", "b"],
    };

    private static object? Read(Serializer serializer, Type type, byte[] payload, string path, bool mayBeUntold = false)
    {
        try
        {
            MethodInfo method = typeof(PartReadTests).GetMethod(nameof(ReadAs), BindingFlags.NonPublic | BindingFlags.Static)!;
            return method.MakeGenericMethod(type).Invoke(null, [serializer, payload, path]);
        }
        catch (TargetInvocationException e)
            when (mayBeUntold && e.InnerException is WireFormatException
            {
                Error: WireFormatError.SchemaMismatch or WireFormatError.Manifest,
            })
        {
            // A value of a type that only the member's declaration says.
            return Read(serializer, TypeAt(path), payload, path);
        }
    }

    private static Type TypeAt(string path) =>
        path.EndsWith("Point", StringComparison.Ordinal) ? typeof(Point)
        : path.EndsWith("Items", StringComparison.Ordinal) ? typeof(List<Node?>)
        : path.EndsWith("Map", StringComparison.Ordinal) ? typeof(Dictionary<string, object?>)
        : path.EndsWith("Leaf", StringComparison.Ordinal) ? typeof(Leaf)
        : typeof(Node);

    private static T? ReadAs<T>(Serializer serializer, byte[] payload, string path) => serializer.Read<T>(payload, path);

    // Breadth first, through each object once.
    private static IEnumerable<(string Path, object? Value, Type Type)> Walk(Node root)
    {
        var seen = new HashSet<object>(ReferenceEqualityComparer.Instance);
        var open = new Queue<(string Path, object? Value, Type Type)>([("", root, typeof(Node))]);
        while (open.TryDequeue(out (string Path, object? Value, Type Type) next))
        {
            if (next.Path.Length > 0)
            {
                yield return next;
            }

            if (next.Value is null || !seen.Add(next.Value))
            {
                continue;
            }

            string point = next.Path.Length == 0 ? "" : next.Path + ".";
            switch (next.Value)
            {
                case Node node:
                    open.Enqueue((point + "Name", node.Name, typeof(string)));
                    open.Enqueue((point + "Left", node.Left, typeof(Node)));
                    open.Enqueue((point + "Any", node.Any, typeof(object)));
                    open.Enqueue((point + "Point", node.Point, typeof(Point)));
                    open.Enqueue((point + "Leaf", node.Leaf, typeof(Leaf)));
                    open.Enqueue((point + "Items", node.Items, typeof(List<Node?>)));
                    open.Enqueue((point + "Map", node.Map, typeof(Dictionary<string, object?>)));
                    if (node is Derived derived)
                    {
                        open.Enqueue((point + "More", derived.More, typeof(object[])));
                    }

                    break;
                case List<Node?> items:
                    for (int i = 0; i < items.Count; i++)
                    {
                        open.Enqueue(($"{next.Path}[{i}]", items[i], typeof(Node)));
                    }

                    break;
                case object?[] items:
                    for (int i = 0; i < items.Length; i++)
                    {
                        open.Enqueue(($"{next.Path}[{i}]", items[i], typeof(object)));
                    }

                    break;
                case Dictionary<string, object?> map:
                    foreach ((string key, object? value) in map)
                    {
                        open.Enqueue(($"{next.Path}[\"{key}\"]", value, typeof(object)));
                    }

                    break;
            }
        }
    }

    public readonly record struct Point(int X, int Y);

    public readonly record struct Recursive(int Number, ImmutableArray<Recursive> Inside);

    public class Newer
    {
        public int Number { get; set; }

        public Node? More { get; set; }
    }

    public class Older : IUnknownMembers
    {
        public int Number { get; set; }

        UnknownMembers? IUnknownMembers.UnknownMembers { get; set; }
    }

    public sealed record Leaf(string Text) : ILeaf;

    public class Node
    {
        public object? Any { get; set; }

        public List<Node?>? Items { get; set; }

        public Leaf? Leaf { get; set; }

        public Node? Left { get; set; }

        public Dictionary<string, object?>? Map { get; set; }

        public string? Name { get; set; }

        public Point Point { get; set; }
    }

    public class Derived : Node
    {
        public object?[]? More { get; set; }
    }

    public sealed class Everything
    {
        public object? Any { get; set; }

        public Dictionary<object, string> ByAny { get; init; } = [];

        public Dictionary<string, int> ByName { get; init; } = [];

        public Color Color { get; set; }

        public Point Corner { get; set; }

        public int[,]? Grid { get; set; }

        public ILeaf? Leaf { get; set; }

        public int? MaybeNumber { get; set; }

        public string? Name { get; set; }

        public string? Nothing { get; set; }

        public int Number { get; set; }

        public List<string>? Texts { get; set; }
    }

    private sealed class Maker(Random random, bool references)
    {
        private readonly List<object> _made = [];
        private int _left = 25;

        public Node MakeGraph() => MakeNode();

        private Node MakeNode()
        {
            _left--;
            Node node = random.Next(3) == 0 ? new Derived() : new Node();
            _made.Add(node);
            node.Name = random.Next(3) == 0 ? null : $"n{random.Next(100)}";
            node.Point = new Point(random.Next(5), random.Next(300));
            node.Leaf = random.Next(2) == 0 ? null : Shared<Leaf>() ?? Add(new Leaf($"leaf {random.Next(9)}"));
            node.Left = MakeMaybe();
            node.Any = MakeAny();
            if (random.Next(2) == 0)
            {
                node.Items = Add(new List<Node?>());
                for (int i = random.Next(5); i > 0; i--)
                {
                    node.Items.Add(MakeMaybe());
                }
            }

            if (random.Next(2) == 0)
            {
                node.Map = Shared<Dictionary<string, object?>>() ?? Add(new Dictionary<string, object?>());
                for (int i = random.Next(4); i > 0; i--)
                {
                    node.Map[$"k{random.Next(6)}"] = MakeAny();
                }
            }

            if (node is Derived derived && random.Next(2) == 0)
            {
                derived.More = Add(new object?[random.Next(5)]);
                for (int i = 0; i < derived.More.Length; i++)
                {
                    derived.More[i] = MakeAny();
                }
            }

            return node;
        }

        private Node? MakeMaybe() => Shared<Node>() ?? (_left > 0 && random.Next(3) > 0 ? MakeNode() : null);

        private object? MakeAny() => random.Next(9) switch
        {
            0 => null,
            1 => random.Next(1000),
            2 => "text",
            3 => new Point(1, random.Next(9)),
            4 => Shared<object>(),
            5 => Add(new object?[] { 1, Shared<object>() }),
            6 => new DateOnly(2024, 1, 1),
            7 => Color.Green,
            _ => MakeMaybe(),
        };

        private T Add<T>(T value)
            where T : class
        {
            _made.Add(value);
            return value;
        }

        private T? Shared<T>()
            where T : class
        {
            T[] known = references && random.Next(3) == 0 ? [.. _made.OfType<T>()] : [];
            return known.Length == 0 ? null : known[random.Next(known.Length)];
        }
    }
}
