using System.Collections.Concurrent;
using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

[TypeNotes("one state of it; comparer kept", Options = "TypeFilter")]
public sealed class ConcurrentDictionaryTests : ValueTests<ConcurrentDictionary<string, object?>?>
{
    protected override IEnumerable<ConcurrentDictionary<string, object?>?> Samples =>
        [null, new(), .. Texts.Equality.Select(
            comparer => new ConcurrentDictionary<string, object?>(comparer) { ["bb"] = 1, ["a"] = null, ["ccc"] = "x" })];
}

public sealed class ConcurrentDictionaryOfValuesTests : ValueTests<ConcurrentDictionary<int, int>>
{
    protected override IEnumerable<ConcurrentDictionary<int, int>> Samples =>
        [new(), new() { [1] = 2, [3] = 4 }, new(new Modulo()) { [1] = 2 }];
}

public sealed class ConcurrentQueueTests : ValueTests<ConcurrentQueue<object?>?>
{
    protected override IEnumerable<ConcurrentQueue<object?>?> Samples => [null, new(), new([1]), new([1, null, "x"])];
}

public sealed class ConcurrentQueueOfValuesTests : ValueTests<ConcurrentQueue<int>>
{
    protected override IEnumerable<ConcurrentQueue<int>> Samples => [new(), new(Enumerable.Range(0, 100))];
}

public sealed class ConcurrentStackTests : ValueTests<ConcurrentStack<string?>?>
{
    protected override IEnumerable<ConcurrentStack<string?>?> Samples => [null, new(), new(["a"]), new(["a", null, "b"])];
}

[TypeNotes("one state of it, also while others add")]
public sealed class ConcurrentBagTests : ValueTests<ConcurrentBag<object?>?>
{
    protected override IEnumerable<ConcurrentBag<object?>?> Samples => [null, [], [1], [1, null, "x"]];
}

[TypeNotes("contents, bound, and whether adding is completed")]
public sealed class BlockingCollectionTests : ValueTests<BlockingCollection<string?>?>
{
    protected override IEnumerable<BlockingCollection<string?>?> Samples =>
        [
            null,
            [],
            ["a", null],
            Completed(new BlockingCollection<string?>(2) { "a", "b" }),
            new(new ConcurrentStack<string?>(["a", "b"]), 5),
            Completed([]),
            Bag(),
        ];

    private static BlockingCollection<string?> Bag()
    {
        var bag = new BlockingCollection<string?>(new ConcurrentBag<string?>(["x", "y"]));
        return Completed(bag);
    }

    private static BlockingCollection<string?> Completed(BlockingCollection<string?> collection)
    {
        collection.CompleteAdding();
        return collection;
    }
}

/// <summary>A collection of producers and consumers does what it did.</summary>
public sealed class BlockingCollectionUseTests
{
    [Fact]
    public void Bounds_and_completion_still_hold()
    {
        BlockingCollection<int> full = new Serializer().CopyBothWays(new BlockingCollection<int>(2) { 1, 2 });
        Assert.False(full.TryAdd(3));
        Assert.Equal(1, full.Take());
        Assert.True(full.TryAdd(3));
        full.CompleteAdding();
        BlockingCollection<int> completed = new Serializer().CopyBothWays(full);
        Assert.Throws<InvalidOperationException>(() => completed.Add(4));
        Assert.Equal([2, 3], completed.GetConsumingEnumerable());
    }
}
