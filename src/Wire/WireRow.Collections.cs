using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.ComponentModel;
using System.Runtime.Intrinsics;
using Wire.Runtime;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Collections;
using Wire.ValueSerializers.Collections.Kinds;
using static Wire.SerializerFactories.NativeCode;

namespace Wire;

/// <content>Collections, and what holds values as they do.</content>
public static partial class WireRow
{
    /// <summary>Makes the row of a dictionary.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    public static WireTypeRow Dictionary<TKey, TValue>()
        where TKey : notnull
    {
        ClosedTypes.Add(
            typeof(Materialized.DictionaryCollector<TKey, TValue>),
            static a => new Materialized.DictionaryCollector<TKey, TValue>((ValueSerializer<Dictionary<TKey, TValue>>)a[0]!));
        return Map<Dictionary<TKey, TValue>, TKey, TValue, Dictionary<TKey, TValue>.Enumerator, DictionaryKind<TKey, TValue>>();
    }

    /// <summary>Makes the row of a dictionary that keeps an order.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    public static WireTypeRow OrderedDictionary<TKey, TValue>()
        where TKey : notnull => Map<
            OrderedDictionary<TKey, TValue>,
            TKey,
            TValue,
            OrderedDictionary<TKey, TValue>.Enumerator,
            OrderedDictionaryKind<TKey, TValue>>();

    /// <summary>Makes the row of a dictionary that is sorted.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    public static WireTypeRow SortedDictionary<TKey, TValue>()
        where TKey : notnull => Map<
            SortedDictionary<TKey, TValue>, TKey, TValue, SortedDictionary<TKey, TValue>.Enumerator, SortedDictionaryKind<TKey, TValue>>();

    /// <summary>Makes the row of a sorted list of pairs.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    public static WireTypeRow SortedList<TKey, TValue>()
        where TKey : notnull => Map<
            SortedList<TKey, TValue>, TKey, TValue, IEnumerator<KeyValuePair<TKey, TValue>>, SortedListKind<TKey, TValue>>();

    /// <summary>Makes the row of a dictionary for several threads.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    public static WireTypeRow ConcurrentDictionary<TKey, TValue>()
        where TKey : notnull => Map<
            ConcurrentDictionary<TKey, TValue>,
            TKey,
            TValue,
            ArraySegment<KeyValuePair<TKey, TValue>>.Enumerator,
            ConcurrentDictionaryKind<TKey, TValue>>();

    /// <summary>Makes the row of an immutable dictionary.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    public static WireTypeRow ImmutableDictionary<TKey, TValue>()
        where TKey : notnull => BuiltMap<
            ImmutableDictionary<TKey, TValue>,
            TKey,
            TValue,
            ImmutableDictionary<TKey, TValue>.Enumerator,
            ImmutableDictionary<TKey, TValue>.Builder,
            ImmutableDictionaryKind<TKey, TValue>>();

    /// <summary>Makes the row of an immutable dictionary that is sorted.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    public static WireTypeRow ImmutableSortedDictionary<TKey, TValue>()
        where TKey : notnull => BuiltMap<
            ImmutableSortedDictionary<TKey, TValue>,
            TKey,
            TValue,
            ImmutableSortedDictionary<TKey, TValue>.Enumerator,
            ImmutableSortedDictionary<TKey, TValue>.Builder,
            ImmutableSortedDictionaryKind<TKey, TValue>>();

    /// <summary>Makes the row of a frozen dictionary.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    public static WireTypeRow FrozenDictionary<TKey, TValue>()
        where TKey : notnull => BuiltMap<
            FrozenDictionary<TKey, TValue>,
            TKey,
            TValue,
            FrozenDictionary<TKey, TValue>.Enumerator,
            Dictionary<TKey, TValue>,
            FrozenDictionaryKind<TKey, TValue>>();

