using System.Collections;
using System.Collections.Specialized;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Wire.Errors;

namespace Wire.ValueSerializers.Collections;

/// <summary>
/// The base implementations of the virtual methods of non-generic collections: overrides in derived classes are not called.
/// </summary>
internal static unsafe class BaseCalls
{
    private static readonly delegate*<ArrayList, object?[]> ListToArray =
        (delegate*<ArrayList, object?[]>)Find(typeof(ArrayList), nameof(ArrayList.ToArray));
    private static readonly delegate*<ArrayList, object?, int> ListAdd =
        (delegate*<ArrayList, object?, int>)Find(typeof(ArrayList), nameof(ArrayList.Add), typeof(object));
    private static readonly delegate*<Queue, object?[]> QueueToArray =
        (delegate*<Queue, object?[]>)Find(typeof(Queue), nameof(Queue.ToArray));
    private static readonly delegate*<Queue, object?, void> QueueEnqueue =
        (delegate*<Queue, object?, void>)Find(typeof(Queue), nameof(Queue.Enqueue), typeof(object));
    private static readonly delegate*<Stack, object?[]> StackToArray =
        (delegate*<Stack, object?[]>)Find(typeof(Stack), nameof(Stack.ToArray));
    private static readonly delegate*<Stack, object?, void> StackPush =
        (delegate*<Stack, object?, void>)Find(typeof(Stack), nameof(Stack.Push), typeof(object));
    private static readonly delegate*<Hashtable, IDictionaryEnumerator> TableEntries =
        (delegate*<Hashtable, IDictionaryEnumerator>)Find(typeof(Hashtable), nameof(Hashtable.GetEnumerator));
    private static readonly delegate*<Hashtable, object, object?, void> TableSet =
        (delegate*<Hashtable, object, object?, void>)Find(typeof(Hashtable), "set_Item", typeof(object), typeof(object));
    private static readonly delegate*<Hashtable, int> TableCount = (delegate*<Hashtable, int>)Find(typeof(Hashtable), "get_Count");
    private static readonly delegate*<SortedList, IDictionaryEnumerator> SortedEntries =
        (delegate*<SortedList, IDictionaryEnumerator>)Find(typeof(SortedList), nameof(SortedList.GetEnumerator));
    private static readonly delegate*<SortedList, object, object?, void> SortedSet =
        (delegate*<SortedList, object, object?, void>)Find(typeof(SortedList), "set_Item", typeof(object), typeof(object));
    private static readonly delegate*<SortedList, int> SortedCount = (delegate*<SortedList, int>)Find(typeof(SortedList), "get_Count");
    private static readonly delegate*<OrderedDictionary, IDictionaryEnumerator> OrderedEntries =
        (delegate*<OrderedDictionary, IDictionaryEnumerator>)Find(typeof(OrderedDictionary), nameof(OrderedDictionary.GetEnumerator));
    private static readonly delegate*<NameObjectCollectionBase, int> NamesCount =
        (delegate*<NameObjectCollectionBase, int>)Find(typeof(NameObjectCollectionBase), "get_Count");
    private static readonly delegate*<NameValueCollection, int, string?> NamesKey =
        (delegate*<NameValueCollection, int, string?>)Find(typeof(NameValueCollection), nameof(NameValueCollection.GetKey), typeof(int));
    private static readonly delegate*<NameValueCollection, int, string?[]?> NamesValues =
        (delegate*<NameValueCollection, int, string?[]?>)Find(
            typeof(NameValueCollection), nameof(NameValueCollection.GetValues), typeof(int));
    private static readonly delegate*<NameValueCollection, string?, string?, void> NamesAdd =
        (delegate*<NameValueCollection, string?, string?, void>)Find(
            typeof(NameValueCollection), nameof(NameValueCollection.Add), typeof(string), typeof(string));

    public static object?[] Items(ArrayList list) => Changes.Taken(list, static all => ListToArray(all));

    public static void Add(ArrayList list, object? item) => ListAdd(list, item);

    public static object?[] Items(Queue queue) => Changes.Taken(queue, static all => QueueToArray(all));

    public static void Add(Queue queue, object? item) => QueueEnqueue(queue, item);

    public static object?[] Items(Stack stack) => Changes.Taken(stack, static all => StackToArray(all));

    public static void Add(Stack stack, object? item) => StackPush(stack, item);

    public static KeyValuePair<object, object?>[] Pairs(Hashtable table) => Pairs(TableEntries(table));

    // The Add methods would format a duplicate key for their message, which may take any time. False for a duplicate.
    public static bool Add(Hashtable table, KeyValuePair<object, object?> item)
    {
        int count = TableCount(table);
        TableSet(table, item.Key, item.Value);
        return TableCount(table) != count;
    }

    public static KeyValuePair<object, object?>[] Pairs(SortedList list) => Pairs(SortedEntries(list));

    public static bool Add(SortedList list, KeyValuePair<object, object?> item)
    {
        int count = SortedCount(list);
        SortedSet(list, item.Key, item.Value);
        return SortedCount(list) != count;
    }

    public static KeyValuePair<object, object?>[] Pairs(OrderedDictionary dictionary) => Pairs(OrderedEntries(dictionary));

    public static KeyValuePair<string?, string?[]?>[] Pairs(NameValueCollection names) => Changes.Taken(names, PairsOf);

    private static KeyValuePair<string?, string?[]?>[] PairsOf(NameValueCollection names)
    {
        var pairs = new KeyValuePair<string?, string?[]?>[NamesCount(names)];
        for (int i = 0; i < pairs.Length; i++)
        {
            pairs[i] = new(NamesKey(names, i), NamesValues(names, i));
        }

        Changes.Check<NameValueCollection>(pairs.Length, NamesCount(names));
        return pairs;
    }

    public static void Add(NameValueCollection names, string? key, string? value) => NamesAdd(names, key, value);

    public static KeyValuePair<object, object?>[] Pairs(IDictionaryEnumerator entries)
    {
        var pairs = new List<KeyValuePair<object, object?>>();
        while (entries.MoveNext())
        {
            // No collection has such a key: another thread is about to add or remove it.
            object key = entries.Key ?? throw Changes.Seen(typeof(DictionaryEntry), new InvalidOperationException());
            pairs.Add(new(key, entries.Value));
        }

        return [.. pairs];
    }

    private static nint Find(
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods)] Type type, string name, params Type[] arguments) =>
        type.GetMethod(name, BindingFlags.Instance | BindingFlags.Public, arguments)!.MethodHandle.GetFunctionPointer();
}
