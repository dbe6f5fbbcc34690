using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Diagnostics.CodeAnalysis;
using Wire.Runtime;
using Wire.Values;
using Wire.ValueSerializers;
using Wire.ValueSerializers.Collections;
using Wire.ValueSerializers.Collections.Kinds;

namespace Wire.SerializerFactories;

/// <content>Collections, and the types around their elements.</content>
internal static partial class Families
{
    private static Family[] Collections() =>
    [
        Family.Generic("System.Nullable`1", () => typeof(Nullable<>), () => typeof(NullableSerializer<>)),
        Family.Generic("System.Collections.Generic.List`1", () => typeof(List<>), () => typeof(ListSerializer<>)),
        Family.Collection("System.Collections.Generic.Dictionary`2", () => typeof(Dictionary<,>), () => typeof(DictionaryKind<,>)),
        Family.Collection("System.Collections.Generic.HashSet`1", () => typeof(HashSet<>), () => typeof(HashSetKind<>)),
        Family.Collection(
            "System.Collections.Generic.OrderedDictionary`2", () => typeof(OrderedDictionary<,>), () => typeof(OrderedDictionaryKind<,>)),
        Family.Collection(
            "System.Collections.Generic.SortedDictionary`2", () => typeof(SortedDictionary<,>), () => typeof(SortedDictionaryKind<,>)),
        Family.Collection("System.Collections.Generic.SortedList`2", () => typeof(SortedList<,>), () => typeof(SortedListKind<,>)),
        Family.Collection(
            "System.Collections.Generic.SortedSet`1", () => typeof(SortedSet<>), () => typeof(SortedSetKind<>)) with { HasViews = true },
        Family.Collection("System.Collections.Generic.PriorityQueue`2", () => typeof(PriorityQueue<,>), () => typeof(PriorityQueueKind<,>)),
        Family.Collection("System.Collections.Generic.LinkedList`1", () => typeof(LinkedList<>), () => typeof(LinkedListKind<>)),
        new Family(
            "System.Collections.Generic.LinkedListNode`1",
            () => typeof(LinkedListNode<>),
            (type, registry) => Family.Make(
                ClosedTypes.Close(typeof(LinkedListNodeSerializer<>), type.GetGenericArguments()),
                registry.CreateSlot(ClosedTypes.Close(typeof(NodePlace<>), type.GetGenericArguments())))),
        Family.Collection("System.Collections.Generic.Queue`1", () => typeof(Queue<>), () => typeof(QueueKind<>)),
        Family.Collection("System.Collections.Generic.Stack`1", () => typeof(Stack<>), () => typeof(StackKind<>)),

        Family.Collection(
            "System.Collections.Concurrent.ConcurrentDictionary`2",
            () => typeof(ConcurrentDictionary<,>),
            () => typeof(ConcurrentDictionaryKind<,>)),
        Family.Collection(
            "System.Collections.Concurrent.ConcurrentQueue`1", () => typeof(ConcurrentQueue<>), () => typeof(ConcurrentQueueKind<>)),
        Family.Collection(
            "System.Collections.Concurrent.ConcurrentStack`1", () => typeof(ConcurrentStack<>), () => typeof(ConcurrentStackKind<>)),
        Family.Collection(
            "System.Collections.Concurrent.ConcurrentBag`1", () => typeof(ConcurrentBag<>), () => typeof(ConcurrentBagKind<>)),
        Family.Wrapper(
            "System.Collections.Concurrent.BlockingCollection`1",
            () => typeof(BlockingCollection<>),
            () => typeof(BlockingCollectionKind<>)),

        Family.Wrapper("System.Collections.ObjectModel.Collection`1", () => typeof(Collection<>), () => typeof(CollectionKind<>)),
        Family.Wrapper(
            "System.Collections.ObjectModel.ObservableCollection`1",
            () => typeof(ObservableCollection<>),
            () => typeof(ObservableCollectionKind<>)),
        Family.Wrapper(
            "System.Collections.ObjectModel.ReadOnlyCollection`1",
            () => typeof(ReadOnlyCollection<>),
            () => typeof(ReadOnlyCollectionKind<>)),
        Family.Wrapper(
            "System.Collections.ObjectModel.ReadOnlyObservableCollection`1",
            () => typeof(ReadOnlyObservableCollection<>),
            () => typeof(ReadOnlyObservableCollectionKind<>)),
        Family.Wrapper(
            "System.Collections.ObjectModel.ReadOnlyDictionary`2",
            () => typeof(ReadOnlyDictionary<,>),
            () => typeof(ReadOnlyDictionaryKind<,>)),
        Family.Wrapper("System.Collections.ObjectModel.ReadOnlySet`1", () => typeof(ReadOnlySet<>), () => typeof(ReadOnlySetKind<>)),
        Family.Collection(
            "System.Collections.ObjectModel.KeyedCollection`2", () => typeof(KeyedCollection<,>), () => typeof(KeyedCollectionKind<,>)),


        Family.Generic(
            "System.Collections.Immutable.ImmutableArray`1", () => typeof(ImmutableArray<>), () => typeof(ImmutableArraySerializer<>)),
        Family.Generic(
            "System.Collections.Immutable.ImmutableList`1", () => typeof(ImmutableList<>), () => typeof(ImmutableListSerializer<>)),
        Family.Collection(
            "System.Collections.Immutable.ImmutableQueue`1", () => typeof(ImmutableQueue<>), () => typeof(ImmutableQueueKind<>)),
        Family.Collection(
            "System.Collections.Immutable.ImmutableStack`1", () => typeof(ImmutableStack<>), () => typeof(ImmutableStackKind<>)),
        Family.Collection(
            "System.Collections.Immutable.ImmutableHashSet`1", () => typeof(ImmutableHashSet<>), () => typeof(ImmutableHashSetKind<>)),
        Family.Collection(
            "System.Collections.Immutable.ImmutableSortedSet`1",
            () => typeof(ImmutableSortedSet<>),
            () => typeof(ImmutableSortedSetKind<>)),
        Family.Collection(
            "System.Collections.Immutable.ImmutableDictionary`2",
            () => typeof(ImmutableDictionary<,>),
            () => typeof(ImmutableDictionaryKind<,>)),
        Family.Collection(
            "System.Collections.Immutable.ImmutableSortedDictionary`2",
            () => typeof(ImmutableSortedDictionary<,>),
            () => typeof(ImmutableSortedDictionaryKind<,>)),
        Family.Collection(
            "System.Collections.Frozen.FrozenDictionary`2",
            () => typeof(FrozenDictionary<,>),
            () => typeof(FrozenDictionaryKind<,>)) with { CoversDerived = true },
        Family.Collection("System.Collections.Frozen.FrozenSet`1", () => typeof(FrozenSet<>), () => typeof(FrozenSetKind<>)) with
        {
            CoversDerived = true,
        },

        Family.Collection("System.Linq.ILookup`2", () => typeof(ILookup<,>), () => typeof(LookupKind<,>)),
        Family.Written("System.Linq.IGrouping`2", () => typeof(IGrouping<,>), () => typeof(GroupingSerializer<,>)),
        new Family(
            "System.Collections.Generic.IAsyncEnumerable`1",
            () => typeof(IAsyncEnumerable<>),
            (type, _) => Family.Make(ClosedTypes.Close(typeof(AsyncSequenceSerializer<>), type.GetGenericArguments()))) with
        {
            IsWrittenInParts = true,
        },
        Family.Generic("System.ArraySegment`1", () => typeof(ArraySegment<>), () => typeof(ArraySegmentSerializer<>)),
        Family.Generic("System.Memory`1", () => typeof(Memory<>), () => typeof(MemorySerializer<>)),
        Family.Generic("System.ReadOnlyMemory`1", () => typeof(ReadOnlyMemory<>), () => typeof(ReadOnlyMemorySerializer<>)),
        Family.Generic("System.Buffers.ReadOnlySequence`1", () => typeof(ReadOnlySequence<>), () => typeof(ReadOnlySequenceSerializer<>)),
        Family.Wrapper("System.Lazy`1", () => typeof(Lazy<>), () => typeof(LazyKind<>)),

        Family.Converted("System.StringComparer", () => typeof(StringComparer), registry =>
            As<StringComparer, (byte Code, string? Culture, int Options)>(
                registry, ComparerFormat.TextToParts, ComparerFormat.TextFromParts)) with { CoversDerived = true },
        Family.Converted("System.Collections.Comparer", () => typeof(Comparer), registry => As<Comparer, UntypedComparerParts>(
            registry, ComparerFormat.UntypedToParts, ComparerFormat.UntypedFromParts)),
        Family.Converted("System.Collections.CaseInsensitiveComparer", () => typeof(CaseInsensitiveComparer), registry =>
            As<CaseInsensitiveComparer, UntypedComparerParts>(
                registry, ComparerFormat.IgnoringCaseToParts, ComparerFormat.IgnoringCaseFromParts)),
        // HashSet<T>.CreateSetComparer(), all of which are equal. The class has no public name.
        new Family(
            "System.Collections.Generic.HashSetEqualityComparer`1",
            () => SetComparer(typeof(HashSet<object>)).GetType().GetGenericTypeDefinition(),
            (type, _) => Family.MakeSingle(type, SetComparer(ClosedTypes.Close(typeof(HashSet<>), type.GetGenericArguments())))),
        Family.Default("System.Collections.Generic.EqualityComparer`1", () => typeof(EqualityComparer<>)) with { CoversDerived = true },
        Family.Default("System.Collections.Generic.Comparer`1", () => typeof(Comparer<>)) with { CoversDerived = true },
        Family.Single(
            "System.Collections.Generic.ReferenceEqualityComparer",
            () => typeof(ReferenceEqualityComparer),
            () => ReferenceEqualityComparer.Instance),
    ];

    [DynamicDependency(nameof(HashSet<>.CreateSetComparer), typeof(HashSet<>))]
    private static object SetComparer(Type set) => set.GetMethod(nameof(HashSet<>.CreateSetComparer)) is { } create
        ? create.Invoke(null, null)!
        : throw ClosedTypes.Unseen(set, null);
}
