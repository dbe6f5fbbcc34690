using System.Collections;

namespace Wire.Generator.Model;

/// <summary>An array that equals another with equal elements, as the steps of a generator compare what they get.</summary>
/// <typeparam name="T">The type of the elements.</typeparam>
/// <param name="items">The elements, which nothing changes afterwards.</param>
internal readonly struct EquatableArray<T>(T[] items) : IEquatable<EquatableArray<T>>, IReadOnlyList<T>
    where T : IEquatable<T>
{
    private readonly T[]? _items = items;

    public int Count => Items.Length;

    private T[] Items => _items ?? [];

    public T this[int index] => Items[index];

    public bool Equals(EquatableArray<T> other) => Items.AsSpan().SequenceEqual(other.Items);

    public override bool Equals(object? obj) => obj is EquatableArray<T> other && Equals(other);

    public override int GetHashCode()
    {
        int hash = Items.Length;
        foreach (T item in Items)
        {
            hash = unchecked((hash * 31) + item.GetHashCode());
        }

        return hash;
    }

    public IEnumerator<T> GetEnumerator() => ((IEnumerable<T>)Items).GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
