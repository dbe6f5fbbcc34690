using System.Runtime.CompilerServices;
using Wire.Errors;
using Wire.Sessions.Objects;
using Wire.Slots;

namespace Wire.ValueSerializers.Collections;

/// <content>Reading of elements, one by one, in chunks, or gathered before the first one is added.</content>
internal abstract partial class CollectionSerializer<TCollection, T, TEnumerator, TBuilder, TKind>
{
    /// <summary>
    /// Begins to read a collection: references to incomplete objects are recorded from here on, because comparing keys needs complete keys
    /// and a complete comparer.
    /// </summary>
    /// <param name="reader">The reader.</param>
    /// <param name="comparer">The comparer.</param>
    /// <param name="isWhole">True if the comparer is complete: otherwise nothing can be added yet.</param>
    /// <returns>What <see cref="ReadObjects.EndScope"/> needs.</returns>
    protected int ReadComparer(ref WireReader reader, out object? comparer, out bool isWhole)
    {
        ReadObjects objects = reader.Session.Objects;
        int scope = TKind.HasComparer ? objects.BeginScope() : ReadObjects.Whole;
        comparer = TKind.HasComparer && IsBare ? null : TKind.ReadComparer(ref reader);
        isWhole = !TKind.HasComparer || objects.LowestOfScope == ReadObjects.Whole;
        return scope;
    }

    /// <summary>Ends what <see cref="ReadComparer"/> began.</summary>
    /// <returns>
    /// The outermost unfinished object that the collection refers to; <see cref="ReadObjects.Whole"/> when there is none, or it does not
    /// matter.
    /// </returns>
    protected int EndScope(ref WireReader reader, int scope, bool isComparerWhole)
    {
        if (!TKind.HasComparer)
        {
            return ReadObjects.Whole;
        }

        int lowest = reader.Session.Objects.EndScope(scope);
        return _hasStructure || !isComparerWhole ? lowest : ReadObjects.Whole;
    }

    /// <summary>
    /// Returns whether all elements must have been read before the first one is added: because they are checked, sorted or counted, or
    /// because a cycle may delay them.
    /// </summary>
    protected bool GathersFirst(
        ref WireReader reader,
        int count,
        int capacity,
        object? comparer,
        bool isComparerWhole,
        out ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> adder)
    {
        bool needsLook = NeedsLook(reader.Session.IsTracking);
        adder = AdderFor(reader.Session, count, comparer, needsLook);
        return needsLook || TKind.AddsInOrder || !isComparerWhole
            || !(adder.Table == KeyTable.List || (adder.Table == KeyTable.Chains && _hasPlainKey && capacity >= count));
    }

    /// <summary>Makes what adds a number of elements that have been read, with the checks that their keys need.</summary>
    protected ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> AdderFor(
        DeserializerSession session, int count, object? comparer) => AdderFor(session, count, comparer, NeedsLook(isTracking: true));

    private ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> AdderFor(
        DeserializerSession session, int count, object? comparer, bool needsLook)
    {
        KeyTable table = count < Collisions.Threshold || (TKind.Table != KeyTable.List && KeyHashes.AreSecret(_keyType, comparer))
            ? KeyTable.None
            : TKind.Table;
        KeyStructure.Look look = needsLook ? KeyStructure.For(comparer) : KeyStructure.Look.None;
        return new(session, element as IPairSerializer, comparer, table, look) { IsBare = IsBare };
    }

    /// <summary>Reads elements into a buffer.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="count">How many.</param>
    /// <param name="capacity">The initial capacity.</param>
    /// <param name="bytes">The number of bytes that they take.</param>
    protected List<T> Gather(ref WireReader reader, int count, int capacity, out long bytes)
    {
        var items = new List<T>(capacity);
        long begin = reader.Offset;
        int member = reader.Member;
        var elements = new ReadElements();
        for (int i = 0; i < count; i++)
        {
            items.Add(_elements.Read(ref reader, i, ref elements));
        }

        elements.GoBack(ref reader);
        reader.Member = member;
        bytes = reader.Offset - begin;
        return items;
    }

