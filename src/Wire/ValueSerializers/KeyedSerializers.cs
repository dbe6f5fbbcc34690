using Wire.Format;

namespace Wire;

/// <summary>Dictionaries: a comparer, a count, and pairs of key and value in their order.</summary>
internal sealed class DictionarySerializer<TKey, TValue>(ValueSerializer<TKey> key, ValueSerializer<TValue> value)
    : ValueSerializer<Dictionary<TKey, TValue>>
    where TKey : notnull
{
    public override void Write(ref WireWriter writer, Dictionary<TKey, TValue> dictionary)
    {
        ComparerFormat.Write(ref writer, dictionary.Comparer, typeof(Dictionary<TKey, TValue>));
        writer.WriteVarUInt32((uint)dictionary.Count);
        int member = writer.Member;
        int i = 0;
        foreach ((TKey k, TValue v) in dictionary)
        {
            writer.Member = ~i++;
            key.Write(ref writer, k);
            value.Write(ref writer, v);
        }

        writer.Member = member;
    }

    public override Dictionary<TKey, TValue> Read(ref WireReader reader)
    {
        IEqualityComparer<TKey>? comparer = ComparerFormat.Read<TKey>(ref reader);
        int count = reader.ReadCount(key.ElementSize + value.ElementSize, out int capacity);
        var dictionary = new Dictionary<TKey, TValue>(capacity, comparer);
        reader.Session.Track(dictionary);
        int member = reader.Member;
        for (int i = 0; i < count; i++)
        {
            reader.Member = ~i;
            TKey k = key.Read(ref reader);
            TValue v = value.Read(ref reader);
            if (k is null || !dictionary.TryAdd(k, v))
            {
                Throw.InvalidValue("dictionary", k is null ? "a key is null" : "a key comes twice");
            }
        }

        reader.Member = member;
        return dictionary;
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.Map(key.Describe(builder), value.Describe(builder));

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Map
        ? new DictionarySerializer<TKey, TValue>(
            (ValueSerializer<TKey>)key.Adapt(writer.Element!, context),
            (ValueSerializer<TValue>)value.Adapt(writer.Value!, context))
        : null;
}

/// <summary>Hash sets: a comparer, a count, and the elements in their order.</summary>
internal sealed class HashSetSerializer<T>(ValueSerializer<T> element) : ValueSerializer<HashSet<T>>
{
    public override void Write(ref WireWriter writer, HashSet<T> value)
    {
        ComparerFormat.Write(ref writer, value.Comparer, typeof(HashSet<T>));
        writer.WriteVarUInt32((uint)value.Count);
        int member = writer.Member;
        int i = 0;
        foreach (T item in value)
        {
            writer.Member = ~i++;
            element.Write(ref writer, item);
        }

        writer.Member = member;
    }

    public override HashSet<T> Read(ref WireReader reader)
    {
        IEqualityComparer<T>? comparer = ComparerFormat.Read<T>(ref reader);
        int count = reader.ReadCount(element.ElementSize, out int capacity);
        var set = new HashSet<T>(capacity, comparer);
        reader.Session.Track(set);
        int member = reader.Member;
        for (int i = 0; i < count; i++)
        {
            reader.Member = ~i;
            if (!set.Add(element.Read(ref reader)))
            {
                Throw.InvalidValue("set", "an element comes twice");
            }
        }

        reader.Member = member;
        return set;
    }

    internal override Shape Describe(ShapeBuilder builder) => Shape.Set(element.Describe(builder));

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context) => writer.Code == ShapeCode.Set
        ? new HashSetSerializer<T>((ValueSerializer<T>)element.Adapt(writer.Element!, context))
        : null;
}
