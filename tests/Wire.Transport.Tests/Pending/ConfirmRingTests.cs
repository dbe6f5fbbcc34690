using FsCheck;
using FsCheck.Fluent;
using Wire.Transport.Pending;

namespace Wire.Transport.Tests.Pending;

/// <summary>What is confirmed by its number is what was published under it, in whichever order the numbers come.</summary>
public sealed class ConfirmRingTests
{
    [Fact]
    public void It_is_a_table_of_numbers() => Prop.ForAll<byte[], int>((steps, seed) =>
    {
        var random = new Random(seed);
        const int MaxBytes = 1000;
        int capacity = random.Next(1, 40);
        var ring = new ConfirmRing<Item>(capacity, MaxBytes);
        SortedDictionary<ulong, Item> table = [];
        ulong next = 1;
        foreach (byte step in steps.SelectMany(step => Enumerable.Repeat(step, 1 + (step >> 4))))
        {
            ulong number = (ulong)random.NextInt64(0, (long)next + 2);
            switch (step % 4)
            {
                case 0 or 1:
                    // Whoever does not look whether it is full may add all the same.
                    var item = new Item(random.Next(100));
                    ring.Add(item);
                    table.Add(next++, item);
                    break;
                case 2:
                    bool multiple = random.Next(4) == 0;
                    Item[] expected = [.. table.Where(each => number < next && (multiple ? each.Key <= number : each.Key == number)).Select(
                        each => each.Value)];
                    Assert.Equal(expected, All(ring.Remove(number, multiple)));
                    foreach (ulong key in table.Where(each => expected.Contains(each.Value)).Select(each => each.Key).ToArray())
                    {
                        table.Remove(key);
                    }

                    break;
                default:
                    var another = new Item(random.Next(100));
                    Assert.False(ring.TryTakeBack(another));
                    ring.Add(another);
                    Assert.True(ring.TryTakeBack(another));
                    break;
            }

            Assert.Equal(table.Count == 0 ? 0 : (int)(next - table.First().Key), ring.Count);
            Assert.Equal(ring.Count >= capacity || table.Values.Sum(each => each.BodySize) >= MaxBytes, ring.IsFull);
            Assert.Same(table.GetValueOrDefault(number), ring.Find(number));
        }

        Assert.Equal(table.Values, All(ring.TakeAll()));
        Assert.Equal((0, false), (ring.Count, ring.IsFull));
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Bytes_are_room_too_and_numbers_that_come_back_are_counted()
    {
        var ring = new ConfirmRing<Item>(capacity: 10, maxBytes: 100);
        ring.Add(new Item(99));
        Assert.False(ring.IsFull);
        var last = new Item(1);
        ring.Add(last);
        Assert.True(ring.IsFull);
        Assert.Equal(0, ring.TakenBack);
        Assert.True(ring.TryTakeBack(last));
        Assert.Equal((1, false), (ring.TakenBack, ring.IsFull));
        Assert.False(ring.TryTakeBack(last));
        Assert.Equal((1, 2ul), (ring.TakenBack, ring.Next));
    }

    private static List<Item> All(OperationQueue<Item> queue)
    {
        List<Item> items = [];
        while (queue.TryTake() is { } item)
        {
            items.Add(item);
        }

        return items;
    }

    private sealed class Item(long bodySize) : Queued, ISized
    {
        public long BodySize { get; } = bodySize;
    }
}