    /// <summary>Makes the row of a queue by priority.</summary>
    /// <typeparam name="TElement">The type of the elements.</typeparam>
    /// <typeparam name="TPriority">The type of the priorities.</typeparam>
    public static WireTypeRow PriorityQueue<TElement, TPriority>()
    {
        KeepValue<TElement>();
        KeepValue<TPriority>();
        KeepMembers<(TElement, TPriority)>();
        return Grown<
            PriorityQueue<TElement, TPriority>,
            (TElement, TPriority),
            PriorityQueue<TElement, TPriority>.UnorderedItemsCollection.Enumerator,
            PriorityQueueKind<TElement, TPriority>>();
    }

    /// <summary>Makes the row of a set.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow HashSet<T>() => Grown<HashSet<T>, T, HashSet<T>.Enumerator, HashSetKind<T>>();

    /// <summary>Makes the row of a set that is sorted.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow SortedSet<T>() => Grown<SortedSet<T>, T, SortedSet<T>.Enumerator, SortedSetKind<T>>();

    /// <summary>Makes the row of a linked list.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow LinkedList<T>() => Grown<LinkedList<T>, T, LinkedList<T>.Enumerator, LinkedListKind<T>>();

    /// <summary>Makes the row of a queue.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow Queue<T>() => Grown<Queue<T>, T, Queue<T>.Enumerator, QueueKind<T>>();

    /// <summary>Makes the row of a stack.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow Stack<T>() => Grown<Stack<T>, T, ArraySegment<T>.Enumerator, StackKind<T>>();

    /// <summary>Makes the row of a queue for several threads.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ConcurrentQueue<T>() => Grown<ConcurrentQueue<T>, T, ArraySegment<T>.Enumerator, ConcurrentQueueKind<T>>();

    /// <summary>Makes the row of a stack for several threads.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ConcurrentStack<T>() => Grown<ConcurrentStack<T>, T, ArraySegment<T>.Enumerator, ConcurrentStackKind<T>>();

    /// <summary>Makes the row of a bag for several threads.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ConcurrentBag<T>() => Grown<ConcurrentBag<T>, T, ArraySegment<T>.Enumerator, ConcurrentBagKind<T>>();

    /// <summary>Makes the row of an immutable list.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ImmutableList<T>()
    {
        ClosedTypes.Add(typeof(ImmutableListSerializer<T>), static a => new ImmutableListSerializer<T>((ValueSerializer<T>)a[0]!));
        KeepValue<T>();
        return Row<ImmutableList<T>>();
    }

    /// <summary>Makes the row of an immutable array.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ImmutableArray<T>()
    {
        ClosedTypes.Add(typeof(ImmutableArraySerializer<T>), static a => new ImmutableArraySerializer<T>((ValueSerializer<T>)a[0]!));
        KeepMemory<T>();
        KeepStruct<ImmutableArray<T>>();
        return Row<ImmutableArray<T>>();
    }

    /// <summary>Makes the row of an immutable queue.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ImmutableQueue<T>() =>
        Built<ImmutableQueue<T>, T, ArraySegment<T>.Enumerator, List<T>, ImmutableQueueKind<T>>();

    /// <summary>Makes the row of an immutable stack.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ImmutableStack<T>() =>
        Built<ImmutableStack<T>, T, ArraySegment<T>.Enumerator, List<T>, ImmutableStackKind<T>>();

    /// <summary>Makes the row of an immutable set.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ImmutableHashSet<T>() =>
        Built<ImmutableHashSet<T>, T, ImmutableHashSet<T>.Enumerator, ImmutableHashSet<T>.Builder, ImmutableHashSetKind<T>>();

    /// <summary>Makes the row of an immutable set that is sorted.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ImmutableSortedSet<T>() =>
        Built<ImmutableSortedSet<T>, T, ImmutableSortedSet<T>.Enumerator, ImmutableSortedSet<T>.Builder, ImmutableSortedSetKind<T>>();

