using FsCheck;
using FsCheck.Fluent;
using Wire.Testing;
using Wire.Transport.Pending;

namespace Wire.Transport.Tests.Pending;

/// <summary>What has ended is told in time, by one at a time, and none of it is left behind.</summary>
public sealed class AckBatcherTests
{
    private static readonly TimeSpan Never = TimeSpan.FromDays(1);

    [Fact]
    public void It_is_told_when_a_quarter_of_what_comes_ahead_has_gathered_and_by_one_at_a_time() => Prop.ForAll(
        Gen.Choose(0, 99).ListOf().Resize(300).ToArbitrary(),
        Gen.Choose(0, 60).ToArbitrary(),
        (steps, prefetch) =>
        {
            using var hold = new AckBatcher(prefetch, Never, () => Assert.Fail("It is not time yet."));
            hold.HoldFor((ushort)prefetch);
            int enough = prefetch == 0 ? int.MaxValue : Math.Max(1, prefetch / 4);
            var broker = new AckLedger();
            ulong last = 0;
            ulong next = 1;
            int ended = 0;
            bool isTelling = false;
            foreach (int step in steps)
            {
                if (step < 45)
                {
                    Assert.True(hold.TryDeliver(++last, isSettled: true));
                    broker.Unacknowledged.Add(last);
                    broker.Ended[last] = Settlement.Ack;
                }
                else if (step < 85)
                {
                    bool mayHold = step % 10 != 0;
                    bool isTold = next <= last && !isTelling && (!mayHold || ended + 1 >= enough);
                    Assert.Equal(next <= last, hold.TryEnd(next, multiple: false, Settlement.Ack, mayHold, out bool mustSend));
                    Assert.Equal(isTold, mustSend);
                    ended += next <= last ? 1 : 0;
                    next += next <= last ? 1ul : 0;
                    isTelling |= isTold;
                }
                else if (isTelling)
                {
                    Assert.False(hold.TryBeginSend());
                    if (step % 3 != 0)
                    {
                        Assert.Equal(ended, broker.Hear(Taken(hold)));
                        ended = 0;
                    }

                    isTelling = ended >= enough;
                    Assert.Equal(!isTelling, hold.IsSent());
                }
                else if (step > 95)
                {
                    isTelling = ended > 0;
                    Assert.Equal(isTelling, hold.TryBeginSend());
                }

                Assert.Equal((ended > 0, !isTelling), (hold.HasEnded, hold.WhenTold().IsCompleted));
            }
        }).QuickCheckThrowOnFailure();

    [Fact]
    public async Task What_is_held_is_told_after_the_delay()
    {
        var told = new TaskCompletionSource<List<AckCommand>>(TaskCreationOptions.RunContinuationsAsynchronously);
        AckBatcher? own = null;
        using var hold = new AckBatcher(100, TimeSpan.FromMilliseconds(20), () => told.SetResult(Taken(own!)));
        own = hold;
        hold.HoldFor(100);
        for (ulong tag = 1; tag <= 3; tag++)
        {
            hold.TryDeliver(tag, isSettled: true);
            Assert.True(hold.TryEnd(tag, multiple: false, Settlement.Ack, mayHold: true, out bool mustSend));
            Assert.False(mustSend);
        }

        Assert.Equal([new AckCommand(3, Settlement.Ack, Multiple: true)], await told.Task.InTime());
        Task done = hold.WhenTold();
        Assert.False(done.IsCompleted);
        Assert.True(hold.IsSent());
        await done.InTime();
    }

    [Fact]
    public void Without_a_delay_nothing_is_held()
    {
        using var hold = new AckBatcher(100, TimeSpan.Zero, () => Assert.Fail("There is no timer."));
        hold.HoldFor(100);
        Assert.False(hold.IsHolding);
        hold.TryDeliver(1, isSettled: false);
        hold.TryDeliver(2, isSettled: true);
        Assert.False(hold.TryEnd(1, multiple: false, Settlement.Ack, mayHold: true, out bool mustSend));
        Assert.False(mustSend);
        Assert.True(hold.TryEnd(0, multiple: true, Settlement.Requeue, mayHold: true, out mustSend));
        Assert.True(mustSend);
    }

