namespace Wire.Tests.Contracting.Products;

#pragma warning disable CA1028, CA1711, CA2217 // The forms of enums are what is tried.

internal sealed class Holder<T>
{
    public T? X { get; set; }
}

internal enum Small : byte
{
    A,
    B,
}

internal enum Plain
{
    A,
    B,
}

/// <summary>Has the names of <see cref="Plain"/>, with other numbers.</summary>
internal enum Moved
{
    C,
    A,
    B,
}

internal enum Wide : long
{
    A = -1,
    B = long.MaxValue,
}

[Flags]
internal enum Bits
{
    A = 1,
    B = 2,
    C = 4,
}

internal record struct Both(int A, int B);

internal record struct One(int A);

internal record struct Far(int C);

internal record struct Text(string? A);

internal record struct Nothing;

internal record struct Pair<T>(T A);

internal record struct Around(One A, int B);

internal interface IThing;

internal sealed record Leaf : IThing
{
    public int V { get; set; }
}

internal sealed record Twin
{
    public int V { get; set; }
}

internal sealed record Other
{
    public int W { get; set; }
}

internal sealed record Bare;

internal record Open
{
    public int V { get; set; }
}

internal sealed record Derived : Open, IThing
{
    public int W { get; set; }
}

internal abstract record Shape;

internal sealed record Circle : Shape
{
    public int R { get; set; }
}

internal sealed record Box<T>
{
    public T? V { get; set; }
}

internal record Case<T>
{
    public T? V { get; set; }
}

internal sealed class MyList : List<int>;

internal sealed class Lines : System.Collections.ObjectModel.KeyedCollection<int, string>
{
    protected override int GetKeyForItem(string item) => item.Length;
}
