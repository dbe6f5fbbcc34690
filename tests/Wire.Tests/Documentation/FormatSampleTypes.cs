using System.Runtime.Serialization;

namespace Wire.Tests.Documentation;

// The types of the samples in docs/format.md. Their names on the wire do not depend on where the tests live.
[WireName("Point")]
internal readonly record struct Point(int X, int Y);

[WireName("Order")]
internal sealed record Order(int Id, string? Note);

[WireName("Envelope")]
internal sealed record Envelope(Order? Content);

[WireName("Node")]
internal sealed class Node
{
    public Node? Next { get; set; }
}

[WireName("Tree")]
internal readonly record struct Tree(List<Tree>? Kids);

[WireName("Nothing")]
internal readonly record struct Nothing;

[WireName("Color")]
internal enum Color : byte
{
    Red,
    Green,
}

[WireName("Shapes")]
internal sealed class Shapes
{
    public object? A_Any { get; set; }

    public List<int>? B_Sequence { get; set; }

    public HashSet<int>? C_Set { get; set; }

    public Dictionary<int, string?>? D_Map { get; set; }

    public int[,]? E_Array { get; set; }

    public int? F_Nullable { get; set; }

    public Point G_Members { get; set; }

    public Tree H_Recursion { get; set; }

    public Nothing I_Fixed { get; set; }

    public Celsius J_Fixed { get; set; }

    public Label K_Framed { get; set; }
}

[WireName("Celsius")]
internal readonly record struct Celsius(double Degrees);

/// <summary>A user's value serializer of fixed size.</summary>
internal sealed class CelsiusSerializer : ValueSerializer<Celsius>
{
    public override int FixedSize => 2;

    public override void Write(ref WireWriter writer, Celsius value) => writer.WriteFixed((short)(value.Degrees * 10));

    public override Celsius Read(ref WireReader reader) => new(reader.ReadFixed<short>() / 10.0);
}

[WireName("Label")]
internal readonly record struct Label(string? Text);

/// <summary>A user's value serializer of varying size.</summary>
internal sealed class LabelSerializer : ValueSerializer<Label>
{
    public override void Write(ref WireWriter writer, Label value) => writer.WriteString(value.Text);

    public override Label Read(ref WireReader reader) => new(reader.ReadString());
}

/// <summary>Is written as an <see cref="int"/> by a surrogate.</summary>
[WireName("Ticket")]
internal sealed record Ticket(int Number);

internal sealed class Outer<T>
{
    internal sealed class Inner
    {
        public T? Value { get; set; }
    }
}

/// <summary>A list with a member of its own.</summary>
[WireName("Bag")]
internal sealed class Bag : List<int>
{
    public string? Name { get; set; } = "b";
}

[WireName("Calls")]
internal static class Calls
{
    public static int Answer() => 42;
}

/// <summary>A type with one instance.</summary>
[WireName("Ping")]
internal sealed class Ping
{
    public static Ping Instance { get; } = new();
}

/// <summary>A comparer of the program's own.</summary>
[WireName("ByRemainder")]
internal sealed class ByRemainder : IEqualityComparer<int>
{
    public int Divisor { get; init; }

    public bool Equals(int x, int y) => x % Divisor == y % Divisor;

    public int GetHashCode(int obj) => obj % Divisor;
}

/// <summary>A list with a field.</summary>
[WireName("Lines")]
internal sealed class Lines : List<string>
{
    public string? Title { get; set; }
}

/// <summary>Writes itself.</summary>
[WireName("Seal")]
internal sealed class Seal : ISerializable
{
    public Seal(int number) => Number = number;

    private Seal(SerializationInfo info, StreamingContext context) => Number = info.GetInt32("No");

    public int Number { get; }

    public void GetObjectData(SerializationInfo info, StreamingContext context) => info.AddValue("No", Number);
}
