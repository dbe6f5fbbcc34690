using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Collections.Specialized;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using Wire.Tests.Testing;

namespace Wire.Tests.Behaviour.Graphs;

/// <summary>
/// An honest object graph by choices: keys that lead back to their owners and are met first elsewhere, comparers that use themselves,
/// stand-ins that hold their parents, wrappers, and everything of <see cref="GraphBuilder"/>.
/// </summary>
internal sealed class RandomGraph(Choices choices, bool cycles)
{
    private const int MaxDepth = 6;
    private const int MaxObjects = 60;

    private readonly List<object> _made = [];

    // Whether something in it is made of whole parts alone, and may stand in a circle with them.
    private bool _needsWholeParts;
    private bool _hasKids;

    /// <summary>Whether this is an error that the graph may give. There are two; everything else must be read.</summary>
    /// <remarks>
    /// WireFormatError.Reference and InvalidValue: immutable and frozen collections are made of whole elements and can wait for none
    /// (docs/format.md, clause 8), a Lazy looks at what is in it when it is made, a box is made of a whole value,
    /// and the conversion of a stand-in sees whole objects. ObjectGraphException, on write: a stand-in that leads back to the object that
    /// it
    /// stands for (docs/customizing.md).
    /// </remarks>
    public bool IsRightRefusal(Exception e) =>
        (_needsWholeParts && Reading(e) is { Error: WireFormatError.Reference or WireFormatError.InvalidValue })
        || (_hasKids && e is ObjectGraphException && e.Message.Contains("stand-in", StringComparison.Ordinal));

    // That of a copy that was written and read is inside.
    private static WireFormatException? Reading(Exception e) =>
        e as WireFormatException ?? (e as ObjectGraphException)?.InnerException as WireFormatException;

    public object? Any(int depth = 0)
    {
        if (depth > MaxDepth || _made.Count > MaxObjects || choices.AreOver)
        {
            return choices.Pick(9);
        }

        return choices.Pick(17) switch
        {
            0 => Scalar(),
            1 or 2 => OwnerOf(depth),
            3 => ItemOf(depth),
            4 => HouseOf(),
            5 => ComparerOf(depth),
            6 => ParentOf(depth),
            7 => Wrapper(depth),
            8 => Made(new object?[choices.Pick(4)]) is var array ? Filled(array, depth) : null,
            9 => OfWholeParts(new Cell { Any = Any(depth + 1), When = Time() }),
            10 => Made(new Dictionary<string, object?>(StringComparer.OrdinalIgnoreCase)) is var map ? Filled(map, depth) : null,
            11 => GraphBuilder.Build([.. Enumerable.Range(0, choices.Pick(12)).Select(_ => choices.Pick(1000))], cycles),
            12 => Tuple.Create(Any(depth + 1), Scalar()),
            14 => OfWholeParts(new Framed { Inside = Any(depth + 1) }),
            13 => Made(Array.CreateInstance(typeof(int), [choices.Pick(3)], [choices.Pick(5) - 2])),
            _ => cycles && _made.Count > 0 ? _made[choices.Pick(_made.Count)] : Scalar(),
        };
    }

    private object? Scalar() => choices.Pick(12) switch
    {
        0 => null,
        1 => Time(),
        2 => BitConverter.Int64BitsToDouble(choices.Of(0, long.MinValue, 0x7FF8000000000001, -1)),
        3 => new decimal(choices.Pick(5), 0, 0, choices.OneIn(2), (byte)choices.Pick(4)),
        4 => choices.Of("", "text", "Text", "\uD800", "\u4F60"),
        5 => (Color)(short)choices.Pick(400),
        6 => new DateTimeOffset(2024, 1, 1, 0, 0, 0, TimeSpan.FromMinutes(choices.Pick(3) - 1)),
        7 => new byte[choices.Pick(3)],
        8 => new object(),
        9 => (Half)choices.Pick(3),
        10 => new Uri("http://a/%41"),
        _ => choices.Pick(1000),
    };

