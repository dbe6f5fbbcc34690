using System.Reflection;

namespace Wire;

/// <summary>A collection that exists only when all its elements are known.</summary>
internal sealed class BuiltSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(ValueSerializer<T> element)
    : CollectionSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(element)
    where TEnumerator : IEnumerator<T>
    where TKind : struct, IBuiltKind<TCollection, T, TEnumerator, TBuilder>
{
    // Of these an object can be there before it is what it will be. Frozen collections and look-ups are of a class that their keys decide.
    private static readonly FieldInfo[]? Fields = typeof(TCollection) is { IsClass: true, IsSealed: true } type ? type.GetFields(MemberFinder.DeclaredInstance) : null;

    public override TCollection Read(ref WireReader reader)
    {
        object? comparer = TKind.ReadComparer(ref reader);
        int count = reader.ReadCount(Element.ElementSize, MemorySize, out int capacity);
        if (IsSimple(ref reader, count, comparer))
        {
            TBuilder builder = TKind.Create(capacity, comparer);
            ReadSimply(ref reader, builder, count);
            return Finish(reader.Session, builder);
        }

        if (!GathersFirst(ref reader, count, capacity, comparer, out var adder))
        {
            TBuilder builder = TKind.Create(capacity, comparer);
            ReadCounting(ref reader, builder, count, comparer, adder.Table);
            return Finish(reader.Session, builder);
        }

        List<T> items = Gather(ref reader, count, capacity, out bool inCircle, out long bytes);
        if (!inCircle)
        {
            return Build(reader.Session, adder, items, bytes, comparer);
        }

        if (Fields is null)
        {
            return BuildAndCheck(reader.Session, adder, items, bytes, comparer);
        }

        return BuildLater(reader.Session, adder, items, bytes, comparer);
    }

    private protected override ValueSerializer With(ValueSerializer<T> adapted) =>
        new BuiltSerializer<TCollection, T, TEnumerator, TBuilder, TKind>(adapted);

    // Its keys have not all their members yet, and so not the hash codes that they will have: until then it is empty. A method of its
    // own, because what the lambda captures would be allocated for every collection.
    private static TCollection BuildLater(
        DeserializerSession session, ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> adder, List<T> items, long bytes, object? comparer)
    {
        TCollection collection = (TCollection)System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(typeof(TCollection));
        Become(collection, TKind.Finish(TKind.Create(0, comparer)));
        session.WhenComplete(() => Become(collection, Build(session, adder, items, bytes, comparer)));
        return collection;
    }

    private static TCollection BuildAndCheck(
        DeserializerSession session, ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> adder, List<T> items, long bytes, object? comparer)
    {
        TCollection collection = Build(session, adder, items, bytes, comparer);
        int[] codes = adder.Codes(items);
        session.WhenComplete(() =>
        {
            try
            {
                if (!adder.Codes(items).AsSpan().SequenceEqual(codes))
                {
                    Throw.InvalidValue(typeof(TCollection).ToString(), "a key stands in a circle with it, and has another hash code when all its members are there. Use a collection that can be filled later");
                }
            }
            catch (Exception e) when (Throw.IsOfBytes(e))
            {
                throw Throw.Invalid(typeof(TCollection).ToString(), e);
            }
        });
        return collection;
    }

    private static TCollection Build(DeserializerSession session, ElementAdder<TCollection, T, TEnumerator, TBuilder, TKind> adder, List<T> items, long bytes, object? comparer)
    {
        TBuilder builder = TKind.Create(items.Count, comparer);
        adder.AddAll(builder, items, bytes);
        return Finish(session, builder);
    }

    private static TCollection Finish(DeserializerSession session, TBuilder builder)
    {
        try
        {
            session.ChargeCollisions(TKind.CollisionsToFinish(builder, session.CollisionsLeft), typeof(TCollection));
            return TKind.Finish(builder);
        }
        catch (Exception e) when (Throw.IsOfBytes(e))
        {
            throw Throw.Invalid(typeof(TCollection).ToString(), e);
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
