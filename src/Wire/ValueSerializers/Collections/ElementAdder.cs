using System.Runtime.InteropServices;
using Wire.Errors;
using Wire.Sessions;
using Wire.Slots;
using Wire.ValueSerializers.Collections.Kinds;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// Adds elements to a collection after all have been read. They are checked first: the author of the bytes may have chosen them so that
/// hashing, comparing or inserting them takes time quadratic in the payload.
/// </summary>
internal readonly struct ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind>(
    DeserializerSession session, IPairSerializer? pair, object? comparer, KeyTable table, KeyStructure.Look look)
    where TEnumerator : IEnumerator<T>
    where TKind : struct, ICollectionKind<TCollection, T, TEnumerator, TBuilder>
{
    // Comparing lighter keys takes a few steps.
    private const int HeavyKey = 16;

    // Keys with more bytes take noticeably longer to compare.
    private const int BytesPerStep = 1024;

    private static readonly bool IsMap = typeof(T).IsGenericType && typeof(T).GetGenericTypeDefinition() == typeof(KeyValuePair<,>);

    /// <summary>Gets the rule by which the collection finds its keys, when it must be checked.</summary>
    public KeyTable Table => table;

    /// <summary>Gets whether the writer had a sequence, whose elements may be equal.</summary>
    public bool IsBare { get; init; }

    /// <summary>Adds elements that were not read as this collection's, and whose structure needs no check.</summary>
    public static ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> For(
        DeserializerSession session, Type key, object? comparer, int count) =>
        new(
            session,
            null,
            comparer,
            count < Collisions.Threshold || KeyHashes.AreSecret(key, comparer) ? KeyTable.None : TKind.Table,
            KeyStructure.Look.None);

    public static void RefuseTwice(bool isBare) => ThrowHelper.InvalidValue(
        typeof(TCollection).Name,
        isBare ? CollectionErrors.TwiceInSequence : IsMap ? "a key appears twice" : "an element appears twice");

    /// <summary>Adds elements to an empty collection.</summary>
    /// <param name="builder">The collection.</param>
    /// <param name="items">The elements.</param>
    /// <param name="bytes">The number of bytes that they took.</param>
    public void AddAll(TBuilder builder, List<T> items, long bytes = 0)
    {
        if (look == KeyStructure.Look.None)
        {
            Put(builder, items, bytes, null);
            return;
        }

        long[]? weights = CheckStructure(items, bytes, out int depth);
        if (FreshStack.IsNotNeededFor(depth))
        {
            Put(builder, items, bytes, weights);
            return;
        }

        // .NET recurses into such keys.
        ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> self = this;
        session.Path.RunOnFreshStack(() => self.Put(builder, items, bytes, weights));
    }

    /// <summary>Returns the current hash codes of elements.</summary>
    public int[] Codes(List<T> items)
    {
        var codes = new int[items.Count];
        for (int i = 0; i < codes.Length; i++)
        {
            codes[i] = TKind.HashOf(items[i], comparer);
        }

        return codes;
    }

    private void Put(TBuilder builder, List<T> items, long bytes, long[]? weights)
    {
        try
        {
            if (weights is not null)
            {
                CheckComparisons(items, bytes, weights);
            }

            if (TKind.AddsInOrder)
            {
                PutInOrder(items);
            }
            else if (table != KeyTable.None)
            {
                CheckCollisions(items, TKind.Reserve(builder, items.Count, comparer), 1 + (bytes / items.Count / BytesPerStep));
            }

            foreach (T item in CollectionsMarshal.AsSpan(items))
            {
                if (!TKind.Add(builder, item))
                {
                    RefuseTwice(IsBare);
                }
            }
        }
        catch (Exception e) when (ThrowHelper.IsOfBytes(e))
        {
            throw ThrowHelper.Invalid(typeof(TCollection).ToString(), e);
        }
    }

    // Returns the weights of the heavy keys; null when there are none.
    private long[]? CheckStructure(List<T> items, long bytes, out int depth)
    {
        var meter = new KeyMeter(look);
        long free = KeyMeter.Free(bytes, items.Count);
        long most = free + Math.Min(session.Costs.CollisionsLeft, long.MaxValue >> 1);
        long total = 0;
        long[]? weights = null;
        for (int i = 0; i < items.Count && total <= most; i++)
        {
            object? key = pair is not null ? pair.KeyOf(items[i]!) : TKind.Compared(items[i]);
            long weight = meter.Weigh(key, most - total);
            if (meter.IsTooDeep)
            {
                KeyStructure.RefuseKey();
            }

            total += weight;
            if (weight > HeavyKey)
            {
                (weights ??= new long[items.Count])[i] = weight;
            }
        }

        session.Costs.TakeCollisions(total - free, typeof(TCollection));
        depth = meter.Depth;
        return TKind.Table == KeyTable.None ? null : weights;
    }

    // Keys with equal hash codes are compared with each other. A list has no hash codes: there all are compared.
    private void CheckComparisons(List<T> items, long bytes, long[] weights)
    {
        int[] codes = TKind.Table == KeyTable.List ? new int[items.Count] : Codes(items);
        Array.Sort(codes, weights);
        long steps = -KeyMeter.StepsPerByte * bytes;
        for (int begin = 0, end; begin < codes.Length; begin = end)
        {
            long weight = 0;
            for (end = begin; end < codes.Length && codes[end] == codes[begin]; end++)
            {
                weight += weights[end];
            }

            steps += weight * (end - begin - 1) / 2;
        }

        session.Costs.TakeCollisions(steps, typeof(TCollection));
    }

    private void CheckCollisions(List<T> items, int size, long weight)
    {
        long allowed = (long)items.Count * Collisions.Allowance;
        long collisions = Collisions.Count(Codes(items), table, size, allowed + session.Costs.CollisionsLeft);
        session.Costs.TakeCollisions((collisions - allowed) * weight, typeof(TCollection));
    }

    // The order of elements may differ from that of this collection: they may come from a dictionary, or from another culture.
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
