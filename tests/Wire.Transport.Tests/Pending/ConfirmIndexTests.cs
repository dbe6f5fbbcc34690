using FsCheck;
using FsCheck.Fluent;
using Wire.Transport.Pending;

namespace Wire.Transport.Tests.Pending;

/// <summary>What is found by a key is what looking through all of the ring would find, and it is not looked through for each.</summary>
public sealed class ConfirmIndexTests
{
    [Fact]
    public void It_finds_the_oldest_that_has_not_been_found() => Prop.ForAll<byte[], int>((steps, seed) =>
    {
        var random = new Random(seed);
        var ring = new ConfirmRing<Item>(1000, long.MaxValue);
        var index = new ConfirmIndex<Item, int>(ring, static item => item.IsFound ? null : item.Key);
        SortedDictionary<ulong, Item> table = [];
        foreach (byte step in steps.SelectMany(step => Enumerable.Repeat(step, 1 + (step >> 3))))
        {
            var item = new Item(random.Next(5) is var key and < 4 ? key : null);
            switch (step % 5)
            {
                case 0 or 1:
                    table.Add(ring.Next, item);
                    ring.Add(item);
                    break;
                case 2:
                    ulong number = (ulong)random.NextInt64(0, (long)ring.Next + 1);
                    bool multiple = random.Next(4) == 0;
                    ring.Remove(number, multiple);
                    foreach (ulong taken
                        in table.Keys.Where(each => number < ring.Next && (multiple ? each <= number : each == number)).ToArray())
                    {
                        table.Remove(taken);
                    }

                    break;
                case 3:
                    ring.Add(item);
                    index.Remove(99);
                    Assert.True(ring.TryTakeBack(item));
                    break;
                default:
                    int wanted = random.Next(5);
                    Item? expected = table.Values.FirstOrDefault(each => !each.IsFound && each.Key == wanted);
                    Assert.Same(expected, index.Remove(wanted));
                    if (expected is not null)
                    {
                        expected.IsFound = true;
                    }

                    break;
            }
        }
    }).QuickCheckThrowOnFailure();

    [Fact]
    public void Each_is_looked_at_a_few_times_and_not_for_each_that_is_found()
    {
        const int Count = 2048;
        int looks = 0;
        var ring = new ConfirmRing<Item>(Count, long.MaxValue);
        var index = new ConfirmIndex<Item, int>(ring, item =>
        {
            looks++;
            return item.Key;
        });
        for (int i = 0; i < Count; i++)
        {
            ring.Add(new Item(i));
        }

        for (int i = Count - 1; i >= 0; i--)
        {
            Assert.Equal(i, index.Remove(i)!.Key);
        }

        Assert.InRange(looks, Count, 4 * Count);
    }

    private sealed class Item(int? key) : Queued, ISized
    {
        public int? Key => key;

        public bool IsFound { get; set; }

        public long BodySize => 1;
    }
}
