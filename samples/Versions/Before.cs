namespace Versions;

/// <summary>Types as they were.</summary>
internal static class Before
{
    public enum Color
    {
        None,
        Red,
        Green,
    }

    public sealed class One
    {
        public int X { get; init; }
    }

    public sealed class Two
    {
        public int First { get; init; }

        public string? Second { get; init; }
    }

    public class Open
    {
        public int X { get; init; }
    }

    public class Derived : Open
    {
        public int Z { get; init; }
    }

    public readonly record struct Point
    {
        public int X { get; init; }
    }

    public readonly record struct Pair
    {
        public int X { get; init; }

        public int Y { get; init; }
    }
}
