using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Dynamic;
using Wire.Tests.Behaviour;
using Wire.Tests.Hostile.Floods;
using Xunit;

namespace Wire.Tests.Hostile;

/// <summary>
/// What collections take that hold nothing, or one thing: <see cref="Limits.MaxAllocation"/> has to know it, because a few bytes make each.
/// </summary>
public class SmallCollectionTests
{
    private const int Count = 1000;

    // How many bytes of memory a byte of the payload may make that are not counted (docs/limits.md).
    private const int Uncounted = 24;

    internal static readonly Dictionary<string, Func<IEnumerable<int>, object>> Makers = new()
    {
        ["List"] = n => n.ToList(),
        ["List of large"] = n => n.Select(_ => default((decimal, decimal, decimal, decimal))).ToList(),
        ["LinkedList"] = n => new LinkedList<int>(n),
        ["Queue"] = n => new Queue<int>(n),
        ["Stack"] = n => new Stack<int>(n),
        ["ConcurrentQueue"] = n => new ConcurrentQueue<int>(n),
        ["ConcurrentQueue of large"] = n => new ConcurrentQueue<(decimal, decimal, decimal, decimal, decimal, decimal, decimal, decimal)>(
            n.Select(_ => default((decimal, decimal, decimal, decimal, decimal, decimal, decimal, decimal)))),
        ["ConcurrentStack"] = n => new ConcurrentStack<int>(n),
        ["ConcurrentBag"] = n => new ConcurrentBag<int>(n),
        ["ConcurrentBag of large"] = n =>
            new ConcurrentBag<(decimal, decimal, decimal, decimal)>(n.Select(_ => default((decimal, decimal, decimal, decimal)))),
        ["BlockingCollection"] = n => Blocking(n),
        ["Collection"] = n => new Collection<int>(n.ToList()),
        ["ObservableCollection"] = n => new ObservableCollection<int>(n),
        ["ReadOnlyCollection"] = n => new ReadOnlyCollection<int>(n.ToList()),
        ["ReadOnlyObservableCollection"] = n => new ReadOnlyObservableCollection<int>(new(n)),
        ["ArrayList"] = n => new ArrayList(n.ToList()),
        ["untyped Queue"] = n => new Queue(n.ToList()),
        ["untyped Stack"] = n => new Stack(n.ToList()),
        ["StringCollection"] = n => Strings(n),
        ["ImmutableList"] = n => n.ToImmutableList(),
        ["ImmutableQueue"] = n => ImmutableQueue.CreateRange(n),
        ["ImmutableStack"] = n => ImmutableStack.CreateRange(n),
        ["BitArray"] = n => new BitArray(n.Count()),
        ["Dictionary"] = n => n.ToDictionary(i => i),
        ["HashSet"] = n => n.ToHashSet(),
        ["OrderedDictionary"] = n => new OrderedDictionary<int, int>(n.ToDictionary(i => i)),
        ["ConcurrentDictionary"] = n => new ConcurrentDictionary<int, int>(n.ToDictionary(i => i)),
        ["ImmutableDictionary"] = n => n.ToImmutableDictionary(i => i),
        ["ImmutableHashSet"] = n => n.ToImmutableHashSet(),
        ["FrozenDictionary"] = n => n.ToFrozenDictionary(i => i),
        ["FrozenSet"] = n => n.ToFrozenSet(),
        ["Lookup"] = n => n.ToLookup(i => i),
        ["Hashtable"] = n => new Hashtable(n.ToDictionary(i => i)),
        ["NameValueCollection"] = n => Names(n),
        ["StringDictionary"] = n => Texts(n),
        ["ListDictionary"] = n => FloodKinds.Filled(new ListDictionary(), n),
        ["HybridDictionary"] = n => FloodKinds.Filled(new HybridDictionary(), n),
        ["untyped OrderedDictionary"] = n => FloodKinds.Filled(new OrderedDictionary(), n),
        ["BindingList"] = n => new BindingList<int>(n.ToList()),
        ["ReadOnlyDictionary"] = n => new ReadOnlyDictionary<int, int>(n.ToDictionary(i => i)),
        ["ReadOnlySet"] = n => new ReadOnlySet<int>(n.ToHashSet()),
        ["SortedDictionary"] = n => new SortedDictionary<int, int>(n.ToDictionary(i => i)),
        ["SortedList"] = n => new SortedList<int, int>(n.ToDictionary(i => i)),
        ["SortedSet"] = n => new SortedSet<int>(n),
        ["PriorityQueue"] = n => new PriorityQueue<int, int>(n.Select(i => (i, i))),
        ["ImmutableSortedDictionary"] = n => n.ToImmutableSortedDictionary(i => i, i => i),
        ["ImmutableSortedSet"] = n => n.ToImmutableSortedSet(),
        ["untyped SortedList"] = n => new SortedList(n.ToDictionary(i => i), Comparer<object>.Default),
        ["ExpandoObject"] = n => FloodKinds.Listed[typeof(ExpandoObject)](n),
        ["DictionaryBase"] = n => FloodKinds.Hashed[typeof(DictionaryBase)].Fill(n),
    };

