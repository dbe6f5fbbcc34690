using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Compilation;
using Wire.Copying;
using Wire.Errors;
using Wire.Runtime;
using Wire.Sessions.Objects;
using Wire.ValueSerializers.Collections.Kinds;

namespace Wire.ValueSerializers.Collections;

/// <summary>A collection that exists only when all its elements are known.</summary>
[UnconditionalSuppressMessage("Trimming", "IL2087", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2090", Justification = TrimmingAdvice.Inside)]
internal sealed class BuiltSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(ValueSerializer<T> element)
    : CollectionSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(element)
    where TEnumerator : IEnumerator<T>
    where TKind : struct, IBuiltKind<TCollection, T, TEnumerator, TBuilder>
{
    // An object of these classes can exist before its elements. The class of frozen collections and lookups depends on their keys.
    private static readonly FieldInfo[]? Fields =
        typeof(TCollection) is { IsClass: true, IsSealed: true } type ? type.GetFields(MemberFinder.DeclaredInstance) : null;

    private static readonly bool IsImmutableCollection = typeof(TCollection).Assembly == typeof(ImmutableArray).Assembly;

    public override TCollection Read(ref WireReader reader)
    {
        int scope = ReadComparer(ref reader, out object? comparer, out bool isComparerWhole);
        int count = reader.ReadCount(Element.ElementSize, MemorySize, out int capacity);
        if (IsSimple(ref reader, count, comparer, isComparerWhole))
        {
            TBuilder builder = TKind.Create(capacity, comparer);
            ReadSimply(ref reader, builder, count);
            EndScope(ref reader, scope, isComparerWhole);
            return Finish(reader.Session, builder);
        }

        if (!GathersFirst(ref reader, count, capacity, comparer, isComparerWhole, out var adder))
        {
            TBuilder builder = TKind.Create(capacity, comparer);
            ReadCounting(ref reader, builder, count, comparer, adder.Table);
            EndScope(ref reader, scope, isComparerWhole);
            return Finish(reader.Session, builder);
        }

        List<T> items = Gather(ref reader, count, capacity, out long bytes);
        int lowest = EndScope(ref reader, scope, isComparerWhole);
        return lowest == ReadObjects.Whole ? Build(reader.Session, adder, items, bytes, comparer)
            : Fields is not null ? BuildLater(reader.Session, lowest, adder, items, bytes, comparer)
            : isComparerWhole ? BuildAndCheck(reader.Session, lowest, adder, items, bytes, comparer)
            : ThrowHelper.Format<TCollection>(
                WireFormatError.InvalidValue,
                $"Not a valid {typeof(TCollection)}: its comparer refers back to it and is not complete yet. Use a mutable collection.");
    }

    internal override bool IsImmutable => IsImmutableCollection && !TKind.HasComparer && Element.IsImmutable;

    internal override TCollection Copy(ref GraphCopier copier, TCollection value)
    {
        object? own = TKind.ComparerOf(value);
        object? comparer = copier.CopyComparer(own);
        if (IsImmutableCollection && Element.IsImmutable && ReferenceEquals(own, comparer))
        {
            return value;
        }

        TEnumerator items = TKind.Enumerate(value, out int count);
        TBuilder builder = TKind.Create(count, comparer);
        AddCopies(ref copier, ref items, count, builder);
        return TKind.Finish(builder);
    }

    private protected override ValueSerializer With(ValueSerializer<T> adapted, bool isObject, bool isBare) =>
        new BuiltSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(adapted) { IsObject = isObject, IsBare = isBare };

    // Its keys are incomplete, so their hash codes may still change: until then it is empty. A separate method, because otherwise the
    // closure would be allocated for every collection.
    private static TCollection BuildLater(
        DeserializerSession session,
        int lowest,
        ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> adder,
        List<T> items,
        long bytes,
        object? comparer)
    {
        TCollection collection = (TCollection)System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(typeof(TCollection));
        Become(collection, TKind.Finish(TKind.Create(0, comparer)));
        session.Objects.Waiting.Add(lowest, () => Become(collection, Build(session, adder, items, bytes, comparer)));
        return collection;
    }

    private static TCollection BuildAndCheck(
        DeserializerSession session,
        int lowest,
        ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> adder,
        List<T> items,
        long bytes,
        object? comparer)
    {
        TCollection collection = Build(session, adder, items, bytes, comparer);
        int[] codes = adder.Codes(items);
        session.Objects.Waiting.Add(lowest, () =>
        {
            try
            {
                if (!adder.Codes(items).AsSpan().SequenceEqual(codes))
                {
                    ThrowHelper.InvalidValue(
                        typeof(TCollection).ToString(), "a key is in a cycle with it, and its hash code changes when the key is " +
                            "complete. Use a mutable collection");
                }
            }
            catch (Exception e) when (ThrowHelper.IsOfBytes(e))
            {
                throw ThrowHelper.Invalid(typeof(TCollection).ToString(), e);
            }
        });
        return collection;
    }

    private static TCollection Build(
        DeserializerSession session,
        ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> adder,
        List<T> items,
        long bytes,
        object? comparer)
    {
        TBuilder builder = TKind.Create(items.Count, comparer);
        adder.AddAll(builder, items, bytes);
        return Finish(session, builder);
    }

    private static TCollection Finish(DeserializerSession session, TBuilder builder)
    {
        try
        {
            session.Costs.TakeCollisions(TKind.CollisionsToFinish(builder, session.Costs.CollisionsLeft), typeof(TCollection));
            return TKind.Finish(builder);
        }
        catch (Exception e) when (ThrowHelper.IsOfBytes(e))
        {
            throw ThrowHelper.Invalid(typeof(TCollection).ToString(), e);
        }
    }

    private static void Become(TCollection collection, TCollection other)
    {
        foreach (FieldInfo field in Fields!)
        {
            field.SetValue(collection, field.GetValue(other));
        }
    }
}
