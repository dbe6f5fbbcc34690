using System.Collections;
using System.Collections.Concurrent;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Dynamic;
using Wire.Comparing;
using Wire.Testing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

/// <summary>Collections inside themselves, and collections that stand around the same one.</summary>
public sealed class CycleTests
{
    // The runner of tests, which describes its data, would go round in these: it gets their numbers.
    public static TheoryData<int> Numbers => [.. Enumerable.Range(0, Cycles().Length)];

    private static object[] Cycles()
    {
        var list = new List<object>();
        list.Add(list);
        var map = new Dictionary<string, object>();
        map.Add("self", map);
        var keys = new Dictionary<object, int>(ReferenceEqualityComparer.Instance);
        keys.Add(keys, 1);
        var set = new HashSet<object>(ReferenceEqualityComparer.Instance);
        set.Add(set);
        var ordered = new OrderedDictionary<string, object>();
        ordered.Add("self", ordered);
        var sorted = new SortedDictionary<string, object>();
        sorted.Add("self", sorted);
        var sortedList = new SortedList<string, object>();
        sortedList.Add("self", sortedList);
        var priorities = new PriorityQueue<object, int>();
        priorities.Enqueue(priorities, 1);
        var linked = new LinkedList<object>();
        linked.AddLast(linked);
        var queue = new Queue<object>();
        queue.Enqueue(queue);
        var stack = new Stack<object>();
        stack.Push(stack);
        var concurrentMap = new ConcurrentDictionary<string, object>();
        concurrentMap["self"] = concurrentMap;
        var concurrentQueue = new ConcurrentQueue<object>();
        concurrentQueue.Enqueue(concurrentQueue);
        var concurrentStack = new ConcurrentStack<object>();
        concurrentStack.Push(concurrentStack);
        var bag = new ConcurrentBag<object>();
        bag.Add(bag);
        var blocking = new BlockingCollection<object>();
        blocking.Add(blocking);
        var collection = new Collection<object>();
        collection.Add(collection);
        var observable = new ObservableCollection<object>();
        observable.Add(new ReadOnlyObservableCollection<object>(observable));
        var arrayList = new ArrayList();
        arrayList.Add(arrayList);
        var table = new Hashtable();
        table.Add("self", table);
        var pairs = new ListDictionary();
        pairs.Add("self", pairs);
        var hybrid = new HybridDictionary();
        hybrid.Add("self", hybrid);
        var untypedOrdered = new OrderedDictionary();
        untypedOrdered.Add("self", untypedOrdered);
        var binding = new BindingList<object>();
        binding.Add(binding);
        var untypedQueue = new Queue();
        untypedQueue.Enqueue(untypedQueue);
        var untypedStack = new Stack();
        untypedStack.Push(untypedStack);
        var untypedSorted = new SortedList();
        untypedSorted.Add("self", untypedSorted);
        var expando = new ExpandoObject();
        ((IDictionary<string, object?>)expando).Add("self", expando);
        var inner = new Dictionary<string, object>();
        var readOnly = new ReadOnlyDictionary<string, object>(inner);
        inner.Add("self", readOnly);
        object?[] array = new object?[1];
        array[0] = new Lazy<object>(array);
        return
        [
            list, map, keys, set, ordered, sorted, sortedList, priorities, linked, queue, stack, concurrentMap, concurrentQueue,
            concurrentStack, bag, blocking, collection,
            observable, binding, pairs, hybrid, untypedOrdered, arrayList, table, untypedQueue, untypedStack, untypedSorted, expando,
            readOnly, array,
        ];
    }

    [Theory]
    [MemberData(nameof(Numbers))]
    public void A_collection_inside_itself_comes_back_inside_itself(int number)
    {
        object value = Cycles()[number];
        foreach (bool dynamicCode in new[] { false, true })
        {
            Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode);
            byte[] bytes = serializer.Serialize(value);
            GraphAssert.Same(value, serializer.Deserialize<object>(bytes), sharing: true);
            GraphAssert.Same(value, serializer.Deserialize<object>(new TrickleStream(bytes, 2)), sharing: true);
            GraphAssert.Same(value, serializer.CopyBothWays(new Holder<object> { Declared = value }).Declared, sharing: true);
        }
    }

    [Theory]
    [MemberData(nameof(Numbers))]
    public void Without_references_it_is_an_error(int number) =>
        Assert.Throws<ObjectGraphException>(() => new Serializer().Serialize(Cycles()[number]));

    [Fact]
    public void What_stands_around_one_collection_still_does()
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode: true);
        var list = new List<int> { 1 };
        var observable = new ObservableCollection<int> { 2 };
        var map = new Dictionary<int, int> { [1] = 2 };
        object[] graph =
        [
            list.AsReadOnly(), new ReadOnlyCollection<int>(
                list), list, new Collection<int>(list), observable, new ReadOnlyObservableCollection<int>(observable),
            new ReadOnlyObservableCollection<int>(observable), map.AsReadOnly(), new ReadOnlyDictionary<int, int>(map),
        ];
        object[] copy = serializer.CopyBothWays(graph);
        GraphAssert.Same(graph, copy, sharing: true);
        ((List<int>)copy[2]).Add(3);
        Assert.Equal([1, 3], (ReadOnlyCollection<int>)copy[0]);
        ((ObservableCollection<int>)copy[4]).Add(4);
        Assert.Equal([2, 4], (ReadOnlyObservableCollection<int>)copy[5]);
    }

    [Fact]
    public void A_wrapper_around_itself_is_refused()
    {
        // Only bytes can say it: the wrapper's list, defined as a list that is object 1, becomes a reference to object 0.
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode: true);
        byte[] bytes = serializer.Serialize<object>(new Collection<string>(new Collection<string>(new string[1])));
        byte[] array = [0x05, 0x2A, 0x01, 0x00];
        int at = bytes.AsSpan().IndexOf(array);
        Assert.True(at > 0);
        foreach (byte number in new byte[] { 0, 1 })
        {
            var error = Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>((byte[])[.. bytes[..at], 0x01, number]));
            Assert.Equal(WireFormatError.InvalidValue, error.Error);
        }
    }
}
