using System.Buffers.Binary;
using FsCheck;
using FsCheck.Fluent;
using Wire.RabbitMQ.Streams.Producing;
using Wire.Transport.Pending;

namespace Wire.RabbitMQ.Streams.Tests.Producing;

/// <summary>The ring of unconfirmed entries, against a list.</summary>
public sealed class UnconfirmedRingTests
{
    [Fact]
    public void Whatever_the_order_of_confirms_each_is_told_once_and_the_oldest_is_known()
    {
        Prop.ForAll(
            Gen.ArrayOf(Gen.Choose(0, 9)).ToArbitrary(),
            steps =>
            {
                var ring = new UnconfirmedRing();
                var told = new Told();
                var unconfirmed = new List<ulong>();
                ulong id = 0;
                var random = new Random(steps.Length);
                foreach (int step in steps)
                {
                    for (int i = 0; i < step * step; i++)
                    {
                        // Ids of one's own have gaps.
                        id += 1 + (ulong)(step % 3);
                        ring.Add(id, null);
                        unconfirmed.Add(id);
                    }

                    ulong[] ids = [.. unconfirmed.Where(_ => random.Next(3) > 0)];
                    if (step % 4 == 0)
                    {
                        random.Shuffle(ids);
                    }

                    // One twice, and one that was never there.
                    ulong[] said = [.. ids, .. ids.Take(1), id + 1];
                    var chain = new OperationQueue<PendingOperation>();
                    told.Expected = [.. ids];
                    Assert.Equal(ids.Length, ring.Confirm(Bytes(said), ring.Tail, ref chain, told.Settled));
                    Assert.Empty(told.Expected!);
                    unconfirmed.RemoveAll(ids.Contains);
                    Assert.Equal(unconfirmed.Count == 0, ring.Head == ring.Tail);
                    if (unconfirmed.Count == 0)
                    {
                        Assert.Equal(0, ring.Messages);
                    }
                }

                while (unconfirmed.Count > 0)
                {
                    var chain = new OperationQueue<PendingOperation>();
                    ring.TakeFirst(ref chain, out ulong first, out ulong last);
                    Assert.Equal((unconfirmed[0], unconfirmed[0]), (first, last));
                    unconfirmed.RemoveAt(0);
                }

                Assert.Equal(ring.Tail, ring.Head);
            }).QuickCheckThrowOnFailure();
    }

    [Fact]
    public void An_entry_of_several_messages_is_confirmed_as_one_and_in_order()
    {
        var ring = new UnconfirmedRing();
        PendingSend[] sends = [.. Enumerable.Range(1, 4).Select(i => new PendingSend { Result = (ulong)i })];
        ring.Add(1, sends[0]);
        ring.Extend(2, sends[1]);
        ring.Extend(3, sends[2]);
        ring.Add(4, sends[3]);
        Assert.Equal(4, ring.Messages);
        var chain = new OperationQueue<PendingOperation>();
        var told = new Told { Ranges = [] };
        Assert.Equal(3, ring.Confirm(Bytes([3]), ring.Tail, ref chain, told.Settled));
        Assert.Equal([(1ul, 3ul)], told.Ranges);
        Assert.Equal(1, ring.Messages);
        for (int i = 0; i < 3; i++)
        {
            PendingOperation? send = chain.TryTake();
            Assert.NotNull(send);
            Assert.Same(sends[i], send);
        }

        Assert.Null(chain.TryTake());
    }

    [Fact]
    public void What_was_not_sent_cannot_be_confirmed()
    {
        var ring = new UnconfirmedRing();
        ring.Add(1, null);
        ring.Add(2, null);
        var chain = new OperationQueue<PendingOperation>();
        var told = new Told { Ranges = [] };
        ring.Confirm(Bytes([1, 2]), limit: 1, ref chain, told.Settled);
        Assert.Equal([(1ul, 1ul)], told.Ranges);
        Assert.False(ring.TryTake(2, limit: 1, ref chain, out _));
        Assert.True(ring.TryTake(2, limit: 2, ref chain, out _));
    }

    [Fact]
    public void The_latest_and_then_the_oldest_of_a_full_ring_are_two_runs()
    {
        var ring = new UnconfirmedRing();
        for (ulong id = 1; id <= 64; id++)
        {
            ring.Add(id, null);
        }

        var chain = new OperationQueue<PendingOperation>();
        var told = new Told { Ranges = [] };
        ring.Confirm(Bytes([64, 1, 2]), limit: 64, ref chain, told.Settled);
        Assert.Equal([(64ul, 64ul), (1ul, 2ul)], told.Ranges);
    }

    private static byte[] Bytes(ulong[] ids)
    {
        byte[] bytes = new byte[ids.Length * sizeof(ulong)];
        for (int i = 0; i < ids.Length; i++)
        {
            BinaryPrimitives.WriteUInt64BigEndian(bytes.AsSpan(i * sizeof(ulong)), ids[i]);
        }

        return bytes;
    }

    private sealed class Told
    {
        public HashSet<ulong>? Expected { get; set; }

        public List<(ulong First, ulong Last)>? Ranges { get; set; }

        public void Settled(ulong firstId, ulong lastId)
        {
            Ranges?.Add((firstId, lastId));
            if (Expected is { } expected)
            {
                Assert.True(expected.Contains(firstId) && expected.Contains(lastId));
                expected.RemoveWhere(id => id >= firstId && id <= lastId);
            }
        }
    }
}
