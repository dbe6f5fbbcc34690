using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Into;

/// <summary>The objects into which the tests read, and what reads them.</summary>
internal static class IntoSamples
{
    public static SerializerOptions Options { get; } = new() { TypeFilter = Configuration.Types };

    public static Serializer Plain { get; } = new(Options);

    public static Serializer Numbering { get; } = new(Options with { PreserveObjectReferences = true });

    /// <summary>A basket of so many lines.</summary>
    public static Basket Example(string name, int lines) => new()
    {
        Buyer = new Buyer { Name = name, Age = 30, Note = new string('n', 90), Since = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc) },
        Counts = [lines, 2, 3],
        Lines = [.. Enumerable.Range(0, lines).Select(i => new Line { Name = $"€ {i}", Price = i, Marks = [1, 2, i] })],
        ByName = Enumerable.Range(0, lines).ToDictionary(i => $"{i}", i => new Line { Name = $"by name {i}" }),
        Words = [.. Enumerable.Range(0, lines).Select(i => $"word {i}")],
    };

    public sealed class Basket
    {
        public Buyer? Buyer { get; set; }

        public List<Line> Lines { get; set; } = [];

        public Dictionary<string, Line> ByName { get; set; } = [];

        public HashSet<string> Words { get; set; } = [];

        public int[] Counts { get; set; } = [];

        public Line? Favourite { get; set; }
    }

    public sealed class Buyer
    {
        public string? Name { get; set; }

        public string? Note { get; set; }

        public int Age { get; set; }

        public DateTime Since { get; set; }
    }

    public sealed class Line
    {
        public string? Name { get; set; }

        public decimal Price { get; set; }

        public int[] Marks { get; set; } = [];
    }

    public sealed record Price(decimal Amount, string Currency)
    {
        public static Price Zero { get; } = new(0, "");
    }

    public sealed class Priced
    {
        public Price? Price { get; set; }

        public object? Any { get; set; }
    }

    [WireName("Into.Version")]
    public sealed class WrittenVersion
    {
        public string? Name { get; set; }
    }

    [WireName("Into.Version")]
    public sealed class Version
    {
        public string? Name { get; set; }

        public string? Added { get; set; }

        public int Number { get; set; }

        [IgnoreMember]
        public int Ignored { get; set; }

        public Leaf? Inner { get; set; }

        public override string ToString() => $"{Name} {Added} {Number} {Ignored} {Inner?.Id}";
    }

    [WireName("Into.Version")]
    public sealed class Constructed
    {
        public string? Name { get; set; } = "none";

        public int Number { get; set; } = 7;

        public Leaf? Inner { get; set; } = new() { Id = 8 };
    }

    public sealed class Called
    {
        public string? Name { get; set; }

        [IgnoreMember]
        public string? Seen { get; private set; }

        [System.Runtime.Serialization.OnDeserializing]
        public void Before(System.Runtime.Serialization.StreamingContext context) => Seen = $"before {Name}";

        [System.Runtime.Serialization.OnDeserialized]
        public void After(System.Runtime.Serialization.StreamingContext context) => Seen += $", after {Name}";
    }

    public sealed class OddComparer : IEqualityComparer<string>
    {
        public bool Equals(string? x, string? y) => x?.Length == y?.Length;

        public int GetHashCode(string obj) => obj.Length;
    }

    [WireName("Into.Corner")]
    public struct WrittenCorner
    {
        public int X { get; set; }
    }

    [WireName("Into.Corner")]
    public struct ReadCorner
    {
        public int X { get; set; }

        public int? Y { get; set; }

        [IgnoreMember]
        public int Seen { get; set; }
    }

    [WireName("Into.Square")]
    public sealed class WrittenSquare
    {
        public int Id { get; set; }

        public WrittenCorner At { get; set; }

        public string? Name { get; set; }
    }

    [WireName("Into.Square")]
    public sealed class Square
    {
        public int Id { get; set; }

        public ReadCorner At { get; set; }

        public string? Name { get; set; }

        public TimeSpan? Age { get; set; }

        [IgnoreMember]
        public DateTime? Cached { get; set; }
    }

    public readonly record struct Vector(double[] Values, string Unit)
    {
        public static Vector Zero { get; } = new(new double[3], "m");
    }
}