    /// <summary>
    /// Returns whether elements are read and added one by one, without checks: most collections are small enough, or of strings.
    /// </summary>
    protected bool IsSimple(ref WireReader reader, int count, object? comparer, bool isComparerWhole) =>
        !NeedsLook(reader.Session.IsTracking) && !TKind.AddsInOrder && isComparerWhole
        && (TKind.Table == KeyTable.None
            || count < Collisions.Threshold
            || (TKind.Table != KeyTable.List && KeyHashes.AreSecret(_keyType, comparer)));

    /// <summary>Reads elements and adds each at once.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="builder">The collection.</param>
    /// <param name="count">How many.</param>
    /// <param name="there">Elements of the caller that may be read into.</param>
    protected void ReadSimply(ref WireReader reader, TBuilder builder, int count, scoped Span<T> there = default)
    {
        bool adding = false;
        int member = reader.Member;
        var elements = new ReadElements();
        try
        {
            int i = count >= Chunk<T>.Size && _elements.AreFlat && there.IsEmpty
                ? ReadChunks(ref reader, builder, count, ref elements, ref adding)
                : 0;
            for (; i < count; i++)
            {
                T item = i < there.Length ? ReadOver(ref reader, i, ref there[i]) : _elements.Read(ref reader, i, ref elements);
                adding = true;
                if (!TKind.Add(builder, item))
                {
                    RefuseTwice();
                }

                adding = false;
            }
        }
        catch (Exception e) when (adding && ThrowHelper.IsOfBytes(e))
        {
            throw ThrowHelper.Invalid(typeof(TCollection).ToString(), e);
        }

        elements.GoBack(ref reader);
        reader.Member = member;
    }

    private T ReadOver(ref WireReader reader, int index, ref T item)
    {
        reader.Member = ~index;
        element.ReadOver(ref reader, ref Unsafe.As<T, byte>(ref item));
        return item;
    }

    // Returns the number of elements read and added.
    private int ReadChunks(ref WireReader reader, TBuilder builder, int count, ref ReadElements elements, ref bool adding)
    {
        var chunk = default(Chunk<T>);
        int done = 0;
        while (count - done >= Chunk<T>.Size)
        {
            _elements.Own!.ReadElements(ref reader, chunk, done, ref elements);
            adding = true;
            foreach (T item in (ReadOnlySpan<T>)chunk)
            {
                elements.MoveTo(ref reader, done++);
                if (!TKind.Add(builder, item))
                {
                    RefuseTwice();
                }
            }

            adding = false;
        }

        return done;
    }

    /// <summary>Reads elements, counts their collisions, and adds each at once.</summary>
    protected void ReadCounting(
        ref WireReader reader, TBuilder builder, int count, object? comparer, KeyTable table, scoped Span<T> there = default)
    {
        if (table == KeyTable.List)
        {
            reader.Session.Costs.TakeCollisions(Collisions.CountInList(count) - ((long)count * Collisions.Allowance), typeof(TCollection));
            ReadSimply(ref reader, builder, count, there);
            return;
        }

        var meter = new ChainMeter(TKind.Reserve(builder, count, comparer));
        long allowed = (long)count * Collisions.Allowance;
        long begin = allowed + reader.Session.Costs.CollisionsLeft;
        long left = begin;
        bool adding = false;
        int member = reader.Member;
        var elements = new ReadElements();
        try
        {
            for (int i = 0; i < count && left >= 0; i++)
            {
                T item = i < there.Length ? ReadOver(ref reader, i, ref there[i]) : _elements.Read(ref reader, i, ref elements);
                adding = true;
                left -= meter.Add(TKind.HashOf(item, comparer));
                if (!TKind.Add(builder, item))
                {
                    RefuseTwice();
                }

                adding = false;
            }
        }
        catch (Exception e) when (adding && ThrowHelper.IsOfBytes(e))
        {
            throw ThrowHelper.Invalid(typeof(TCollection).ToString(), e);
        }

        elements.GoBack(ref reader);
        reader.Member = member;
        meter.ReturnTable();
        reader.Session.Costs.TakeCollisions(begin - left - allowed, typeof(TCollection));
    }
}
