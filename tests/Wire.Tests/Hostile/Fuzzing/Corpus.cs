using System.Numerics;
using System.Runtime.InteropServices;
using System.Text;
using Wire.Tests.Behaviour;

namespace Wire.Tests.Hostile.Fuzzing;

/// <summary>Values of many kinds, of which the good inputs of the targets are made.</summary>
internal static class Corpus
{
    [WireName("Hostile.Order")]
    public sealed class WrittenOrder
    {
        public short Number;
        public string? Text;
        public object? Gone;
        public List<Point>? GonePoints;
        public Dictionary<string, Leaf>? GoneMap;
        public int[,]? GoneGrid;
        public Rich GoneStruct;
        public List<WrittenLine>? Lines;
        public WrittenLine First;
        public float Widened;
    }

    [WireName("Hostile.Line")]
    public struct WrittenLine
    {
        public byte Count;
        public string? Gone;
        public List<WrittenLine>? Inner;
    }

    [WireName("Hostile.Order")]
    public sealed class ReadOrder
    {
        public long Number;
        public string? Text;
        public List<ReadLine>? Lines;
        public ReadLine First;
        public double? Widened;
        public Leaf? Added;
    }

    [WireName("Hostile.Line")]
    public struct ReadLine
    {
        public decimal Count;
        public Point Added;
        public List<ReadLine>? Inner;
    }

    /// <summary>Fields over each other: plain bits, and what is refused wherever a payload has it.</summary>
    public sealed class Overlaid
    {
        public ExplicitLayoutTests.Numbers One;
        public ExplicitLayoutTests.Numbers[]? Many;
        public List<ExplicitLayoutTests.Numbers>? Listed;
        public ILaid? Laid;
    }

    public interface ILaid;

    public sealed class Flat : ILaid
    {
        public object? O;
    }

    /// <summary>No payload makes one: it could put an object into the text.</summary>
    [StructLayout(LayoutKind.Explicit)]
    public sealed class Over : ILaid
    {
        [FieldOffset(0)]
        public object? O;

        [FieldOffset(0)]
        public string? S;
    }

    public static Bag FullBag()
    {
        var dog = new Dog { Name = "Rex", Weight = 1.5, Friend = new Cat { Lives = 9, Name = "\u4F60" } };
        return new Bag
        {
            Animals = [dog, null, new Puppy { Mother = dog, Name = "Pup" }],
            Map = new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase)
            {
                ["a"] = 1,
                ["b"] = new Point { X = 2 },
                ["c"] = null,
            },
            Numbers = [1, 2, 3],
            Things =
            [
                1,
                "two",
                3.0,
                4m,
                Color.Blue,
                new DateTime(2026, 1, 1),
                Guid.Empty,
                new Uri("http://a.b/c"),
                new Version(1, 2),
                dog,
                typeof(int),
            ],
            Points = [new Point { X = 1 }, new Point { Y = 2 }],
            Nodes = [new Node { Next = new Node { Extra = new List<int> { 1 } } }],
            Grid = new[,] { { 1, 2 }, { 3, 4 } },
            Leaf = new Leaf { Id = 5, Text = new string('x', 100) },
            Color = Color.Green,
            MaybeColor = Color.Blue,
            Bytes = [1, 2, 3],
            Money = 12.34m,
            Riches = [new Rich { Label = "r", Maybe = 3, Inner = [new Rich { Label = "i" }] }],
            Boxed = new Box<Point> { Value = new Point { X = 8 } },
        };
    }

    public static WrittenOrder Order() => new()
    {
        Number = 7,
        Text = "text",
        Gone = new object[] { 1, "s", new Leaf { Id = 1 }, new Dictionary<int, string> { [1] = "x" }, new int[2, 2], new Version(1, 2) },
        GonePoints = [new Point { X = 1 }],
        GoneMap = new() { ["k"] = new Leaf { Text = "v" } },
        GoneGrid = new int[2, 3],
        GoneStruct = new Rich { Label = "l", Any = 5, Inner = [new Rich { Maybe = 1 }] },
        Lines = [new WrittenLine { Count = 1, Gone = "g", Inner = [new WrittenLine { Count = 2 }] }, default],
        First = new WrittenLine { Count = 3, Inner = [default] },
        Widened = 1.25f,
    };

    public static Node Cycle()
    {
        var cycle = new Node { Value = 1, Next = new Node { Value = 2 } };
        cycle.Next.Next = cycle;
        cycle.Extra = new object[] { cycle, cycle.Next };
        return cycle;
    }

    /// <summary>Values of every type that has a tag, and some others, without references.</summary>
    public static (string Name, object Value)[] Trees() =>
    [
        ("values", new object[]
        {
            true, (sbyte)1, (byte)2, (short)3, (ushort)4, 5, 6u, 7L, 8ul, (Int128)9, (UInt128)10, (nint)11, (nuint)12, (Half)13, 14f, 15.0,
            16m,
            'c', new Rune('r'), new Guid(
                1,
                2,
                3,
                4,
                5,
                6,
                7,
                8,
                9,
                10,
                11), DateTime.UnixEpoch, DateTimeOffset.UnixEpoch, TimeSpan.FromSeconds(1), new DateOnly(2026, 1, 1),
            new TimeOnly(1, 2), new Complex(1, 2), "s", new Uri("a/b", UriKind.Relative), new Version(1, 2, 3, 4),
            BigInteger.Pow(
                7,
                99), typeof(Dictionary<string, int[]>), new object(), new int[3], new string?[] { "a", null }, new bool[2], new object[1],
            (1, "two"), Tuple.Create(1, "two"), new KeyValuePair<string, int>("k", 1),
        }),
        ("bag", FullBag()),
        ("poco", Poco.Sample()),
        ("nested lists", new List<List<Dictionary<string, int[]>>> { new() { new() { ["a"] = [1, 2] } } }),
        ("grids", new object[] { new string[1, 2, 1], new int[2, 2], Array.CreateInstance(typeof(int), [2], [5]) }),
        ("sets", new object[] { new HashSet<string>(StringComparer.Ordinal) { "a" }, new HashSet<Point> { default } }),
        ("nullables", new List<int?> { 1, null }),
        ("long text", new string('y', 300) + "\u4F60"),
    ];

    /// <summary>Values that are shared or in circles.</summary>
    public static (string Name, object Value)[] Graphs() =>
    [
        ("bag with references", FullBag()),
        ("cycle", Cycle()),
        ("boxes", new object[] { new Rich { Any = new Leaf() }, new Box<Rich>() }),
        .. Enumerable.Range(1, 12).Select(seed => ($"graph {seed}", GraphBuilder.FromSeed(seed, cycles: true)!)),
    ];
}

/// <summary>A user's value serializer.</summary>
internal sealed class PocoSerializer : ValueSerializer<Poco>
{
    public override void Write(ref WireWriter writer, Poco value)
    {
        writer.WriteVarUInt32((uint)value.Id);
        writer.WriteString(value.Name);
        writer.WriteValue<object?>(value.Price);
    }

    public override Poco Read(ref WireReader reader) => new()
    {
        Id = (int)reader.ReadVarUInt32(),
        Name = reader.ReadString(),
        Price = reader.ReadValue<object?>() as double? ?? 0,
    };
}