    // All kinds that .NET knows, the fourth too: local, in the first of two hours that are called alike.
    private DateTime Time()
    {
        ulong bits = ((ulong)choices.Pick(4) << 62) + (ulong)choices.Pick(1000);
        return Unsafe.As<ulong, DateTime>(ref bits);
    }

    private T Made<T>(T value)
        where T : notnull
    {
        _made.Add(value);
        return value;
    }

    private T OfWholeParts<T>(T value)
    {
        _needsWholeParts |= cycles;
        return value;
    }

    // Without references what leads back to its owner is a circle, which cannot be written.
    private Owner? AnyOwner(Owner? own = null) =>
        !cycles ? null
        : own is not null && choices.OneIn(2) ? own
        : _made.OfType<Owner>().ToList() is { Count: > 0 } owners ? owners[choices.Pick(owners.Count)]
        : own;

    private Item ItemOf(int depth) =>
        Made(new Item { Id = choices.Pick(5), Owner = AnyOwner() ?? (choices.OneIn(2) ? OwnerOf(depth + 1) : null) });

    private Owner OwnerOf(int depth)
    {
        Owner owner = Made(new Owner { Zname = choices.Of("z", "owner", null) });
        var items = new List<Item>();
        for (int i = choices.Pick(5); i > 0; i--)
        {
            Item item = cycles && choices.OneIn(3) && _made.OfType<Item>().FirstOrDefault() is { } known
                ? known
                : Made(new Item { Id = choices.Pick(8), Owner = AnyOwner(owner) });
            items.Add(item);
        }

        // The item is met first outside of the collections: directly, or through several objects that have ended by then.
        owner.First = choices.Pick(5) switch
        {
            0 => items.FirstOrDefault(),
            1 => new object?[] { items.LastOrDefault(), new Box<object> { Value = items.FirstOrDefault() } },
            2 => Any(depth + 1),
            _ => null,
        };
        if (!cycles)
        {
            // Each may stand in one place only.
            owner.Hashed = [.. items];
            return owner;
        }

        Fill(owner, items);
        owner.Other = choices.OneIn(3) ? Any(depth + 1) : null;
        return owner;
    }

    private void Fill(Owner owner, List<Item> items)
    {
        for (int i = choices.Pick(3); i >= 0; i--)
        {
            switch (choices.Pick(9))
            {
                case 0:
                    owner.Hashed = [.. items];
                    break;
                case 1:
                    owner.Named = items.Distinct().ToDictionary(item => item, item => (object?)item);
                    break;
                case 2:
                    owner.Ordered = new(items.Distinct().Select(item => KeyValuePair.Create(item, item.Id)));
                    break;
                case 3:
                    owner.Table = new Hashtable(items.Distinct().ToDictionary(item => item, item => item.Id));
                    break;
                case 4:
                    owner.Sorted = [.. items];
                    break;
                case 5:
                    owner.SortedNames = new(items.Distinct().ToDictionary(item => item, item => item.Id));
                    break;
                case 6:
                    owner.Immutable = OfWholeParts(ImmutableHashSet.CreateRange(items));
                    break;
                case 7:
                    owner.ImmutableSorted = OfWholeParts(ImmutableSortedSet.CreateRange(items));
                    break;
                default:
                    owner.Frozen = OfWholeParts(items.ToFrozenSet());
                    break;
            }
        }
    }

    private object HouseOf()
    {
        House house = Made(new House { Zname = choices.Of("a", "b"), Rooms = cycles ? [] : null });
        Room[] rooms = [.. Enumerable.Range(0, choices.Pick(4)).Select(i => new Room(house, i))];
        foreach (Room room in cycles ? rooms : [])
        {
            house.Rooms!.Add(room);
        }

