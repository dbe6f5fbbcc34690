using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.Dynamic;
using System.Globalization;

namespace Wire.Tests.Hostile.Floods;

/// <summary>Every kind of collection that compares what it holds, and how a test fills one.</summary>
internal static class FloodKinds
{
    /// <summary>
    /// Those that find keys by their hash codes, with the number of keys by which hash codes have to differ to collide in so large a table.
    /// </summary>
    public static readonly Dictionary<Type, (Func<IEnumerable<int>, object> Fill, Func<int, int>[] Collide)> Hashed = new()
    {
        [typeof(Dictionary<,>)] = (numbers => Pairs(numbers).ToDictionary(), [Chains]),
        [typeof(HashSet<>)] = (numbers => Keys(numbers).ToHashSet(), [Chains]),
        [typeof(OrderedDictionary<,>)] = (numbers => new OrderedDictionary<CountedKey, int>(Pairs(numbers)), [Chains]),
        [typeof(ConcurrentDictionary<,>)] = (
            numbers => new ConcurrentDictionary<CountedKey, int>(Pairs(numbers)), [Chains, count => Chains(2 * Chains(count))]),
        [typeof(ImmutableDictionary<,>)] = (numbers => Pairs(numbers).ToImmutableDictionary(), []),
        [typeof(ImmutableHashSet<>)] = (numbers => Keys(numbers).ToImmutableHashSet(), []),
        [typeof(FrozenDictionary<,>)] = (numbers => Pairs(numbers).ToFrozenDictionary(), [Chains]),
        [typeof(FrozenSet<>)] = (numbers => Keys(numbers).ToFrozenSet(), [Chains]),
        [typeof(ILookup<,>)] = (numbers => numbers.ToLookup(number => new CountedKey(number)), [Chains, Doubled]),
        [typeof(KeyedCollection<,>)] = (numbers => new KeyedItems(numbers), [Chains]),
        [typeof(Hashtable)] = (numbers => new Hashtable(Pairs(numbers).ToDictionary()), []),
        [typeof(HybridDictionary)] = (numbers => Filled(new HybridDictionary(), numbers), []),
        [typeof(OrderedDictionary)] = (numbers => Filled(new OrderedDictionary(), numbers), []),
        [typeof(DictionaryBase)] = (numbers => new OwnBase(numbers), []),
        [typeof(NameValueCollection)] = (Names, []),
        [typeof(ReadOnlyDictionary<,>)] = (numbers => new ReadOnlyDictionary<CountedKey, int>(Pairs(numbers).ToDictionary()), [Chains]),
        [typeof(ReadOnlySet<>)] = (numbers => new ReadOnlySet<CountedKey>(Keys(numbers).ToHashSet()), [Chains]),
    };

    /// <summary>Those that find keys by their order.</summary>
    public static readonly Dictionary<Type, Func<IEnumerable<int>, object>> Sorted = new()
    {
        [typeof(SortedDictionary<,>)] = numbers => new SortedDictionary<CountedKey, int>(Pairs(numbers).ToDictionary()),
        [typeof(SortedList<,>)] = numbers => new SortedList<CountedKey, int>(Pairs(numbers).ToDictionary()),
        [typeof(SortedSet<>)] = numbers => new SortedSet<CountedKey>(Keys(numbers)),
        [typeof(PriorityQueue<,>)] = numbers => new PriorityQueue<int, CountedKey>(Keys(numbers).Select(key => (key.Number, key))),
        [typeof(ImmutableSortedDictionary<,>)] = numbers => Pairs(numbers).ToImmutableSortedDictionary(),
        [typeof(ImmutableSortedSet<>)] = numbers => Keys(numbers).ToImmutableSortedSet(),
        [typeof(SortedList)] = numbers => new SortedList(Pairs(numbers).ToDictionary(), Comparer<object>.Default),
    };

    /// <summary>Those that compare a key with all others.</summary>
    public static readonly Dictionary<Type, Func<IEnumerable<int>, object>> Listed = new()
    {
        [typeof(ExpandoObject)] = Members,
        [typeof(ListDictionary)] = numbers => Filled(new ListDictionary(), numbers),
    };

    /// <summary>Those whose keys are texts, which .NET hashes with a secret.</summary>
    public static readonly Type[] OfTexts = [typeof(StringDictionary)];

    /// <summary>Those that compare nothing, or hold one group.</summary>
    public static readonly Type[] Others =
    [
        typeof(List<>), typeof(LinkedList<>), typeof(Queue<>), typeof(Stack<>), typeof(ConcurrentQueue<>), typeof(ConcurrentStack<>),
        typeof(ConcurrentBag<>),
        typeof(BlockingCollection<>), typeof(Collection<>), typeof(ObservableCollection<>), typeof(ReadOnlyCollection<>),
        typeof(ReadOnlyObservableCollection<>),
        typeof(ArrayList), typeof(Queue), typeof(Stack), typeof(CollectionBase), typeof(StringCollection), typeof(ImmutableArray<>),
        typeof(ImmutableList<>),
        typeof(ImmutableQueue<>), typeof(ImmutableStack<>), typeof(IGrouping<,>), typeof(ArraySegment<>), typeof(BitArray),
    ];

    public static T Filled<T>(T pairs, IEnumerable<int> numbers)
        where T : IDictionary
    {
        foreach (CountedKey key in Keys(numbers))
        {
            pairs.Add(key, null);
        }

        return pairs;
    }

    public static IEnumerable<CountedKey> Keys(IEnumerable<int> numbers) => numbers.Select(number => new CountedKey(number));

    public static IEnumerable<KeyValuePair<CountedKey, int>> Pairs(IEnumerable<int> numbers) =>
        numbers.Select(number => new KeyValuePair<CountedKey, int>(new(number), number));

    /// <summary>The number of chains of a table with room for so many keys.</summary>
    public static int Chains(int count) => new HashSet<byte>().EnsureCapacity(count);

    // A look-up has 7 chains at first.
    private static int Doubled(int count)
    {
        int size = 7;
        while (size < count)
        {
            size = (2 * size) + 1;
        }

        return size;
    }

    private static NameValueCollection Names(IEnumerable<int> numbers)
    {
        var names = new NameValueCollection(new CountedComparer());
        foreach (int number in numbers)
        {
            names.Add(number.ToString(CultureInfo.InvariantCulture), "");
        }

        return names;
    }

    private static ExpandoObject Members(IEnumerable<int> numbers)
    {
        var members = new ExpandoObject();
        foreach (int number in numbers)
        {
            ((IDictionary<string, object?>)members).Add($"m{number}", null);
        }

        return members;
    }

    public sealed class KeyedItems : KeyedCollection<CountedKey, CountedKey>
    {
        public KeyedItems()
        {
        }

        public KeyedItems(IEnumerable<int> numbers)
        {
            foreach (CountedKey key in Keys(numbers))
            {
                Add(key);
            }
        }

        protected override CountedKey GetKeyForItem(CountedKey item) => item;
    }

    public sealed class OwnBase : DictionaryBase
    {
        public OwnBase()
        {
        }

        public OwnBase(IEnumerable<int> numbers)
        {
            foreach (CountedKey key in Keys(numbers))
            {
                InnerHashtable.Add(key, null);
            }
        }
    }
}