    /// <summary>Makes the row of a frozen set.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow FrozenSet<T>() =>
        Built<FrozenSet<T>, T, FrozenSet<T>.Enumerator, HashSet<T>, FrozenSetKind<T>>();

    /// <summary>Makes the row of a collection around a list.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow Collection<T>() => Wrapped<Collection<T>, IList<T>, T, CollectionKind<T>>();

    /// <summary>Makes the row of a collection around a list that tells of its changes.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ObservableCollection<T>() => Wrapped<ObservableCollection<T>, IList<T>, T, ObservableCollectionKind<T>>();

    /// <summary>Makes the row of a collection around a list that does not change.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ReadOnlyCollection<T>()
    {
        ClosedTypes.Add(
            typeof(Materialized.ReadOnlyCollector<T>),
            static a => new Materialized.ReadOnlyCollector<T>((ValueSerializer<ReadOnlyCollection<T>>)a[0]!));
        return Wrapped<ReadOnlyCollection<T>, IList<T>, T, ReadOnlyCollectionKind<T>>();
    }

    /// <summary>Makes the row of a collection around a list that tells of its changes, and is only read.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ReadOnlyObservableCollection<T>()
    {
        ObservableCollection<T>();
        return Wrapped<ReadOnlyObservableCollection<T>, ObservableCollection<T>, T, ReadOnlyObservableCollectionKind<T>>();
    }

    /// <summary>Makes the row of a dictionary that is only read.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TValue">The type of the values.</typeparam>
    public static WireTypeRow ReadOnlyDictionary<TKey, TValue>()
        where TKey : notnull
    {
        Dictionary<TKey, TValue>();
        return Wrapped<
            ReadOnlyDictionary<TKey, TValue>,
            IDictionary<TKey, TValue>,
            KeyValuePair<TKey, TValue>,
            ReadOnlyDictionaryKind<TKey, TValue>>();
    }

    /// <summary>Makes the row of a set that is only read.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ReadOnlySet<T>()
    {
        HashSet<T>();
        return Wrapped<ReadOnlySet<T>, ISet<T>, T, ReadOnlySetKind<T>>();
    }

    /// <summary>Makes the row of a list that is bound to controls.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow BindingList<T>()
    {
        Components();
        Enum<BindingListFlags, byte>();
        KeepMembers<(IList<T>, BindingListFlags, int)>();
        return Wrapped<BindingList<T>, (IList<T> Items, BindingListFlags Flags, int NewIndex), T, BindingListKind<T>>();
    }

    /// <summary>Makes the row of a collection that its readers wait for.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow BlockingCollection<T>()
    {
        ConcurrentQueue<T>();
        KeepMembers<(IProducerConsumerCollection<T>, int, bool)>();
        return Wrapped<
            BlockingCollection<T>,
            (IProducerConsumerCollection<T> Items, int BoundedCapacity, bool IsAddingCompleted),
            T,
            BlockingCollectionKind<T>>();
    }

    /// <summary>Makes the row of a collection from which classes derive whose elements have keys.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow KeyedCollection<TKey, T>()
        where TKey : notnull =>
        Grown<KeyedCollection<TKey, T>, T, ArraySegment<T>.Enumerator, KeyedCollectionKind<TKey, T>>();

    /// <summary>Makes the row of elements in groups.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TElement">The type of the elements.</typeparam>
    public static WireTypeRow Lookup<TKey, TElement>()
    {
        KeepGroups<TKey, TElement>();
        return Built<
            ILookup<TKey, TElement>,
            KeyValuePair<TKey, TElement[]>,
            ArraySegment<KeyValuePair<TKey, TElement[]>>.Enumerator,
            LookupBuilder<TKey, TElement>,
            LookupKind<TKey, TElement>>();
    }

    /// <summary>Makes the row of an async sequence.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow AsyncEnumerable<T>()
    {
        ClosedTypes.Add(typeof(AsyncSequenceSerializer<T>), static _ => new AsyncSequenceSerializer<T>());
        KeepValue<T>();
        return Row<IAsyncEnumerable<T>>();
    }