    [Fact]
    public async Task All_who_wait_for_what_is_sent_go_on()
    {
        using var hold = new AckBatcher(100, Never, () => Assert.Fail("It is not time yet."));
        hold.TryDeliver(1, isSettled: true);
        Assert.True(hold.TryEnd(1, multiple: false, Settlement.Ack, mayHold: false, out bool mustSend));
        Assert.True(mustSend);
        Task[] waiting = [hold.WhenTold(), hold.WhenTold()];
        List<AckCommand> notices = [new AckCommand(9, Settlement.Reject, Multiple: false)];
        hold.Drain(notices);
        Assert.Equal([new AckCommand(1, Settlement.Ack, Multiple: false)], notices);
        Assert.True(hold.IsSent());
        await Task.WhenAll(waiting).InTime();
    }

    [Fact]
    public void Disposed_it_holds_nothing_back()
    {
        var hold = new AckBatcher(100, Never, () => Assert.Fail("It is not time yet."));
        Assert.True(hold.IsHolding);
        hold.TryDeliver(1, isSettled: true);
        hold.TryDeliver(2, isSettled: true);
        Assert.True(hold.TryEnd(1, multiple: false, Settlement.Ack, mayHold: true, out bool mustSend));
        Assert.False(mustSend);
        hold.Dispose();
        Assert.False(hold.IsHolding);
        Assert.True(hold.TryEnd(2, multiple: false, Settlement.Ack, mayHold: true, out mustSend));
        Assert.True(mustSend);
        Assert.Equal([new AckCommand(2, Settlement.Ack, Multiple: true)], Taken(hold));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task When_nothing_counts_any_more_nothing_is_told_and_who_waits_goes_on(bool isTelling)
    {
        using var hold = new AckBatcher(100, Never, () => Assert.Fail("It is not time yet."));
        hold.TryDeliver(1, isSettled: true);
        hold.TryDeliver(2, isSettled: true);
        Assert.True(hold.TryEnd(1, multiple: false, Settlement.Ack, mayHold: !isTelling, out bool mustSend));
        Assert.Equal(isTelling, mustSend);
        Task told = hold.WhenTold();
        Assert.Equal(!isTelling, told.IsCompleted);
        Assert.Equal(2ul, hold.Seal());
        await told.InTime();
        Assert.True(hold.TryEnd(2, multiple: false, Settlement.Ack, mayHold: false, out mustSend));
        Assert.False(mustSend);
        Assert.False(hold.TryDeliver(3, isSettled: true));
        Assert.Equal((false, false, true), (hold.HasEnded, hold.TryBeginSend(), hold.WhenTold().IsCompleted));
        Assert.True(hold.IsSent());
    }

    [Fact]
    public async Task Each_is_told_once_when_many_end_at_a_time()
    {
        const int Count = 20_000;
        const int Threads = 4;
        var broker = new AckLedger();
        int telling = 0;
        AckBatcher? own = null;
        using var hold = new AckBatcher(Count, TimeSpan.FromMilliseconds(1), Tell);
        own = hold;
        hold.HoldFor(40);
        for (ulong tag = 1; tag <= Count; tag++)
        {
            hold.TryDeliver(tag, isSettled: true);
            broker.Unacknowledged.Add(tag);
            broker.Ended[tag] = Settlement.Ack;
        }

        await Task.WhenAll(Enumerable.Range(0, Threads).Select(thread => Task.Run(() =>
        {
            for (int tag = thread + 1; tag <= Count; tag += Threads)
            {
                Assert.True(hold.TryEnd((ulong)tag, multiple: false, Settlement.Ack, mayHold: true, out bool mustSend));
                if (mustSend)
                {
                    Tell();
                }
            }
        }))).InTime();
        while (hold.HasEnded || !hold.WhenTold().IsCompleted)
        {
            await hold.WhenTold().InTime();
            await Task.Yield();
        }

        Assert.Empty(broker.Unacknowledged);

        void Tell()
        {
            do
            {
                Assert.Equal(1, Interlocked.Increment(ref telling));
                broker.Hear(Taken(own!));
                Interlocked.Decrement(ref telling);
            }
            while (!own!.IsSent());
        }
    }

    private static List<AckCommand> Taken(AckBatcher hold)
    {
        List<AckCommand> notices = [];
        hold.Drain(notices);
        return notices;
    }
}