    // Without objects of their own, or abstract: those of the program's classes that derive from them are counted as objects of these.
    private static readonly Type[] Elsewhere =
        [typeof(KeyedCollection<,>), typeof(ImmutableArray<>), typeof(ArraySegment<>), typeof(IGrouping<,>), typeof(CollectionBase)];

    public static TheoryData<string, int> Cases
    {
        get
        {
            var cases = new TheoryData<string, int>();
            foreach (string name in Makers.Keys)
            {
                cases.Add(name, 0);
                cases.Add(name, 1);
            }

            return cases;
        }
    }

    [Fact]
    public void Every_kind_of_collection_is_measured()
    {
        IEnumerable<Type> all = FloodKinds.Hashed.Keys.Concat(FloodKinds.Sorted.Keys).Concat(FloodKinds.Listed.Keys)
            .Concat(FloodKinds.OfTexts).Concat(FloodKinds.Others).Except(Elsewhere);
        var measured = Makers.Values.Select(make => make([]).GetType()).ToArray();
        Assert.DoesNotContain(all, definition => !measured.Any(type => Is(type, definition)));
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void At_least_half_of_what_small_collections_take_is_counted(string name, int elements)
    {
        object[] collections = [.. Enumerable.Range(0, Count).Select(_ => Makers[name](Enumerable.Range(0, elements)))];
        byte[] payload = Setup.Serializer(true).Serialize(collections);
        Serializer serializer = Setup.Serializer(true);
        serializer.Deserialize<object>(payload);
        long before = GC.GetAllocatedBytesForCurrentThread();
        object? read = serializer.Deserialize<object>(payload);
        long taken = GC.GetAllocatedBytesForCurrentThread() - before;
        GC.KeepAlive(read);

        long half = (taken - ((long)Uncounted * payload.Length)) / 2;
        if (half > 1)
        {
            Serializer limited = Setup.Serializer(true, o => o with { Limits = Limits.Default with { MaxAllocation = half - 1 } });
            Exception? e = Record.Exception(() => limited.Deserialize<object>(payload));
            Assert.True(
                e is WireFormatException { Error: WireFormatError.Limit }, $"{taken / Count} bytes each, " +
                    $"of {payload.Length / (double)Count} of the payload, and less than {half / Count} are counted. {e}");
        }
    }

    private static bool Is(Type? type, Type definition) => type is not null
        && (type == definition || (type.IsGenericType && type.GetGenericTypeDefinition() == definition)
            || type.GetInterfaces().Any(i => i.IsGenericType && i.GetGenericTypeDefinition() == definition)
                || Is(type.BaseType, definition));

    private static BlockingCollection<int> Blocking(IEnumerable<int> numbers) => new(new ConcurrentQueue<int>(numbers));

    private static StringCollection Strings(IEnumerable<int> numbers)
    {
        var strings = new StringCollection();
        strings.AddRange([.. numbers.Select(_ => "a")]);
        return strings;
    }

    private static StringDictionary Texts(IEnumerable<int> numbers)
    {
        var texts = new StringDictionary();
        foreach (int number in numbers)
        {
            texts.Add("a" + number, "b");
        }

        return texts;
    }

    private static NameValueCollection Names(IEnumerable<int> numbers)
    {
        var names = new NameValueCollection();
        foreach (int number in numbers)
        {
            names.Add("a" + number, "b");
        }

        return names;
    }
}
