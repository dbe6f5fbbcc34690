using System.Runtime.InteropServices;

namespace Wire;

/// <summary>
/// Adds elements that have all been read to a collection. First they are looked at: whoever made the bytes may have chosen them so
/// that hashing or comparing them, or putting them in their places, takes a time that grows with the square of the payload.
/// </summary>
internal readonly struct ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind>(
    DeserializerSession session, IPairSerializer? pair, object? comparer, KeyTable table, KeyStructure.Look look)
    where TEnumerator : IEnumerator<T>
    where TKind : struct, ICollectionKind<TCollection, T, TEnumerator, TBuilder>
{
    // How much of a key may be shared with others. What is shared takes no bytes, but time for each of them.
    private const int SharedParts = 16;

    // Keys of so many bytes take noticeably longer to compare.
    private const int BytesPerStep = 1024;

    private static readonly bool IsMap = typeof(T).IsGenericType && typeof(T).GetGenericTypeDefinition() == typeof(KeyValuePair<,>);

    /// <summary>How the collection finds its keys, when that has to be looked at.</summary>
    public KeyTable Table => table;

    /// <summary>Adds elements that were not read as this collection's, and whose structure needs no look.</summary>
    public static ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> For(DeserializerSession session, Type key, object? comparer, int count) =>
        new(session, null, comparer, count < Collisions.Threshold || KeyHashes.AreSecret(key, comparer) ? KeyTable.None : TKind.Table, KeyStructure.Look.None);

    public static void RefuseTwice() => Throw.InvalidValue(typeof(TCollection).Name, IsMap ? "a key comes twice" : "an element comes twice");

    /// <summary>Adds elements to a collection that has none.</summary>
    /// <param name="builder">The collection.</param>
    /// <param name="items">The elements.</param>
    /// <param name="bytes">How many bytes they took.</param>
    public void AddAll(TBuilder builder, List<T> items, long bytes = 0)
    {
        if (look != KeyStructure.Look.None)
        {
            CheckStructure(items, bytes);
        }

        try
        {
            if (TKind.AddsInOrder)
            {
                PutInOrder(items);
            }
            else if (table is not (KeyTable.None or KeyTable.List))
            {
                CheckCollisions(items, TKind.Reserve(builder, items.Count, comparer), 1 + (bytes / items.Count / BytesPerStep));
            }

            foreach (T item in CollectionsMarshal.AsSpan(items))
            {
                if (!TKind.Add(builder, item))
                {
                    RefuseTwice();
                }
            }
        }
        catch (Exception e) when (Throw.IsOfBytes(e))
        {
            throw Throw.Invalid(typeof(TCollection).ToString(), e);
        }
    }

    /// <summary>The hash codes of elements, as they are now.</summary>
    public int[] Codes(List<T> items)
    {
        var codes = new int[items.Count];
        for (int i = 0; i < codes.Length; i++)
        {
            codes[i] = TKind.HashOf(items[i], comparer);
        }

        return codes;
    }

    private void CheckStructure(List<T> items, long bytes)
    {
        long parts = -bytes - ((long)SharedParts * items.Count);
        foreach (T item in CollectionsMarshal.AsSpan(items))
        {
            parts += pair is not null ? pair.CheckKey(item!, look == KeyStructure.Look.WithArrays) : KeyStructure.Check(TKind.Compared(item), look == KeyStructure.Look.WithArrays);
            if (parts > session.CollisionsLeft)
            {
                break;
            }
        }

        session.ChargeCollisions(parts, typeof(TCollection));
    }

    private void CheckCollisions(List<T> items, int size, long weight)
    {
        long allowed = (long)items.Count * Collisions.Allowance;
        long collisions = Collisions.Count(Codes(items), table, size, allowed + session.CollisionsLeft);
        session.ChargeCollisions((collisions - allowed) * weight, typeof(TCollection));
    }

    // Elements may come in another order than that of this collection: they may have been those of a dictionary, or of another culture.
    private void PutInOrder(List<T> items)
    {
        object? by = comparer;
        for (int i = 1; i < items.Count; i++)
        {
            if (TKind.Compare(items[i - 1], items[i], by) >= 0)
            {
                items.Sort((x, y) => TKind.Compare(x, y, by));
                return;
            }
        }
    }
}
