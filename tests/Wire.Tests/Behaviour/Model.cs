namespace Wire.Tests.Behaviour;

public enum Color : short
{
    Red,
    Green,
    Blue = 300,
}

public abstract class Animal
{
    public string? Name;
}

public sealed class Cat : Animal
{
    public int Lives;
}

public class Dog : Animal
{
    public double Weight;
    public Animal? Friend;
}

public sealed class Puppy : Dog
{
    public Dog? Mother;
}

public class Node
{
    public int Value;
    public Node? Next;
    public object? Extra;
}

public sealed class Leaf
{
    public long Id;
    public string? Text;
}

public struct Point
{
    public int X;
    public int Y;
}

public struct Rich
{
    public string? Label;
    public Point At;
    public object? Any;
    public int? Maybe;
    public List<Rich>? Inner;
}

public sealed class Box<T>
{
    public T? Value;
}

public sealed class Bag
{
    public List<Animal?>? Animals;
    public Dictionary<string, object?>? Map;
    public HashSet<int>? Numbers;
    public object?[]? Things;
    public Point[]? Points;
    public Node?[]? Nodes;
    public int[,]? Grid;
    public Leaf? Leaf;
    public Color Color;
    public Color? MaybeColor;
    public byte[]? Bytes;
    public decimal Money;
    public List<Rich>? Riches;
    public Box<Point>? Boxed;
    public Rich Rich;
}

public sealed class Poco
{
    public int Id { get; set; }

    public string? Name { get; set; }

    public double Price { get; set; }

    public DateTime When { get; set; }

    public static Poco Sample() =>
        new() { Id = 7, Name = "a name", Price = 1.5, When = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc) };
}

/// <summary>Says that it equals everything, until somebody asks: then it throws.</summary>
public sealed class HostileEquality
{
    public int Id;
    public HostileEquality? Other;

    public override bool Equals(object? obj) => throw new InvalidOperationException("Equals was called.");

    public override int GetHashCode() => throw new InvalidOperationException("GetHashCode was called.");
}

/// <summary>Says that it equals everything.</summary>
public sealed class AllEqual
{
    public int Id;

    public override bool Equals(object? obj) => true;

    public override int GetHashCode() => 1;
}
