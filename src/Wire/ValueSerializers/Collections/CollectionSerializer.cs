using Wire.Format;

namespace Wire;

/// <summary>Collections of every kind: a comparer when there is one, a count, and the elements in their order.</summary>
internal abstract class CollectionSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(ValueSerializer<T> element) : ValueSerializer<TCollection>
    where TEnumerator : IEnumerator<T>
    where TKind : struct, ICollectionKind<TCollection, T, TEnumerator, TBuilder>
{
    // What is hashed or compared may hold itself, or be an object that is not complete yet.
    private readonly bool _hasStructure = TKind.HasComparer && KeyStructure.MayBeStructural((element as IPairSerializer)?.Key.Type ?? typeof(T));

    protected ValueSerializer<T> Element => element;

    public override void Write(ref WireWriter writer, TCollection collection)
    {
        TKind.WriteComparer(ref writer, collection);
        TEnumerator items = TKind.Begin(collection, out int count);
        writer.WriteVarUInt32((uint)count);
        int member = writer.Member;
        int i = 0;
        try
        {
            while (items.MoveNext())
            {
                writer.Member = ~i++;
                element.Write(ref writer, items.Current);
            }
        }
        finally
        {
            items.Dispose();
        }

        writer.Member = member;
        if (i != count)
        {
            throw new InvalidOperationException($"A {typeof(TCollection)} changed from {count} to {i} elements while it was written.");
        }
    }

    internal override Shape Describe(ShapeBuilder builder) =>
        element is IPairSerializer pair ? Shape.Map(pair.Key.Describe(builder), pair.Value.Describe(builder))
        : TKind.HasComparer ? Shape.Set(element.Describe(builder))
        : Shape.Sequence(element.Describe(builder));

    /// <summary>Reads elements into a collection.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="builder">The collection.</param>
    /// <param name="count">How many.</param>
    /// <param name="canWait">
    /// Whether elements in a circle are added when the whole graph has been read: only then have they the hash code that they will have.
    /// </param>
    /// <param name="comparer">The comparer; null is the default one.</param>
    protected void ReadElements(ref WireReader reader, TBuilder builder, int count, bool canWait, object? comparer)
    {
        DeserializerSession session = reader.Session;
        bool looks = _hasStructure && session.IsTracking;
        KeyStructure.Look look = !looks ? KeyStructure.Look.None : KeyStructure.For(comparer);
        int unfinished = session.ReferencesToUnfinished;
        List<T>? waiting = null;
        int member = reader.Member;
        for (int i = 0; i < count; i++)
        {
            reader.Member = ~i;
            T item = element.Read(ref reader);
            if (looks && (waiting is not null || (canWait && session.ReferencesToUnfinished != unfinished)))
            {
                (waiting ??= []).Add(item);
                continue;
            }

            Add(builder, item, look);
        }

        reader.Member = member;
        if (waiting is not null)
        {
            session.WhenComplete(() => waiting.ForEach(item => Add(builder, item, look)));
        }
    }

    private void Add(TBuilder builder, T item, KeyStructure.Look look)
    {
        if (look != KeyStructure.Look.None)
        {
            CheckKey(item, look == KeyStructure.Look.WithArrays);
        }

        bool added;
        try
        {
            added = TKind.Add(builder, item);
        }
        catch (Exception e) when (Throw.IsOfBytes(e))
        {
            throw Throw.Invalid(typeof(TCollection).ToString(), e);
        }

        if (!added)
        {
            Throw.InvalidValue(typeof(TCollection).Name, element is IPairSerializer ? "a key comes twice" : "an element comes twice");
        }
    }

    private void CheckKey(T item, bool arraysToo)
    {
        if (element is IPairSerializer pair)
        {
            pair.CheckKey(item!, arraysToo);
        }
        else
        {
            KeyStructure.Check(TKind.Compared(item), arraysToo);
        }
    }

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context)
    {
        if (element is IPairSerializer pair)
        {
            return writer.Code == ShapeCode.Map ? With((ValueSerializer<T>)pair.Adapted(writer, context)) : null;
        }

        return writer.Code == (TKind.HasComparer ? ShapeCode.Set : ShapeCode.Sequence)
            ? With((ValueSerializer<T>)element.Adapt(writer.Element!, context))
            : null;
    }

    private protected abstract ValueSerializer With(ValueSerializer<T> adapted);
}

/// <summary>A collection that exists only when all its elements are known.</summary>
internal sealed class BuiltSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(ValueSerializer<T> element)
    : CollectionSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(element)
    where TEnumerator : IEnumerator<T>
    where TKind : struct, IBuiltKind<TCollection, T, TEnumerator, TBuilder>
{
    public override TCollection Read(ref WireReader reader)
    {
        object? comparer = TKind.ReadComparer(ref reader);
        int count = reader.ReadCount(Element.ElementSize, out int capacity);
        TBuilder builder = TKind.Create(capacity, comparer);
        ReadElements(ref reader, builder, count, canWait: false, comparer);
        try
        {
            return TKind.Finish(builder);
        }
        catch (Exception e) when (Throw.IsOfBytes(e))
        {
            throw Throw.Invalid(typeof(TCollection).ToString(), e);
        }
    }

    private protected override ValueSerializer With(ValueSerializer<T> adapted) =>
        new BuiltSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(adapted);
}

/// <summary>A collection that can be filled after it exists: also when it is only the base part of an object.</summary>
internal sealed class GrowingSerializer<TCollection, T, TEnumerator, TKind>(ValueSerializer<T> element)
    : CollectionSerializer<TCollection, T, TEnumerator, TCollection, TKind>(element), IBasePart
    where TCollection : class
    where TEnumerator : IEnumerator<T>
    where TKind : struct, IGrowingKind<TCollection, T, TEnumerator>
{
    public string PartName => IBasePart.Items;

    public override TCollection Read(ref WireReader reader)
    {
        TCollection collection = Uninitialized.Create<TCollection>();
        reader.Session.Track(collection);
        ReadInto(ref reader, collection);
        return collection;
    }

    public void ReadInto(ref WireReader reader, object target)
    {
        object? comparer = TKind.ReadComparer(ref reader);
        int count = reader.ReadCount(Element.ElementSize, out int capacity);
        TKind.Construct((TCollection)target, capacity, comparer);
        ReadElements(ref reader, (TCollection)target, count, canWait: true, comparer);
    }

    public void ConstructEmpty(object target) => TKind.Construct((TCollection)target, 0, null);

    private protected override ValueSerializer With(ValueSerializer<T> adapted) =>
        new GrowingSerializer<TCollection, T, TEnumerator, TKind>(adapted);
}
