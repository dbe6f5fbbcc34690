using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using Wire.Tests.Testing;
using Xunit;

namespace Wire.Tests.Behaviour;

/// <summary>
/// Objects that lead back to one around them are there before that one is whole. Keys among them have other hash codes then, comparers
/// compare otherwise, and conversions would see half an object.
/// </summary>
public sealed class UnfinishedObjectTests
{
    public static TheoryData<bool> Twins => [true, false];

    /// <summary>Members in this order: the first item, what holds it, and last what its hash code is made of.</summary>
    private sealed class Owner
    {
        public Item? First;
        public object? Held;
        public object? Second;
        public string? Zname;
    }

    private sealed class Item : IEquatable<Item>, IComparable<Item>, IComparable
    {
        public Owner? Owner;
        public int Id;

        public bool Equals(Item? other) => other is not null && other.Id == Id && other.Owner!.Zname == Owner!.Zname;

        public override bool Equals(object? obj) => Equals(obj as Item);

        public override int GetHashCode() => HashCode.Combine(Owner!.Zname, Id);

        public int CompareTo(Item? other) => string.CompareOrdinal($"{Owner!.Zname}{Id}", $"{other!.Owner!.Zname}{other.Id}");

        public int CompareTo(object? obj) => CompareTo((Item?)obj);
    }

    private sealed record Key(Keeper Keeper, int Id);

    private sealed class Keeper
    {
        public Key? First;
        public Dictionary<Key, string>? Map;
        public string? Zname;

        public override bool Equals(object? obj) => obj is Keeper other && other.Zname == Zname;

        public override int GetHashCode() => Zname!.GetHashCode(StringComparison.Ordinal);
    }

    /// <summary>Compares as its members say, one of which is the collection that it serves.</summary>
    private sealed class Comparing : IEqualityComparer<string>, IComparer<string>
    {
        public object? Cache;
        public bool IgnoreCase;
        public bool Turned;

        private StringComparer Inner => IgnoreCase ? StringComparer.OrdinalIgnoreCase : StringComparer.Ordinal;

        public bool Equals(string? x, string? y) => Inner.Equals(x, y);

        public int GetHashCode(string value) => Inner.GetHashCode(value);

        public int Compare(string? x, string? y) => Turned ? Inner.Compare(y, x) : Inner.Compare(x, y);
    }

    private sealed class Parent
    {
        public List<Kid> Kids = [];
        public Kid? Only;
        public string? Zname;
    }

    private sealed class Kid
    {
        public string Label = "";
    }

    private sealed record KidData(Parent? Parent, string Label, Box<Parent?>? Behind);

    /// <summary>A set of the program's own.</summary>
    private sealed class OwnSet : IReadOnlySet<Item>
    {
        private readonly HashSet<Item> _items = [];

        public int Count => _items.Count;

        public void Add(Item item) => _items.Add(item);

        public bool Contains(Item item) => _items.Contains(item);

        public IEnumerator<Item> GetEnumerator() => _items.GetEnumerator();

        public bool IsProperSubsetOf(IEnumerable<Item> other) => _items.IsProperSubsetOf(other);

        public bool IsProperSupersetOf(IEnumerable<Item> other) => _items.IsProperSupersetOf(other);

        public bool IsSubsetOf(IEnumerable<Item> other) => _items.IsSubsetOf(other);

        public bool IsSupersetOf(IEnumerable<Item> other) => _items.IsSupersetOf(other);

        public bool Overlaps(IEnumerable<Item> other) => _items.Overlaps(other);

        public bool SetEquals(IEnumerable<Item> other) => _items.SetEquals(other);

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
    }

