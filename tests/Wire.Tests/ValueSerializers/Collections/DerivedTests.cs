using System.Collections;
using System.Collections.ObjectModel;
using Wire.Comparing;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

[TypeNotes("fields beside the elements, without a constructor call", Title = "your class that derives from a collection")]
public sealed class TitledListTests : ValueTests<TitledList?>
{
    protected override IEnumerable<TitledList?> Samples => [null, [], new TitledList { Title = "a" }.With(1, null, "x")];
}

public sealed class DeepListTests : ValueTests<ListOf<int>>
{
    protected override IEnumerable<ListOf<int>> Samples => [new() { 1, 2 }, new DeepList { Favourite = "two" }.With(1, 2)];
}

public sealed class TitledDictionaryTests : ValueTests<TitledDictionary>
{
    protected override IEnumerable<TitledDictionary> Samples =>
        [[], new(StringComparer.OrdinalIgnoreCase) { ["a"] = 1, ["b"] = null }, new(new ByLength()) { ["a"] = 1 }];
}

public sealed class PartsTests : ValueTests<Parts?>
{
    protected override IEnumerable<Parts?> Samples => [null, [], new() { new("bolt", 1), new("nut", 2) }];
}

public sealed class OldCollectionTests : ValueTests<OldCollection?>
{
    protected override IEnumerable<OldCollection?> Samples => [null, new(), new OldCollection { Title = "a" }.Added(1, "x")];
}

public sealed class OldDictionaryTests : ValueTests<OldDictionary?>
{
    protected override IEnumerable<OldDictionary?> Samples => [null, new(), new OldDictionary { Title = "a" }.Put(1, null).Put("x", 2)];
}

/// <summary>
/// Classes that derive from collections of .NET: the part comes back without running code of theirs, and the fields with it.
/// </summary>
public sealed class DerivedTests
{
    public static TheoryData<object> All() =>
    [
        new TitledList { Title = "t" }.With(
            1, null, "x"), new DeepList { Favourite = "two" }.With(1, 2), new TitledDictionary(Texts.Turkish) { ["a"] = 1 },
        new TitledSet(
            StringComparer.OrdinalIgnoreCase) { "a" }, Enqueued(new TitledQueue { Title = "q" }), Pushed(new TitledStack { Title = "s" }),
        new TitledSortedSet(new Reversed<string>(StringComparer.Ordinal)) { "a", "b" }, Linked(new TitledLinkedList { Title = "l" }),
        new TitledConcurrentDictionary { [1] = "a", [2] = "b" }, Prioritized(
            new TitledPriorityQueue { Title = "p" }), new GuardedCollection { 1, null, "x" }, new GuardedObservable { 1, 2 },
        new TitledView([1, 2]) { Title = "v" }, new Parts
        {
            new("bolt", 1),
            new("nut", 2),
        }, new GuardedArrayList { 1, "x" }, new GuardedHashtable { [1] = "x" },
        Enqueued(new GuardedQueue { Title = "q" }), Pushed(new GuardedStack { Title = "s" }), new GuardedSortedList
        {
            ["b"] = 1,
            ["a"] = 2,
        }, new GuardedNames { { "a", "1" }, { "a", "2" }, { null, "3" } },
        new TitledBindingList { Title = "b", AllowNew = true }.With(1), new TitledPairs { Title = "p" }.Put("b", 1).Put("a", null),
        new GuardedPairs { Title = "o" }.Put("b", 1), new GuardedTexts { { "A", "1" }, { "b", null } },
        new OldCollection { Title = "c" }.Added(1, "x"), new OldDictionary { Title = "d" }.Put(1, "x"), new Hidden { 1 },
    ];

    [Theory]
    [MemberData(nameof(All))]
    public void No_code_of_the_class_runs(object value)
    {
        foreach ((bool references, bool tolerance, bool dynamicCode) in Configuration.All())
        {
            Serializer serializer = Configuration.Serializer(references, tolerance, dynamicCode);
            object? copy = Forbidden.During(() => serializer.Deserialize<object>(serializer.Serialize(value)));
            GraphAssert.Same(value, copy, sharing: references);
            Holder<object> holder = Forbidden.During(() => serializer.Clone(new Holder<object> { Declared = value }));
            GraphAssert.Same(value, holder.Declared, sharing: references);
        }
    }

    [Fact]
    public void A_copy_works_like_the_original()
    {
        var serializer = new Serializer();
        Parts parts = serializer.CopyBothWays(new Parts { new("bolt", 1) });
        parts.Add(new Part("nut", 2));
        Assert.Equal(2, parts["NUT"].Count);
        Assert.Throws<ArgumentException>(() => parts.Add(new Part("BOLT", 3)));
        Assert.True(parts.Remove("bolt"));

        GuardedObservable observable = serializer.CopyBothWays(new GuardedObservable { 1 });
        int changes = 0;
        observable.CollectionChanged += (_, _) => changes++;
        observable.Add(2);
        observable.Move(0, 1);
        Assert.Equal((2, 2), (changes, observable.Count));

        OldDictionary old = serializer.CopyBothWays((OldDictionary)new OldDictionary().Put("a", 1));
        ((IDictionary)old).Add("b", 2);
        Assert.Equal(2, old.Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void A_collection_that_holds_itself_comes_back_as_one(bool dynamicCode)
    {
        Serializer serializer = Configuration.Serializer(references: true, tolerance: true, dynamicCode);
        var list = new TitledList();
        list.Add(list);
        var map = new TitledDictionary();
        map.Add("self", map);
        var guarded = new GuardedCollection();
        guarded.Add(guarded);
        OldCollection old = new OldCollection().Added(list);
        ((IList)old).Add(old);
        foreach (object value in new object[] { list, map, guarded, old })
        {
            GraphAssert.Same(value, serializer.Deserialize<object>(serializer.Serialize(value)), sharing: true);
            GraphAssert.Same(value, serializer.CopyBothWays(value), sharing: true);
        }
    }

    private static T Enqueued<T>(T queue)
    {
        (queue as TitledQueue)?.Enqueue(1);
        (queue as Queue)?.Enqueue("x");
        return queue;
    }

    private static T Pushed<T>(T stack)
    {
        (stack as TitledStack)?.Push(1);
        (stack as TitledStack)?.Push(2);
        (stack as Stack)?.Push("x");
        return stack;
    }

    private static TitledLinkedList Linked(TitledLinkedList list)
    {
        list.AddLast("a");
        return list;
    }

    private static TitledPriorityQueue Prioritized(TitledPriorityQueue queue)
    {
        queue.EnqueueRange([("b", 2), ("a", 1)]);
        return queue;
    }

    private sealed class Hidden : List<int>
    {
        private readonly object _secret = "secret";

        public override string ToString() => $"{_secret}";
    }
}

internal static class Fill
{
    public static TList With<TList>(this TList list, params object?[] items)
        where TList : IList => Added(list, items);

    public static TList Added<TList>(this TList list, params object?[] items)
        where TList : IList
    {
        foreach (object? item in items)
        {
            list.Add(item);
        }

        return list;
    }

    public static TDictionary Put<TDictionary>(this TDictionary dictionary, object key, object? value)
        where TDictionary : IDictionary
    {
        dictionary.Add(key, value);
        return dictionary;
    }
}
