using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

[TypeNotes("comparer kept", Options = "TypeFilter")]
public sealed class SortedDictionaryTests : ValueTests<SortedDictionary<string, object?>?>
{
    protected override IEnumerable<SortedDictionary<string, object?>?> Samples =>
        [
            null,
            [],
            .. Texts.Order.Select(comparer => new SortedDictionary<string, object?>(comparer) { ["bb"] = 1, ["a"] = null, ["ccc"] = "x" }),
        ];
}

public sealed class SortedDictionaryOfValuesTests : ValueTests<SortedDictionary<int, long>>
{
    protected override IEnumerable<SortedDictionary<int, long>> Samples =>
        [[], new() { [3] = 1, [1] = 2 }, new(new Modulo { Divisor = 3 }) { [5] = 1, [1] = 2 }];
}

public sealed class SortedListTests : ValueTests<SortedList<string, int?>?>
{
    protected override IEnumerable<SortedList<string, int?>?> Samples =>
        [null, [], .. Texts.Order.Select(comparer => new SortedList<string, int?>(comparer) { ["bb"] = 1, ["a"] = null, ["ccc"] = 3 })];
}

public sealed class SortedListOfValuesTests : ValueTests<SortedList<DateOnly, object>>
{
    protected override IEnumerable<SortedList<DateOnly, object>> Samples =>
        [[], new() { [DateOnly.MaxValue] = 1, [DateOnly.MinValue] = "x" }];
}

[TypeNotes("what a view of it shows, as a set of its own without bounds")]
public sealed class SortedSetTests : ValueTests<SortedSet<string?>?>
{
    protected override IEnumerable<SortedSet<string?>?> Samples =>
        [null, [], .. Texts.Order.Select(comparer => new SortedSet<string?>(comparer) { "bb", "a", null, "ccc" })];
}

public sealed class SortedSetOfValuesTests : ValueTests<SortedSet<int>>
{
    protected override IEnumerable<SortedSet<int>> Samples =>
        [[], [3, 1, 2], new(new Reversed<int>(new Modulo { Divisor = 5 })) { 7, 4, 1 }];
}

[TypeNotes("comparer kept; equal priorities leave it in the same order", Options = "TypeFilter")]
public sealed class PriorityQueueTests : ValueTests<PriorityQueue<string?, int>?>
{
    protected override IEnumerable<PriorityQueue<string?, int>?> Samples =>
        [null, new(), Filled(null), Filled(new Reversed<int>(Comparer<int>.Default))];

    // Equal priorities, of which the heap itself says which comes first.
    private static PriorityQueue<string?, int> Filled(IComparer<int>? comparer)
    {
        var queue = new PriorityQueue<string?, int>(comparer);
        for (int i = 0; i < 12; i++)
        {
            queue.Enqueue(i == 5 ? null : $"element {i}", i % 3);
        }

        queue.Dequeue();
        return queue;
    }
}

public sealed class PriorityQueueOfReferencesTests : ValueTests<PriorityQueue<object, string>>
{
    protected override IEnumerable<PriorityQueue<object, string>> Samples =>
        [new([(1, "b"), ("x", "a"), (DayOfWeek.Friday, "c")], Texts.Turkish), new([(1, "bb")], new ByLength())];
}

/// <summary>Elements leave a queue in the same order as they would have left the one that was written.</summary>
public sealed class PriorityQueueOrderTests
{
    [Fact]
    public void Equal_priorities_leave_in_the_same_order()
    {
        var queue = new PriorityQueue<int, int>(Enumerable.Range(0, 100).Select(i => (i, i * 7 % 4)));
        PriorityQueue<int, int> copy = new Serializer().CopyBothWays(queue);
        while (queue.TryDequeue(out int element, out _))
        {
            Assert.Equal(element, copy.Dequeue());
        }

        Assert.Equal(0, copy.Count);
    }
}
