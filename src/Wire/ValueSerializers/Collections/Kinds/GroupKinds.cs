using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Values;
using Wire.ValueSerializers.Conversion;

namespace Wire.ValueSerializers.Collections.Kinds;

/// <summary>A lookup: its keys, each with its elements.</summary>
internal readonly struct LookupKind<TKey, TElement>
    : IBuiltKind<ILookup<TKey, TElement>, KeyValuePair<TKey, TElement[]>, ArraySegment<KeyValuePair<TKey, TElement[]>>.Enumerator,
        LookupBuilder<TKey, TElement>>
{
    // A table of seven, and a group with capacity for one.
    public static int Overhead => 192;

    public static bool AllowsNullKey => true;

    public static bool HasComparer => true;

    public static int CopiedSize => LookupBuilder<TKey, TElement>.ElementSize;

    public static KeyTable Table => KeyTable.Lookup;

    public static int HashOf(KeyValuePair<TKey, TElement[]> item, object? comparer) => KeyHashes.Compute(item.Key, comparer);

    public static int Reserve(LookupBuilder<TKey, TElement> builder, int count, object? comparer) => builder.Reserve(count);

    public static void WriteComparer(ref WireWriter writer, ILookup<TKey, TElement> collection) => ComparerFormat.Write<TKey>(
        ref writer,
        collection is Lookup<TKey, TElement> lookup ? Comparer(lookup) : null,
        typeof(ILookup<TKey, TElement>));

    public static object? ComparerOf(ILookup<TKey, TElement> collection) =>
        collection is Lookup<TKey, TElement> lookup ? Comparer(lookup) : null;

    public static object? ReadComparer(ref WireReader reader) => ComparerFormat.Read<IEqualityComparer<TKey>>(ref reader);

    public static ArraySegment<KeyValuePair<TKey, TElement[]>>.Enumerator Enumerate(ILookup<TKey, TElement> collection, out int count) =>
        Snapshot.Enumerate([.. collection.Select(group => new KeyValuePair<TKey, TElement[]>(group.Key, [.. group]))], out count);

    public static LookupBuilder<TKey, TElement> Create(int capacity, object? comparer) => new((IEqualityComparer<TKey>?)comparer);

    public static bool Add(LookupBuilder<TKey, TElement> builder, KeyValuePair<TKey, TElement[]> item) => builder.Add(item.Key, item.Value);

    public static ILookup<TKey, TElement> Finish(LookupBuilder<TKey, TElement> builder) => builder.Build();

    [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "_comparer")]
    private static extern ref IEqualityComparer<TKey> Comparer(Lookup<TKey, TElement> target);
}

/// <summary>Collects groups; a lookup has no empty groups, and neither has the payload.</summary>
internal sealed class LookupBuilder<TKey, TElement>(IEqualityComparer<TKey>? comparer)
{
    /// <summary>
    /// The memory per element of a group: here and in the lookup, which both double when full.
    /// </summary>
    public static readonly int ElementSize = 2 * (Unsafe.SizeOf<(TKey, TElement)>() + Unsafe.SizeOf<TElement>());

    private readonly List<(TKey Key, TElement Element)> _elements = [];
    private readonly HashSet<TKey> _keys = new(comparer);

    public int Reserve(int count) => _keys.EnsureCapacity(count);

    public bool Add(TKey key, TElement[]? elements)
    {
        if (elements is null or [])
        {
            ThrowHelper.InvalidValue("look-up", "a group has no elements");
        }

        foreach (TElement element in elements!)
        {
            _elements.Add((key, element));
        }

        return _keys.Add(key);
    }

    public ILookup<TKey, TElement> Build() => _elements.ToLookup(pair => pair.Key, pair => pair.Element, comparer);
}

/// <summary>One group of a look-up or of a grouping query: the key and the elements.</summary>
internal sealed class GroupingSerializer<TKey, TElement>(ValueSerializer<KeyValuePair<TKey, TElement[]>> pair)
    : ConvertedSerializer<IGrouping<TKey, TElement>, KeyValuePair<TKey, TElement[]>>(pair, To, From, overhead: Copied)
{
    // More than real keys weigh; hashing that much takes a fraction of a millisecond.
    private const long MaxKey = 1 << 16;

    private static KeyValuePair<TKey, TElement[]> To(IGrouping<TKey, TElement> group) => new(group.Key, [.. group]);

    private static long Copied(KeyValuePair<TKey, TElement[]> pair) =>
        (long)(pair.Value?.Length ?? 0) * LookupBuilder<TKey, TElement>.ElementSize;

    private static IGrouping<TKey, TElement> From(KeyValuePair<TKey, TElement[]> pair)
    {
        try
        {
            KeyStructure.Check(pair.Key, MaxKey);
            var builder = new LookupBuilder<TKey, TElement>(null);
            builder.Add(pair.Key, pair.Value);
            return builder.Build().Single();
        }
        catch (Exception e) when (ThrowHelper.IsOfBytes(e))
        {
            // The hash code of a key may need members that the payload lacks.
            throw ThrowHelper.Invalid("group", e);
        }
    }
}