    public static TheoryData<string, bool> Holders
    {
        get
        {
            var data = new TheoryData<string, bool>();
            string[] holders =
            [
                "HashSet", "Dictionary", "Hashtable", "SortedSet", "SortedDictionary", "SortedList", "ConcurrentDictionary",
                "OrderedDictionary",
                "ImmutableHashSet", "ImmutableDictionary", "ImmutableSortedSet", "ImmutableSortedDictionary", "OwnSet", "set in a list",
                "set of tuples",
            ];
            foreach (string holder in holders)
            {
                data.Add(holder, true);
                data.Add(holder, false);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Holders))]
    public void A_key_that_was_read_before_its_owner_is_found(string holder, bool dynamicCode)
    {
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with
        {
            PreserveObjectReferences = true,
            ValueSerializerFactories = [ValueSerializerFactory.ForCollection(typeof(OwnSet))],
        });
        foreach (bool alone in new[] { true, false })
        {
            // Alone, nothing in the collection itself refers to what is unfinished: only the item does, which has been read.
            var owner = new Owner { Zname = "name" };
            owner.First = new Item { Owner = owner, Id = 1 };
            var other = new Item { Owner = owner, Id = 2 };
            owner.Held = alone ? Hold(holder, owner.First) : Hold(holder, owner.First, other);
            owner.Second = other;
            Owner[] copies = [serializer.RoundTrip(owner), serializer.Clone(owner), (Owner)serializer.RoundTrip(new object[] { owner })[0]];
            foreach (Owner copy in copies)
            {
                Assert.True(Finds(holder, copy.Held!, copy.First!), "the first");
                Assert.Equal(!alone, Finds(holder, copy.Held!, (Item)copy.Second!));
                Assert.Same(copy, copy.First!.Owner);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_record_that_holds_its_owner_is_found(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        var keeper = new Keeper { Zname = "z" };
        keeper.First = new Key(keeper, 7);
        keeper.Map = new() { [keeper.First] = "found" };
        Keeper copy = serializer.RoundTrip(keeper);
        Assert.Equal("found", copy.Map![copy.First!]);
        Assert.Same(copy, copy.First!.Keeper);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void What_does_not_lead_back_is_there_at_once(bool dynamicCode)
    {
        // The parent's circle is not that of the set: whoever sees the parent's other members meanwhile sees a full set.
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with
        {
            PreserveObjectReferences = true,
            Surrogates =
            [
                Surrogate.Create<Kid, Box<HashSet<Item>>>(
                    kid => new Box<HashSet<Item>> { Value = WholeItems(kid.Label) }, box => new Kid { Label = Describe(box.Value!) }),
            ],
        });
        var parent = new Parent { Zname = "p" };
        parent.Kids = [new Kid { Label = "a" }, new Kid { Label = "b" }];
        var root = new object[] { parent, new Box<object?> { Value = parent } };
        parent.Only = new Kid { Label = "c" };
        Parent copy = (Parent)serializer.RoundTrip(root)[0];
        Assert.Equal(["a1", "b1", "c1"], [.. copy.Kids.Select(kid => kid.Label), copy.Only!.Label]);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_frozen_set_of_keys_that_lead_back_is_refused(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        var owner = new Owner { Zname = "name" };
        owner.First = new Item { Owner = owner, Id = 1 };
        owner.Held = new[] { owner.First }.ToFrozenSet();
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => serializer.RoundTrip(owner)).Error);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_comparer_that_holds_its_collection_is_whole_before_it_compares(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        string[] words = ["Abc", "b", "C", "d", "E", "f", "G", "h", "I", "j"];
        Func<Comparing, object>[] holders =
        [
            comparer => words.ToDictionary(word => word, word => word, comparer),
            comparer => words.ToHashSet(comparer),
            comparer => new SortedDictionary<string, string>(words.ToDictionary(word => word), comparer),
            comparer => new SortedSet<string>(words, comparer),
            comparer => new ConcurrentDictionary<string, string>(words.ToDictionary(word => word), comparer),
            comparer => words.ToImmutableHashSet(comparer),
            comparer => words.ToImmutableSortedDictionary(word => word, word => word, comparer),
            comparer => new PriorityQueue<string, string>(words.Select(word => (word, word)), comparer),
        ];
        foreach (Func<Comparing, object> holder in holders)
        {
            var comparer = new Comparing { IgnoreCase = true, Turned = true };
            comparer.Cache = holder(comparer);
            CheckWords(words, serializer.RoundTrip(comparer).Cache!);
            CheckWords(words, serializer.Clone(comparer).Cache!);
            if (comparer.Cache.GetType().Namespace == "System.Collections.Immutable")
            {
                // It exists only when it is complete, so that its comparer cannot be read before it is.
                var e = Assert.Throws<WireFormatException>(() => serializer.RoundTrip(comparer.Cache));
                Assert.Equal(WireFormatError.Reference, e.Error);
            }
            else
            {
                CheckWords(words, serializer.RoundTrip(comparer.Cache));
            }
        }

        var frozen = new Comparing { IgnoreCase = true };
        frozen.Cache = words.ToFrozenSet(frozen);
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => serializer.RoundTrip(frozen)).Error);
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_conversion_never_sees_half_an_object(bool dynamicCode)
    {
        var seen = new List<string?>();
        Serializer serializer = Setup.Serializer(dynamicCode, o => o with
        {
            PreserveObjectReferences = true,
            Surrogates =
            [
                Surrogate.Create<Kid, KidData>(
                    kid => kid.Label == "" ? new KidData(null, "", null) : Data[kid.Label],
                    data =>
                    {
                        seen.Add((data.Parent ?? data.Behind?.Value)?.Zname);
                        return new Kid { Label = data.Label + seen[^1] };
                    }),
            ],
        });
        var parent = new Parent { Zname = "n" };
        Data = new()
        {
            ["direct"] = new KidData(parent, "direct", null),
            ["behind"] = new KidData(null, "behind", new Box<Parent?> { Value = parent }),
        };
        foreach (string kind in Data.Keys)
        {
            // Inside its parent: refused. Behind it: whole.
            parent.Only = new Kid { Label = kind };
            var e = Assert.Throws<WireFormatException>(() => serializer.RoundTrip(parent));
            Assert.Equal(WireFormatError.InvalidValue, e.Error);
            Assert.Contains("Remove the back reference", e.Message, StringComparison.Ordinal);
            Assert.Empty(seen);

            parent.Only = null;
            object[] copy = serializer.RoundTrip(new object[] { parent, new Kid { Label = kind } });
            Assert.Equal(kind + "n", ((Kid)copy[1]).Label);
            Assert.Equal(["n"], seen);
            seen.Clear();
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_blocking_collection_counts_a_queue_that_holds_it_when_that_is_whole(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        foreach (int bound in (int[])[-1, 2, 3])
        {
            var queue = new ConcurrentQueue<object>();
            var blocking = bound < 0 ? new BlockingCollection<object>(queue) : new BlockingCollection<object>(queue, bound);
            queue.Enqueue(blocking);
            queue.Enqueue("behind");
            var back = (ConcurrentQueue<object>)serializer.RoundTrip<object>(queue);
            Assert.True(back.TryPeek(out object? first));
            var copy = (BlockingCollection<object>)first;
            Assert.Equal((bound, 2), (copy.BoundedCapacity, copy.Count));
            Assert.Equal(bound != 2, copy.TryAdd("more"));
            Assert.True(copy.TryTake(out object? taken));
            Assert.Same(copy, taken);
            Assert.Equal("behind", copy.Take());
        }
    }

    [Theory]
    [MemberData(nameof(Twins))]
    public void A_blocking_collection_with_less_room_than_its_queue_has_is_refused_when_that_is_whole(bool dynamicCode)
    {
        Serializer serializer = Setup.WithReferences(dynamicCode);
        var queue = new ConcurrentQueue<object>();
        queue.Enqueue(new BlockingCollection<object>(queue, 0x1234));
        queue.Enqueue("behind");
        byte[] bytes = serializer.Serialize<object>(queue);
        bytes[bytes.AsSpan().IndexOf((ReadOnlySpan<byte>)[0x34, 0x12])] = 1;
        bytes[bytes.AsSpan().IndexOf((ReadOnlySpan<byte>)[1, 0x12, 0, 0]) + 1] = 0;
        Assert.Equal(WireFormatError.InvalidValue, Assert.Throws<WireFormatException>(() => serializer.Deserialize<object>(bytes)).Error);
    }

    private static Dictionary<string, KidData> Data { get; set; } = [];

    private static HashSet<Item> WholeItems(string name)
    {
        var owner = new Owner { Zname = name };
        owner.First = new Item { Owner = owner, Id = 1 };
        return [owner.First];
    }

    private static string Describe(HashSet<Item> items) =>
        string.Concat(items.Where(items.Contains).Select(item => $"{item.Owner!.Zname}{item.Id}"));

    private static object Hold(string holder, params Item[] items) => holder switch
    {
        "HashSet" => items.ToHashSet(),
        "Dictionary" => items.ToDictionary(item => item, item => item.Id),
        "Hashtable" => new Hashtable(items.ToDictionary(item => item, item => item.Id)),
        "SortedSet" => new SortedSet<Item>(items),
        "SortedDictionary" => new SortedDictionary<Item, int>(items.ToDictionary(item => item, item => item.Id)),
        "SortedList" => new SortedList<Item, int>(items.ToDictionary(item => item, item => item.Id)),
        "ConcurrentDictionary" => new ConcurrentDictionary<Item, int>(items.ToDictionary(item => item, item => item.Id)),
        "OrderedDictionary" => new OrderedDictionary<Item, int>(items.Select(item => KeyValuePair.Create(item, item.Id))),
        "ImmutableHashSet" => items.ToImmutableHashSet(),
        "ImmutableDictionary" => items.ToImmutableDictionary(item => item, item => item.Id),
        "ImmutableSortedSet" => items.ToImmutableSortedSet(),
        "ImmutableSortedDictionary" => items.ToImmutableSortedDictionary(item => item, item => item.Id),
        "OwnSet" => Array.ConvertAll(items, item => item).Aggregate(new OwnSet(), (set, item) =>
        {
            set.Add(item);
            return set;
        }),
        "set in a list" => new List<HashSet<Item>> { items.ToHashSet() },
        _ => items.Select(item => (item, item.Id)).ToHashSet(),
    };

    private static bool Finds(string holder, object held, Item item) => held switch
    {
        HashSet<(Item, int)> tuples => tuples.Contains((item, item.Id)),
        List<HashSet<Item>> list => list[0].Contains(item),
        IReadOnlySet<Item> set => set.Contains(item),
        Hashtable table => (int?)table[item] == item.Id,
        IReadOnlyDictionary<Item, int> map => map.TryGetValue(item, out int id) && id == item.Id,
        _ => throw new InvalidOperationException(holder),
    };

    private static void CheckWords(string[] words, object cache)
    {
        if (cache is PriorityQueue<string, string> queue)
        {
            string[] order = [.. Enumerable.Range(0, words.Length).Select(_ => queue.Dequeue())];
            Assert.Equal(words.OrderDescending(StringComparer.OrdinalIgnoreCase), order);
            return;
        }

        foreach (string word in words)
        {
            string asked = word.ToUpperInvariant();
            Assert.True(
                cache switch
                {
                    IReadOnlyDictionary<string, string> map => map.TryGetValue(asked, out string? value) && value == word,
                    IReadOnlySet<string> set => set.Contains(asked),
                    _ => ((SortedSet<string>)cache).Contains(asked),
                },
                $"{cache.GetType()}: {word}");
        }
    }
}
