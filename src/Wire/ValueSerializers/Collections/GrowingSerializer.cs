using System.Buffers;
using Wire.Copying;
using Wire.Errors;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Values;
using Wire.ValueSerializers.Collections.Kinds;

namespace Wire.ValueSerializers.Collections;

/// <summary>A collection that can be filled after its creation, even as the base part of an object.</summary>
internal sealed class GrowingSerializer<TCollection, T, TEnumerator, TKind>(ValueSerializer<T> element)
    : CollectionSerializer<TCollection, T, TEnumerator, TCollection, TKind>(element), IBasePart, IFilledCollection, IOverwriter
    where TCollection : class
    where TEnumerator : IEnumerator<T>
    where TKind : struct, IGrowingKind<TCollection, T, TEnumerator>
{
    public string PartName => IBasePart.Items;

    public Type ElementType => typeof(T);

    public bool ComparesParts => HasStructure;

    public override TCollection Read(ref WireReader reader)
    {
        TCollection collection = Uninitialized.Create<TCollection>();
        if (IsObject)
        {
            reader.Session.Track(collection);
        }

        ReadInto(ref reader, collection);
        return collection;
    }

    bool IOverwriter.CanOverwrite => TKind.CanClear && IsObject;

    // A comparer of the program is an object of the message, which may lead back to the collection.
    object IOverwriter.ReadOver(ref WireReader reader, object there)
    {
        if (!IsBare && (reader.Unread == 0 || !ComparerFormat.IsKnown(reader.Position)))
        {
            return Read(ref reader);
        }

        var collection = (TCollection)there;
        int scope = ReadComparer(ref reader, out object? comparer, out _);
        int count = reader.ReadCount(Element.ElementSize, MemorySize, out int capacity);
        bool isKept = TKind.HasComparerOf(collection, comparer);
        if (!isKept)
        {
            collection = Uninitialized.Create<TCollection>();
            TKind.Construct(collection, capacity, comparer);
        }

        reader.Session.Track(collection);
        int before = 0;
        T[] elements = isKept && Element.HoldsReferences ? Taken(collection, out before) : [];
        try
        {
            if (isKept)
            {
                TKind.Clear(collection);
            }

            ReadElements(ref reader, collection, count, capacity, comparer, isComparerWhole: true, scope, elements.AsSpan(0, before));
        }
        finally
        {
            if (elements.Length > 0)
            {
                ArrayPool<T>.Shared.Return(elements, clearArray: true);
            }
        }

        return collection;
    }

    private static T[] Taken(TCollection collection, out int count)
    {
        using TEnumerator items = TKind.Enumerate(collection, out count);
        if (count == 0)
        {
            return [];
        }

        T[] elements = ArrayPool<T>.Shared.Rent(count);
        for (int i = 0; i < count && items.MoveNext(); i++)
        {
            elements[i] = items.Current;
        }

        return elements;
    }

    public void ReadInto(ref WireReader reader, object target)
    {
        int scope = ReadComparer(ref reader, out object? comparer, out bool isComparerWhole);
        int count = reader.ReadCount(Element.ElementSize, MemorySize, out int capacity);
        var collection = (TCollection)target;
        TKind.Construct(collection, capacity, comparer);
        ReadElements(ref reader, collection, count, capacity, comparer, isComparerWhole, scope, []);
    }

    private void ReadElements(
        ref WireReader reader,
        TCollection collection,
        int count,
        int capacity,
        object? comparer,
        bool isComparerWhole,
        int scope,
        Span<T> there)
    {
        if (IsSimple(ref reader, count, comparer, isComparerWhole))
        {
            ReadSimply(ref reader, collection, count, there);
            EndScope(ref reader, scope, isComparerWhole);
        }
        else if (!GathersFirst(ref reader, count, capacity, comparer, isComparerWhole, out var adder))
        {
            ReadCounting(ref reader, collection, count, comparer, adder.Table, there);
            EndScope(ref reader, scope, isComparerWhole);
        }
        else
        {
            List<T> items = Gather(ref reader, count, capacity, out long bytes);
            int lowest = EndScope(ref reader, scope, isComparerWhole);
            if (lowest == ReadObjects.Whole)
            {
                adder.AddAll(collection, items, bytes);
            }
            else
            {
                AddLater(reader.Session, lowest, adder, collection, items, bytes);
            }
        }

        if (TKind.HasIndex)
        {
            IndexLater(reader.Session, collection);
        }

        if (TKind.HasNodes)
        {
            TKind.Note(reader.Session, collection);
        }
    }

    public void Fill(DeserializerSession session, object target, object? comparer, Array elements)
    {
        var collection = (TCollection)target;
        List<T> items = [.. (T[])elements];
        try
        {
            TKind.Construct(collection, items.Count, comparer);
        }
        catch (InvalidCastException e)
        {
            throw ThrowHelper.Invalid(typeof(TCollection).ToString(), e);
        }

        AdderFor(session, items.Count, comparer).AddAll(collection, items);
        if (TKind.HasIndex)
        {
            IndexLater(session, collection);
        }
    }

    public void ConstructEmpty(object target) => TKind.Construct((TCollection)target, 0, null);

    internal override TCollection Copy(ref GraphCopier copier, TCollection value)
    {
        TCollection copy = Uninitialized.Create<TCollection>();
        copier.Track(copy);
        CopyInto(ref copier, value, copy);
        return copy;
    }

    public void CopyInto(ref GraphCopier copier, object source, object target)
    {
        if (TKind.HasIndex)
        {
            throw new CopyGivenUpException();
        }

        var copy = (TCollection)target;
        object? comparer = copier.CopyComparer(TKind.ComparerOf((TCollection)source));
        TEnumerator items = TKind.Enumerate((TCollection)source, out int count);
        TKind.Construct(copy, count, comparer);
        AddCopies(ref copier, ref items, count, copy);
    }

    private protected override ValueSerializer With(ValueSerializer<T> adapted, bool isObject, bool isBare) =>
        new GrowingSerializer<TCollection, T, TEnumerator, TKind>(adapted) { IsObject = isObject, IsBare = isBare };

    // Separate methods: a closure is allocated where it is declared, here for every collection.
    private static void AddLater(
        DeserializerSession session,
        int lowest,
        ElementAdder<TCollection, T, TEnumerator, TCollection, TKind> adder,
        TCollection collection,
        List<T> items,
        long bytes) =>
        session.Objects.Waiting.Add(lowest, () => adder.AddAll(collection, items, bytes));

    private static void IndexLater(DeserializerSession session, TCollection collection) =>
        session.WhenComplete(() => TKind.Index(session, collection));
}
