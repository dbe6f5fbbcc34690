using Wire.Tests.Testing;

namespace Wire.Tests.ValueSerializers.Collections;

public sealed class QueueTests : ValueTests<Queue<string?>?>
{
    protected override IEnumerable<Queue<string?>?> Samples => [null, new(), new(["a"]), new(["a", null, "b"]), Turned()];

    // The elements go round the end of the array.
    private static Queue<string?> Turned()
    {
        var queue = new Queue<string?>(["a", "b", "c", "d"]);
        queue.Dequeue();
        queue.Dequeue();
        queue.Enqueue("e");
        return queue;
    }
}

public sealed class QueueOfValuesTests : ValueTests<Queue<int>>
{
    protected override IEnumerable<Queue<int>> Samples => [new(), new([1]), new(Enumerable.Range(0, 50))];
}

[TypeNotes("order kept")]
public sealed class StackTests : ValueTests<Stack<object?>?>
{
    protected override IEnumerable<Stack<object?>?> Samples => [null, new(), new(["a"]), new([1, null, "b"])];
}

public sealed class StackOfValuesTests : ValueTests<Stack<DateTime>>
{
    protected override IEnumerable<Stack<DateTime>> Samples => [new(), new([DateTime.MinValue, DateTime.MaxValue])];
}

public sealed class LinkedListTests : ValueTests<LinkedList<object?>?>
{
    protected override IEnumerable<LinkedList<object?>?> Samples => [null, new(), new(["a"]), new([1, null, "b"])];
}

public sealed class LinkedListOfValuesTests : ValueTests<LinkedList<decimal?>>
{
    protected override IEnumerable<LinkedList<decimal?>> Samples => [new(), new([1.0m, null])];
}
