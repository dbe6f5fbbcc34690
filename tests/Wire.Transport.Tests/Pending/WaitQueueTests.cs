using FsCheck;
using FsCheck.Fluent;
using Wire.Transport.Pending;

namespace Wire.Transport.Tests.Pending;

/// <summary>A queue does what a list would, and each operation knows whether it stands in it.</summary>
public sealed class WaitQueueTests
{
    [Fact]
    public void It_is_a_list_whose_operations_leave_once() => Prop.ForAll<byte[], int>((steps, seed) =>
    {
        var random = new Random(seed);
        var queue = new WaitQueue<Operation>();
        List<Operation> list = [];
        List<Operation> known = [];
        foreach (byte step in steps)
        {
            switch (step % 6)
            {
                case 0 or 1:
                    queue.Add(New());
                    list.Add(known[^1]);
                    break;
                case 2:
                    Assert.Same(list.FirstOrDefault(), queue.TryTake());
                    list = [.. list.Skip(1)];
                    break;
                case 3 when known.Count > 0:
                    // Whether it waits or not: its cancellation may come late.
                    Operation cancelled = known[random.Next(known.Count)];
                    Assert.Equal(list.Remove(cancelled), queue.TryLeave(cancelled));
                    break;
                case 4:
                    var first = new OperationQueue<Operation>();
                    for (int i = random.Next(4); i > 0; i--)
                    {
                        first.Add(New());
                    }

                    list.InsertRange(0, known[^first.Count..]);
                    queue.PutFirst(first);
                    break;
                default:
                    OperationQueue<Operation> all = queue.TakeAll();
                    Assert.Equal(list, Enumerate(all));
                    list.Clear();
                    break;
            }

            Assert.Equal(list.Count, queue.Count);
            Assert.Equal(list.Count == 0, queue.IsEmpty);
            Assert.All(known, operation => Assert.Equal(list.Contains(operation), operation.IsWaiting));
        }

        Assert.Equal(list, Enumerate(queue.TakeAll()));

        Operation New()
        {
            known.Add(new Operation());
            return known[^1];
        }
    }).QuickCheckThrowOnFailure();

    private static List<Operation> Enumerate(OperationQueue<Operation> queue)
    {
        List<Operation> all = [];
        foreach (Operation operation in queue)
        {
            all.Add(operation);
        }

        return all;
    }

    private sealed class Operation : PendingOperation<int>;
}
