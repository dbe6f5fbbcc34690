using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Wire.Runtime;
using Wire.Slots;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// Objects of internal classes that an interface describes completely: queries and iterators are restored as lists, dictionaries as
/// dictionaries, the read-only lists of collection expressions as read-only collections, groups as groups, async iterators and what has
/// been read of them as async sequences.
/// </summary>
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2070", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = TrimmingAdvice.Inside)]
[UnconditionalSuppressMessage("Trimming", "IL2077", Justification = TrimmingAdvice.Inside)]
internal static class Materialized
{
    // The C# compiler's names for the lists of collection expressions.
    private const string CollectionExpression = "<>z__ReadOnly";

    private static readonly (Type Interface, Type Written)[] Faces =
    [
        (typeof(IGrouping<,>), typeof(IGrouping<,>)),
        (typeof(ILookup<,>), typeof(ILookup<,>)),
        (typeof(IDictionary<,>), typeof(Dictionary<,>)),
        (typeof(IEnumerable<>), typeof(List<>)),
        (typeof(IAsyncEnumerable<>), typeof(IAsyncEnumerable<>)),
    ];

    /// <summary>The type as which objects of such a class are written; the class itself for any other.</summary>
    public static Type WrittenAs(Type type)
    {
        bool isExpression = type.Name.StartsWith(CollectionExpression, StringComparison.Ordinal);
        return type.IsImmutableBuilder() || (!isExpression && !IsDetail(type)) ? type : ByFace(type, isExpression);
    }

    private static Type ByFace(Type type, bool isExpression)
    {
        foreach ((Type face, Type written) in Faces)
        {
            Type[] found = [.. type.GetInterfaces().Where(i => i.IsOf(face))];
            if (found.Length == 1)
            {
                return ClosedTypes.Close(isExpression ? typeof(ReadOnlyCollection<>) : written, found[0].GetGenericArguments());
            }
        }

        return type;
    }

    /// <summary>
    /// Makes the value serializer that writes objects of such a class as lists.
    /// </summary>
    public static ValueSerializer CreateSerializer(Type written, ValueSerializer serializer)
    {
        Type? definition = written.IsGenericType ? written.GetGenericTypeDefinition() : null;
        Type? collector = definition == typeof(List<>) ? typeof(ListCollector<>)
            : definition == typeof(ReadOnlyCollection<>) ? typeof(ReadOnlyCollector<>)
            : definition == typeof(Dictionary<,>) ? typeof(DictionaryCollector<,>)
            : null;
        try
        {
            return collector is null
                ? serializer
                : (ValueSerializer)ClosedTypes.Create(collector, written.GetGenericArguments(), serializer);
        }
        catch (UnsupportedTypeException e) when (e is { IsUnseen: true, HasRow: false })
        {
            throw ClosedTypes.Unseen(written, e.InnerException);
        }
    }

    // An internal class of .NET, a compiler's iterator class, or a part of a collection such as its keys.
    private static bool IsDetail(Type type) =>
        FrameworkAssemblies.Contains(type.Home())
            ? !type.IsPublic || type.IsOf(typeof(Lookup<,>))
            : type.IsOf(typeof(AsyncSequence<>))
                || (type.Name.StartsWith('<')
                    && (typeof(IAsyncStateMachine).IsAssignableFrom(type)
                        || (typeof(System.Collections.IEnumerator).IsAssignableFrom(type)
                            && type.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false))));

    internal sealed class ListCollector<T>(ListSerializer<T> list) : Collector<List<T>, T>(list)
    {
        private protected override List<T> Collect(IEnumerable<T> items) => [.. items];
    }

    internal sealed class ReadOnlyCollector<T>(ValueSerializer<ReadOnlyCollection<T>> serializer)
        : Collector<ReadOnlyCollection<T>, T>(serializer)
    {
        private protected override ReadOnlyCollection<T> Collect(IEnumerable<T> items) => new([.. items]);
    }

    internal sealed class DictionaryCollector<TKey, TValue>(ValueSerializer<Dictionary<TKey, TValue>> serializer)
        : Collector<Dictionary<TKey, TValue>, KeyValuePair<TKey, TValue>>(serializer)
        where TKey : notnull
    {
        private protected override Dictionary<TKey, TValue> Collect(IEnumerable<KeyValuePair<TKey, TValue>> items) => new(items);
    }

    internal abstract class Collector<TWritten, T>(ValueSerializer<TWritten> serializer) : ValueSerializer<IEnumerable<T>>, IMeasured
        where TWritten : IEnumerable<T>
    {
        public override void Write(ref WireWriter writer, IEnumerable<T> value) =>
            serializer.Write(ref writer, Collect(Bounded(ref writer, value)));

        public override IEnumerable<T> Read(ref WireReader reader) => serializer.Read(ref reader);

        internal override Format.Shape Describe(Values.ShapeBuilder builder) => builder.Build(serializer);

        private protected abstract TWritten Collect(IEnumerable<T> items);

        // It is restored as the type it is written as.
        public long MeasureObject() => serializer.Measure();

        // An iterator may be endless: it is enumerated only as far as a reader would accept.
        private static IEnumerable<T> Bounded(ref WireWriter writer, IEnumerable<T> items)
        {
            SerializerSession session = writer.Session;
            long most = Math.Min(session.Limits.MaxElements, session.Costs.BytesLeft / Unsafe.SizeOf<T>());
            bool isKnown = items.TryGetNonEnumeratedCount(out int count);
            if (isKnown && count <= most)
            {
                return items;
            }

            var collected = new List<T>();
            if (!isKnown)
            {
                foreach (T item in items)
                {
                    count = collected.Count + 1;
                    if (count > most)
                    {
                        break;
                    }

                    collected.Add(item);
                }
            }

            if (count > most)
            {
                writer.CheckCount(count, Unsafe.SizeOf<T>());
            }

            return collected;
        }
    }
}
