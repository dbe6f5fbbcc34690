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
    /// <summary>A dictionary.</summary>
    public static WireTypeRow Dictionary<TKey, TValue>()
        where TKey : notnull =>
        Map<Dictionary<TKey, TValue>, TKey, TValue, Dictionary<TKey, TValue>.Enumerator, DictionaryKind<TKey, TValue>>();

    /// <summary>A dictionary that keeps an order.</summary>
    public static WireTypeRow OrderedDictionary<TKey, TValue>()
        where TKey : notnull => Map<
            OrderedDictionary<TKey, TValue>,
            TKey,
            TValue,
            OrderedDictionary<TKey, TValue>.Enumerator,
            OrderedDictionaryKind<TKey, TValue>>();

    /// <summary>A dictionary that is sorted.</summary>
    public static WireTypeRow SortedDictionary<TKey, TValue>()
        where TKey : notnull => Map<
            SortedDictionary<TKey, TValue>, TKey, TValue, SortedDictionary<TKey, TValue>.Enumerator, SortedDictionaryKind<TKey, TValue>>();

    /// <summary>A sorted list of pairs.</summary>
    public static WireTypeRow SortedList<TKey, TValue>()
        where TKey : notnull => Map<
            SortedList<TKey, TValue>, TKey, TValue, IEnumerator<KeyValuePair<TKey, TValue>>, SortedListKind<TKey, TValue>>();

    /// <summary>A dictionary for several threads.</summary>
    public static WireTypeRow ConcurrentDictionary<TKey, TValue>()
        where TKey : notnull => Map<
            ConcurrentDictionary<TKey, TValue>,
            TKey,
            TValue,
            ArraySegment<KeyValuePair<TKey, TValue>>.Enumerator,
            ConcurrentDictionaryKind<TKey, TValue>>();

    /// <summary>An immutable dictionary.</summary>
    public static WireTypeRow ImmutableDictionary<TKey, TValue>()
        where TKey : notnull => BuiltMap<
            ImmutableDictionary<TKey, TValue>,
            TKey,
            TValue,
            ImmutableDictionary<TKey, TValue>.Enumerator,
            ImmutableDictionary<TKey, TValue>.Builder,
            ImmutableDictionaryKind<TKey, TValue>>();

    /// <summary>An immutable dictionary that is sorted.</summary>
    public static WireTypeRow ImmutableSortedDictionary<TKey, TValue>()
        where TKey : notnull => BuiltMap<
            ImmutableSortedDictionary<TKey, TValue>,
            TKey,
            TValue,
            ImmutableSortedDictionary<TKey, TValue>.Enumerator,
            ImmutableSortedDictionary<TKey, TValue>.Builder,
            ImmutableSortedDictionaryKind<TKey, TValue>>();

    /// <summary>A frozen dictionary.</summary>
    public static WireTypeRow FrozenDictionary<TKey, TValue>()
        where TKey : notnull => BuiltMap<
            FrozenDictionary<TKey, TValue>,
            TKey,
            TValue,
            FrozenDictionary<TKey, TValue>.Enumerator,
            Dictionary<TKey, TValue>,
            FrozenDictionaryKind<TKey, TValue>>();

    /// <summary>A queue by priority.</summary>
    public static WireTypeRow PriorityQueue<TElement, TPriority>()
    {
        KeepValue<TElement>();
        KeepValue<TPriority>();
        return Grown<
            PriorityQueue<TElement, TPriority>,
            (TElement, TPriority),
            PriorityQueue<TElement, TPriority>.UnorderedItemsCollection.Enumerator,
            PriorityQueueKind<TElement, TPriority>>();
    }

    /// <summary>A set.</summary>
    public static WireTypeRow HashSet<T>() => Grown<HashSet<T>, T, HashSet<T>.Enumerator, HashSetKind<T>>();

    /// <summary>A set that is sorted.</summary>
    public static WireTypeRow SortedSet<T>() => Grown<SortedSet<T>, T, SortedSet<T>.Enumerator, SortedSetKind<T>>();

    /// <summary>A linked list.</summary>
    public static WireTypeRow LinkedList<T>() => Grown<LinkedList<T>, T, LinkedList<T>.Enumerator, LinkedListKind<T>>();

    /// <summary>A queue.</summary>
    public static WireTypeRow Queue<T>() => Grown<Queue<T>, T, Queue<T>.Enumerator, QueueKind<T>>();

    /// <summary>A stack.</summary>
    public static WireTypeRow Stack<T>() => Grown<Stack<T>, T, ArraySegment<T>.Enumerator, StackKind<T>>();

    /// <summary>A queue for several threads.</summary>
    public static WireTypeRow ConcurrentQueue<T>() => Grown<ConcurrentQueue<T>, T, ArraySegment<T>.Enumerator, ConcurrentQueueKind<T>>();

    /// <summary>A stack for several threads.</summary>
    public static WireTypeRow ConcurrentStack<T>() => Grown<ConcurrentStack<T>, T, ArraySegment<T>.Enumerator, ConcurrentStackKind<T>>();

    /// <summary>A bag for several threads.</summary>
    public static WireTypeRow ConcurrentBag<T>() => Grown<ConcurrentBag<T>, T, ArraySegment<T>.Enumerator, ConcurrentBagKind<T>>();

    /// <summary>An immutable list.</summary>
    public static WireTypeRow ImmutableList<T>()
    {
        ClosedTypes.Add(static a => new ImmutableListSerializer<T>((ValueSerializer<T>)a[0]!));
        KeepValue<T>();
        return Row<ImmutableList<T>>();
    }

    /// <summary>An immutable array.</summary>
    public static WireTypeRow ImmutableArray<T>()
    {
        ClosedTypes.Add(static a => new ImmutableArraySerializer<T>((ValueSerializer<T>)a[0]!));
        ClosedTypes.Add(static a => new NullableSerializer<ImmutableArray<T>>((ValueSerializer<ImmutableArray<T>>)a[0]!));
        KeepMemory<T>();
        KeepValue<ImmutableArray<T>>();
        KeepValue<ImmutableArray<T>?>();
        return Row<ImmutableArray<T>>();
    }

    /// <summary>An immutable queue.</summary>
    public static WireTypeRow ImmutableQueue<T>() =>
        Built<ImmutableQueue<T>, T, ArraySegment<T>.Enumerator, List<T>, ImmutableQueueKind<T>>();

    /// <summary>An immutable stack.</summary>
    public static WireTypeRow ImmutableStack<T>() =>
        Built<ImmutableStack<T>, T, ArraySegment<T>.Enumerator, List<T>, ImmutableStackKind<T>>();

    /// <summary>An immutable set.</summary>
    public static WireTypeRow ImmutableHashSet<T>() =>
        Built<ImmutableHashSet<T>, T, ImmutableHashSet<T>.Enumerator, ImmutableHashSet<T>.Builder, ImmutableHashSetKind<T>>();

    /// <summary>An immutable set that is sorted.</summary>
    public static WireTypeRow ImmutableSortedSet<T>() =>
        Built<ImmutableSortedSet<T>, T, ImmutableSortedSet<T>.Enumerator, ImmutableSortedSet<T>.Builder, ImmutableSortedSetKind<T>>();

    /// <summary>A frozen set.</summary>
    public static WireTypeRow FrozenSet<T>() =>
        Built<FrozenSet<T>, T, FrozenSet<T>.Enumerator, HashSet<T>, FrozenSetKind<T>>();

    /// <summary>A collection around a list.</summary>
    public static WireTypeRow Collection<T>() => Wrapped<Collection<T>, IList<T>, T, CollectionKind<T>>();

    /// <summary>A collection around a list that tells of its changes.</summary>
    public static WireTypeRow ObservableCollection<T>() => Wrapped<ObservableCollection<T>, IList<T>, T, ObservableCollectionKind<T>>();

    /// <summary>A collection around a list that does not change.</summary>
    public static WireTypeRow ReadOnlyCollection<T>() => Wrapped<ReadOnlyCollection<T>, IList<T>, T, ReadOnlyCollectionKind<T>>();

    /// <summary>A collection around a list that tells of its changes, and is only read.</summary>
    public static WireTypeRow ReadOnlyObservableCollection<T>()
    {
        ObservableCollection<T>();
        return Wrapped<ReadOnlyObservableCollection<T>, ObservableCollection<T>, T, ReadOnlyObservableCollectionKind<T>>();
    }

    /// <summary>A dictionary that is only read.</summary>
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

    /// <summary>A set that is only read.</summary>
    public static WireTypeRow ReadOnlySet<T>()
    {
        HashSet<T>();
        return Wrapped<ReadOnlySet<T>, ISet<T>, T, ReadOnlySetKind<T>>();
    }

    /// <summary>A list that is bound to controls.</summary>
    public static WireTypeRow BindingList<T>()
    {
        Components();
        Enum<BindingListFlags, byte>();
        KeepValue<(IList<T>, BindingListFlags, int)>();
        return Wrapped<BindingList<T>, (IList<T> Items, BindingListFlags Flags, int NewIndex), T, BindingListKind<T>>();
    }

    /// <summary>A collection that its readers wait for.</summary>
    public static WireTypeRow BlockingCollection<T>()
    {
        ConcurrentQueue<T>();
        KeepValue<(IProducerConsumerCollection<T>, int, bool)>();
        return Wrapped<
            BlockingCollection<T>,
            (IProducerConsumerCollection<T> Items, int BoundedCapacity, bool IsAddingCompleted),
            T,
            BlockingCollectionKind<T>>();
    }

    /// <summary>A collection from which classes derive whose elements have keys.</summary>
    public static WireTypeRow KeyedCollection<TKey, T>()
        where TKey : notnull =>
        Grown<KeyedCollection<TKey, T>, T, ArraySegment<T>.Enumerator, KeyedCollectionKind<TKey, T>>();

    /// <summary>Elements in groups.</summary>
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

    /// <summary>A group of elements.</summary>
    public static WireTypeRow Grouping<TKey, TElement>()
    {
        KeepGroups<TKey, TElement>();
        ClosedTypes.Add(static a => new GroupingSerializer<TKey, TElement>((ValueSerializer<KeyValuePair<TKey, TElement[]>>)a[0]!));
        return Row<IGrouping<TKey, TElement>>();
    }

    /// <summary>A node of a linked list.</summary>
    public static WireTypeRow LinkedListNode<T>()
    {
        LinkedList<T>();
        KeepValue<NodePlace<T>>();
        ClosedTypes.Add(static a => new LinkedListNodeSerializer<T>((ValueSerializer<NodePlace<T>>)a[0]!));
        return Row<LinkedListNode<T>>();
    }

    /// <summary>A reference that does not keep its target.</summary>
    public static WireTypeRow WeakReference<T>()
        where T : class
    {
        KeepValue<WeakTarget<T>>();
        ClosedTypes.Add(static a => new WeakReferenceSerializer<T>((ValueSerializer<WeakTarget<T>>)a[0]!));
        return Row<WeakReference<T>>();
    }

    /// <summary>A vector of the processor.</summary>
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

    /// <summary>A value that is made when it is asked for.</summary>
    public static WireTypeRow Lazy<T>() => Wrapped<Lazy<T>, T, T, LazyKind<T>>();

    /// <summary>Memory.</summary>
    public static WireTypeRow Memory<T>()
    {
        KeepMemory<T>();
        KeepValue<Memory<T>>();
        return Row<Memory<T>>();
    }

    /// <summary>Memory that is only read.</summary>
    public static WireTypeRow ReadOnlyMemory<T>()
    {
        KeepMemory<T>();
        return Row<ReadOnlyMemory<T>>();
    }

    /// <summary>Segments of memory.</summary>
    public static WireTypeRow ReadOnlySequence<T>()
    {
        ClosedTypes.Add(static a => new ReadOnlySequenceSerializer<T>((ValueSerializer<T>)a[0]!));
        KeepMemory<T>();
        KeepValue<ReadOnlySequence<T>>();
        return Row<ReadOnlySequence<T>>();
    }

    /// <summary>A part of an array.</summary>
    public static WireTypeRow ArraySegment<T>()
    {
        ClosedTypes.Add(static a => new ArraySegmentSerializer<T>((ValueSerializer<T>)a[0]!));
        KeepMemory<T>();
        KeepValue<ArraySegment<T>>();
        return Row<ArraySegment<T>>();
    }
}