        return choices.Pick(3) switch
        {
            0 when rooms.Length > 0 => rooms[0],
            1 when rooms.Length > 0 && cycles => new object[] { new Box<Room> { Value = rooms[0] }, house, new HashSet<Room>(rooms) },
            _ => house,
        };
    }

    private object ComparerOf(int depth)
    {
        Comparing comparer = Made(new Comparing { ZisReverse = choices.OneIn(2) });
        string[] keys = ["Abc", "b", "C", "d\u4F60"];
        string[] some = keys[..choices.Pick(5)];
        object? from = choices.Pick(4) switch
        {
            0 => new HashSet<string>(some, comparer),
            1 => new SortedDictionary<string, int>(some.ToDictionary(key => key, _ => 1), comparer),
            2 => new Dictionary<string, object?>(comparer) { ["Abc"] = Any(depth + 1) },
            _ => comparer,
        };
        if (!cycles)
        {
            return from;
        }

        comparer.Cache = choices.OneIn(2) ? some.ToDictionary(key => key, _ => choices.OneIn(3) ? (object?)comparer : null, comparer)
            : null;
        comparer.Order = choices.OneIn(2) ? new(some.ToDictionary(key => key, key => key.Length), comparer) : null;
        comparer.Texts = choices.OneIn(2) ? new(some, comparer) : null;
        return choices.OneIn(4) ? OfWholeParts(ImmutableHashSet.CreateRange(comparer, some)) : from;
    }

    private object ParentOf(int depth)
    {
        Parent parent = Made(new Parent { Name = choices.Of("n", "Ada", null) });
        _hasKids |= cycles;
        if (!cycles)
        {
            return Made(new Kid(parent, choices.Pick(9)));
        }

        parent.Kids = OfWholeParts(Enumerable.Range(0, choices.Pick(4)).Select(i => Made(new Kid(parent, i))).ToList());
        parent.First = choices.OneIn(2) ? Any(depth + 1) : parent.Kids.FirstOrDefault();
        return choices.OneIn(3) && parent.Kids.Count > 0 ? parent.Kids[0] : parent;
    }

    private object Wrapper(int depth)
    {
        List<object?> list = Made(new List<object?>());
        object wrapper = choices.Pick(12) switch
        {
            0 => new Collection<object?>(list),
            1 => new ReadOnlyCollection<object?>(list),
            2 => new ReadOnlyCollection<object?>(new Collection<object?>(new ReadOnlyCollection<object?>(list))),
            3 => new ReadOnlyDictionary<string, object?>(new Dictionary<string, object?> { ["list"] = list }),
            4 => OfWholeParts(new Lazy<object?>(list)),
            5 => new BlockingCollection<object?>(Queue(depth)),
            6 => new LinkedList<object?>([list, 1]),
            7 => new BindingList<object?>(list),
            8 => new ListDictionary { ["list"] = list },
            9 => new HybridDictionary { ["list"] = list, [1] = list },
            10 => new OrderedDictionary { ["list"] = list, ["also"] = list },
            _ => new PriorityQueue<object?, int>([(list, 1), (null, 2)]),
        };
        Made(wrapper);
        for (int i = choices.Pick(4); i > 0; i--)
        {
            list.Add(cycles && choices.OneIn(4) ? wrapper : Any(depth + 1));
        }

        return wrapper;
    }

    private ConcurrentQueue<object?> Queue(int depth)
    {
        ConcurrentQueue<object?> queue = Made(new ConcurrentQueue<object?>());
        queue.Enqueue(Any(depth + 1));
        return queue;
    }

    private object?[] Filled(object?[] array, int depth)
    {
        for (int i = 0; i < array.Length; i++)
        {
            array[i] = Any(depth + 1);
        }

        return array;
    }

    private Dictionary<string, object?> Filled(Dictionary<string, object?> map, int depth)
    {
        for (int i = choices.Pick(4); i > 0; i--)
        {
            map[$"key {i}"] = Any(depth + 1);
        }

        return map;
    }
}