    /// <summary>Makes the row of a group of elements.</summary>
    /// <typeparam name="TKey">The type of the keys.</typeparam>
    /// <typeparam name="TElement">The type of the elements.</typeparam>
    public static WireTypeRow Grouping<TKey, TElement>()
    {
        KeepGroups<TKey, TElement>();
        ClosedTypes.Add(
            typeof(GroupingSerializer<TKey, TElement>),
            static a => new GroupingSerializer<TKey, TElement>((ValueSerializer<KeyValuePair<TKey, TElement[]>>)a[0]!));
        return Row<IGrouping<TKey, TElement>>();
    }

    /// <summary>Makes the row of a node of a linked list.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow LinkedListNode<T>()
    {
        LinkedList<T>();
        KeepMembers<NodePlace<T>>();
        ClosedTypes.Add(
            typeof(LinkedListNodeSerializer<T>),
            static a => new LinkedListNodeSerializer<T>((ValueSerializer<NodePlace<T>>)a[0]!));
        return Row<LinkedListNode<T>>();
    }

    /// <summary>Makes the row of a reference that does not keep its target.</summary>
    /// <typeparam name="T">The type of the target.</typeparam>
    public static WireTypeRow WeakReference<T>()
        where T : class
    {
        KeepMembers<WeakTarget<T>>();
        ClosedTypes.Add(
            typeof(WeakReferenceSerializer<T>),
            static a => new WeakReferenceSerializer<T>((ValueSerializer<WeakTarget<T>>)a[0]!));
        return Row<WeakReference<T>>();
    }

    /// <summary>Makes the row of a vector of the processor.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow Vector64<T>()
        where T : unmanaged => Vector<Vector64<T>, T>();

    /// <inheritdoc cref="Vector64{T}"/>
    public static WireTypeRow Vector128<T>()
        where T : unmanaged => Vector<Vector128<T>, T>();

    /// <inheritdoc cref="Vector64{T}"/>
    public static WireTypeRow Vector256<T>()
        where T : unmanaged => Vector<Vector256<T>, T>();

    /// <inheritdoc cref="Vector64{T}"/>
    public static WireTypeRow Vector512<T>()
        where T : unmanaged => Vector<Vector512<T>, T>();

    /// <summary>Makes the row of a value that is made when it is asked for.</summary>
    /// <typeparam name="T">The type of the value.</typeparam>
    public static WireTypeRow Lazy<T>() => Wrapped<Lazy<T>, T, T, LazyKind<T>>();

    /// <summary>Makes the row of memory.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow Memory<T>()
    {
        KeepMemory<T>();
        KeepStruct<Memory<T>>();
        return Row<Memory<T>>();
    }

    /// <summary>Makes the row of memory that is only read.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ReadOnlyMemory<T>()
    {
        KeepMemory<T>();
        KeepStruct<ReadOnlyMemory<T>>();
        return Row<ReadOnlyMemory<T>>();
    }

    /// <summary>Makes the row of segments of memory.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ReadOnlySequence<T>()
    {
        ClosedTypes.Add(typeof(ReadOnlySequenceSerializer<T>), static a => new ReadOnlySequenceSerializer<T>((ValueSerializer<T>)a[0]!));
        KeepMemory<T>();
        KeepStruct<ReadOnlySequence<T>>();
        return Row<ReadOnlySequence<T>>();
    }

    /// <summary>Makes the row of a part of an array.</summary>
    /// <typeparam name="T">The type of the elements.</typeparam>
    public static WireTypeRow ArraySegment<T>()
    {
        ClosedTypes.Add(typeof(ArraySegmentSerializer<T>), static a => new ArraySegmentSerializer<T>((ValueSerializer<T>)a[0]!));
        KeepMemory<T>();
        KeepStruct<ArraySegment<T>>();
        return Row<ArraySegment<T>>();
    }
}
