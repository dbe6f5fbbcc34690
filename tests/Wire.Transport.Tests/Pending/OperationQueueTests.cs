using FsCheck;
using FsCheck.Fluent;
using Wire.Transport.Pending;

namespace Wire.Transport.Tests.Pending;

/// <summary>A queue does what a list would.</summary>
public sealed class OperationQueueTests
{
    [Fact]
    public void It_is_a_list() => Prop.ForAll<byte[], int>((steps, seed) =>
    {
        var random = new Random(seed);
        var queue = new OperationQueue<Item>();
        List<Item> list = [];
        foreach (byte step in steps)
        {
            switch (step % 8)
            {
                case 0 or 1:
                    var added = new Item();
                    queue.Add(added);
                    list.Add(added);
                    break;
                case 2:
                    Assert.Same(list.FirstOrDefault(), queue.TryTake());
                    list = [.. list.Skip(1)];
                    break;
                case 3 when list.Count > 0:
                    Item left = list[random.Next(list.Count)];
                    queue.Remove(left);
                    list.Remove(left);
                    break;
                case 4:
                    (OperationQueue<Item> behind, Item[] more) = Some(random.Next(4));
                    queue.Append(behind);
                    list.AddRange(more);
                    break;
                case 5:
                    (OperationQueue<Item> before, Item[] earlier) = Some(random.Next(4));
                    queue.Prepend(before);
                    list.InsertRange(0, earlier);
                    break;
                case 6:
                    Item[] linked = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => new Item())];
                    for (int i = 1; i < linked.Length; i++)
                    {
                        linked[i].Previous = linked[i - 1];
                    }

                    queue.AddLinked(linked[^1]);
                    list.AddRange(linked);
                    break;
                default:
                    OperationQueue<Item> all = queue.TakeAll();
                    Assert.True(queue.IsEmpty);
                    Assert.Equal(0, queue.Count);
                    queue = all;
                    break;
            }

            Assert.Equal(list.Count, queue.Count);
            Assert.Equal(list, All(queue));
        }

        while (queue.TryTake() is { } item)
        {
            Assert.Same(list[0], item);
            Assert.Null(item.Next);
            Assert.Null(item.Previous);
            list.RemoveAt(0);
        }

        Assert.Empty(list);
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Each_is_taken_when_its_position_is_reached_whenever_it_has_come() =>
        Prop.ForAll<PositiveInt[], PositiveInt[]>((positions, steps) =>
    {
        var queue = new OperationQueue<Item>();
        List<Item> inOrder = [];
        foreach (PositiveInt position in positions)
        {
            var item = new Item { Position = position.Get };
            queue.AddInOrder(item);
            inOrder.Add(item);
            Assert.Equal(inOrder.Count, queue.Count);
        }

        // Those of one position stay as they have come.
        Assert.Equal(inOrder.OrderBy(item => item.Position), All(queue));

        long reached = 0;
        List<long> taken = [];
        foreach (int step in steps.Select(step => step.Get).Append(int.MaxValue))
        {
            reached += step;
            taken.AddRange(All(queue.TakeUpTo(reached)).Select(item => item.Position));
            Assert.Equal(positions.Select(position => (long)position.Get).Where(position => position <= reached).Order(), taken);
        }

        Assert.True(queue.IsEmpty);
    }).QuickCheckThrowOnFailure();

    // From both ends.
    private static List<Item> All(OperationQueue<Item> queue)
    {
        List<Item> items = [];
        Queued? last = null;
        foreach (Item item in queue)
        {
            Assert.Same(last, item.Previous);
            items.Add(item);
            last = item;
        }

        return items;
    }

    private static (OperationQueue<Item> Queue, Item[] Items) Some(int count)
    {
        Item[] items = [.. Enumerable.Range(0, count).Select(_ => new Item())];
        var queue = new OperationQueue<Item>();
        foreach (Item item in items)
        {
            queue.Add(item);
        }

        return (queue, items);
    }

    private sealed class Item : Queued;
}
