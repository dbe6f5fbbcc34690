using System.Buffers;
using System.Runtime.CompilerServices;
using Wire.Copying;
using Wire.Equality;
using Wire.Errors;
using Wire.Format;
using Wire.Runtime;
using Wire.Sessions;
using Wire.Sessions.Objects;
using Wire.Slots;
using Wire.Values;
using Wire.ValueSerializers.Collections.Kinds;
using Wire.ValueSerializers.Forms;

namespace Wire.ValueSerializers.Collections;

/// <summary>Collections of every kind: a comparer when there is one, a count, and the elements in their order.</summary>
internal abstract partial class CollectionSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(ValueSerializer<T> element)
    : ValueSerializer<TCollection>, ICollectionForm, IMeasured, IPreparable
    where TEnumerator : IEnumerator<T>
    where TKind : struct, ICollectionKind<TCollection, T, TEnumerator, TBuilder>
{
    private readonly Elements<T> _elements = new(element);

    // The hashed or compared value may contain itself, or be an incomplete object.
    private readonly bool _hasStructure = TKind.HasComparer && KeyStructure.MayBeStructural(KeyTypeOf(element));

    // In a payload without references such a key can still be deep, or heavier than its bytes say.
    private readonly bool _mayBeDeep = TKind.HasComparer && KeyStructure.MayBeDeep(KeyTypeOf(element));

    // Its hash code and comparison take almost no time.
    private readonly bool _hasPlainKey = KeyTypeOf(element) is { IsValueType: true } key && !KeyStructure.MayBeStructural(key);

    private readonly Type _keyType = KeyTypeOf(element);

    protected ValueSerializer<T> Element => element;

    /// <summary>Gets whether parts of the keys are hashed or compared, which may lie anywhere in the graph.</summary>
    protected bool HasStructure => _hasStructure;

    /// <summary>Gets whether the collection is an object of the graph, rather than a part of another.</summary>
    public bool IsObject { get; init; } = true;

    /// <summary>Gets whether a set or map is read from elements alone, without a comparer in front.</summary>
    public bool IsBare { get; init; }

    public ValueSerializer AsPart() => With(element, isObject: false, IsBare);

    /// <summary>Gets the memory that an element takes, with its share of the collection.</summary>
    protected static int MemorySize => Unsafe.SizeOf<T>() + Budget.ElementOverhead;

    public override void Write(ref WireWriter writer, TCollection collection)
    {
        bool needsLook = NeedsLook(writer.Session.TracksReferences);
        writer.Session.LastComparer = null;
        TKind.WriteComparer(ref writer, collection);
        object? comparer = writer.Session.LastComparer;
        TEnumerator items = TKind.Enumerate(collection, out int count);
        writer.WriteCount(count, MemorySize);
        int member = writer.Member;
        long begin = writer.Offset;
        var elements = new WrittenElements();
        int i = 0;
        try
        {
            bool inChunks = count >= Chunk<T>.Size && _elements.AreFlat;
            bool isCopied = inChunks && TKind.CopiesFast(collection);
            if (isCopied)
            {
                WriteCopy(ref writer, collection, ref items, count, ref elements);
                i = count;
            }
            else if (inChunks)
            {
                i = WriteChunks(ref writer, ref items, count, ref elements);
            }

            // One more than allowed is enough: the sequence may be endless.
            while (!isCopied && i <= count && items.MoveNext())
            {
                _elements.Write(ref writer, items.Current, i++, ref elements);
            }
        }
        finally
        {
            items.Dispose();
        }

        elements.GoBack(ref writer);
        writer.Member = member;
        Changes.Check<TCollection>(count, i);

        if (needsLook)
        {
            CheckKeys(ref writer, collection, comparer, writer.Offset - begin);
        }
    }

    public void Prepare() => _elements.Own?.PrepareElements();

    internal override Shape Describe(ShapeBuilder builder) =>
        element is IPairSerializer pair ? Shape.Map(builder.Build(pair.Key), builder.Build(pair.Value))
        : TKind.HasComparer ? Shape.Set(builder.Build(element))
        : Shape.Sequence(builder.Build(element));

    private void WriteCopy(
        ref WireWriter writer, TCollection collection, ref TEnumerator items, int count, ref WrittenElements elements)
    {
        T[] copy = ArrayPool<T>.Shared.Rent(count);
        try
        {
            TKind.Copy(collection, copy);

            // It throws if the collection has changed since they were counted.
            items.MoveNext();
            _elements.Own!.WriteElements(ref writer, copy.AsSpan(0, count), 0, ref elements);
        }
        finally
        {
            ArrayPool<T>.Shared.Return(copy, RuntimeHelpers.IsReferenceOrContainsReferences<T>());
        }
    }

    // Returns the number of elements written: all, unless the collection has changed meanwhile.
    private int WriteChunks(ref WireWriter writer, ref TEnumerator items, int count, ref WrittenElements elements)
    {
        var chunk = default(Chunk<T>);
        int done = 0;
        for (int size = Chunk<T>.Size; size == Chunk<T>.Size; done += size)
        {
            size = 0;
            while (size < Chunk<T>.Size && done + size < count && items.MoveNext())
            {
                chunk[size++] = items.Current;
            }

            _elements.Own!.WriteElements(ref writer, chunk[..size], done, ref elements);
        }

        return done;
    }

    internal override bool TryAddParts(GraphParts parts, object value)
    {
        var collection = (TCollection)value;
        object? comparer = TKind.ComparerOf(collection);
        parts.Comparer = comparer;
        if (!TKind.HasOrder)
        {
            parts.HashOf = item => TKind.HashOf((T)item!, comparer);
        }

        using TEnumerator items = TKind.Enumerate(collection, out _);
        for (int i = 0; items.MoveNext(); i++)
        {
            parts.Add(~i, element, items.Current);
        }

        return true;
    }

    /// <summary>Adds the copies of all elements of a collection.</summary>
    protected void AddCopies(ref GraphCopier copier, ref TEnumerator items, int count, TBuilder copy)
    {
        try
        {
            // Keys whose parts may lead back to an object around them are compared only when that is complete.
            bool isComplete = !_hasStructure || !copier.IsTracking;
            List<T>? waiting = isComplete ? null : new List<T>(count);
            bool isImmutable = element.IsImmutable;
            for (int i = 0; items.MoveNext(); i++, count--)
            {
                copier.Member = ~i;
                T item = isImmutable ? items.Current : element.Copy(ref copier, items.Current);
                if (isComplete)
                {
                    // The copy of a key may have named its members.
                    copier.Member = ~i;
                    Add(copy, item);
                }
                else
                {
                    waiting!.Add(item);
                }
            }

            if (waiting is not null)
            {
                copier.CheckComplete();
                for (int i = 0; i < waiting.Count; i++)
                {
                    copier.Member = ~i;
                    Add(copy, waiting[i]);
                }
            }
        }
        finally
        {
            items.Dispose();
        }

        if (count != 0)
        {
            throw new CopyGivenUpException();
        }

        static void Add(TBuilder copy, T item)
        {
            if (!TKind.Add(copy, item))
            {
                throw new CopyGivenUpException();
            }
        }
    }

    public long MeasureObject() => InstanceSize.Estimate(Type) + TKind.Overhead;

    private protected override ValueSerializer? AdaptTo(Shape writer, AdaptContext context)
    {
        if (element is IPairSerializer pair)
        {
            return writer.Code == ShapeCode.Map
                ? With((ValueSerializer<T>)pair.Adapted(writer, context), IsObject, isBare: false)
                : CollectionForms.AdaptInside(this, writer, context);
        }

        return writer.Code == ShapeCode.Sequence || (TKind.HasComparer && writer.Code == ShapeCode.Set)
            ? With(
                (ValueSerializer<T>)element.Adapt(writer.Element!, context),
                IsObject,
                isBare: TKind.HasComparer && writer.Code == ShapeCode.Sequence)
            : CollectionForms.Adapt(this, writer, context);
    }

    private protected abstract ValueSerializer With(ValueSerializer<T> adapted, bool isObject, bool isBare);

    private void RefuseTwice() => ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind>.RefuseTwice(IsBare);

    private bool NeedsLook(bool isTracking) => _hasStructure && (isTracking || _mayBeDeep);

    // A reader must visit all parts of keys, and refuses keys that are too heavy or too deep.
    private void CheckKeys(ref WireWriter writer, TCollection collection, object? comparer, long bytes)
    {
        KeyStructure.Look look = KeyStructure.For(comparer);
        if (look == KeyStructure.Look.None)
        {
            return;
        }

        var meter = new KeyMeter(look);
        using TEnumerator items = TKind.Enumerate(collection, out int count);
        long free = KeyMeter.Free(bytes, count);
        long most = free + Math.Min(writer.Session.Costs.CollisionsLeft, long.MaxValue >> 1);
        long total = 0;
        while (total <= most && items.MoveNext())
        {
            T item = items.Current;
            total += meter.Weigh(element is IPairSerializer pair ? pair.KeyOf(item!) : TKind.Compared(item), most - total);
            if (meter.IsTooDeep)
            {
                writer.Session.Costs.RefuseKey(writer.Member, typeof(TCollection));
            }
        }

        writer.Session.Costs.TakeCollisions(writer.Member, total - free, typeof(TCollection));
    }

    private static Type KeyTypeOf(ValueSerializer element) => (element as IPairSerializer)?.Key.Type ?? element.Type;
}
