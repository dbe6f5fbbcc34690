using FsCheck;
using FsCheck.Fluent;
using Wire.Transport.Pending;

namespace Wire.Transport.Tests.Pending;

/// <summary>
/// Whatever the order in which deliveries end, the broker is told of each exactly once, and only of those that have ended.
/// </summary>
public sealed class AckWindowTests
{
    [Fact]
    public void In_any_order_each_is_told_once_as_it_ended_and_none_that_has_not_or_was_dropped() => Prop.ForAll(
        Gen.Choose(0, 99).ListOf().Resize(400).ToArbitrary(),
        Gen.Choose(1, 40).ToArbitrary(),
        (steps, capacity) =>
        {
            var window = new AckWindow(capacity);
            var broker = new AckLedger();
            var open = new List<ulong>();
            ulong last = 0;
            foreach (int step in steps)
            {
                if (step < 45)
                {
                    window.Deliver(++last);
                    broker.Unacknowledged.Add(last);
                    open.Add(last);
                }
                else if (step < 90 && open.Count > 0)
                {
                    int index = step * 7919 % open.Count;
                    Settlement settlement = step < 75 ? Settlement.Ack : step < 80 ? Settlement.Reject : Settlement.Requeue;
                    window.Settle(open[index], settlement);
                    broker.Ended[open[index]] = settlement;
                    open.RemoveAt(index);
                }
                else if (step >= 98)
                {
                    window.Drop();
                    broker.Unacknowledged.Clear();
                    open.Clear();
                }
                else if (step >= 90)
                {
                    broker.Hear(Taken(window));
                }
            }

            broker.Hear(Taken(window));
            Assert.Equal(0, window.Ended);
            Assert.Equal(broker.Unacknowledged.Count, window.Open);
            Assert.DoesNotContain(broker.Unacknowledged, broker.Ended.ContainsKey);
        }).QuickCheckThrowOnFailure();

    [Fact]
    public void All_that_have_ended_go_with_one_notice()
    {
        var window = new AckWindow(4);
        for (ulong tag = 1; tag <= 100; tag++)
        {
            window.Deliver(tag);
        }

        for (ulong tag = 100; tag >= 1; tag--)
        {
            window.Settle(tag, Settlement.Ack);
        }

        Assert.Equal([new AckCommand(100, Settlement.Ack, Multiple: true)], Taken(window));
        Assert.Empty(Taken(window));
    }

    [Fact]
    public void What_has_ended_behind_one_that_has_not_goes_alone()
    {
        var window = new AckWindow(8);
        for (ulong tag = 1; tag <= 6; tag++)
        {
            window.Deliver(tag);
        }

        window.Settle(1, Settlement.Ack);
        window.Settle(2, Settlement.Reject);
        window.Settle(3, Settlement.Ack);
        window.Settle(5, Settlement.Ack);

        // The rejected one first: what is acknowledged up to 3 would take it along.
        Assert.Equal([
            new AckCommand(2, Settlement.Reject, false),
            new AckCommand(3, Settlement.Ack, true),
            new AckCommand(5, Settlement.Ack, false),
        ],
            Taken(window));
        window.Settle(4, Settlement.Ack);
        window.Settle(6, Settlement.Ack);
        Assert.Equal([new AckCommand(6, Settlement.Ack, true)], Taken(window));
    }

    [Fact]
    public void What_the_broker_wants_to_hear_nothing_of_is_passed_over_and_keeps_no_place()
    {
        var window = new AckWindow(2);
        for (ulong tag = 1; tag <= 1000; tag++)
        {
            window.Skip(tag);
        }

        window.Deliver(1001);
        window.Skip(1002);
        window.Deliver(1003);
        Assert.Equal((1003ul, 2), (window.Latest, window.Open));
        Assert.False(window.Settle(1000, Settlement.Ack));
        Assert.False(window.Settle(1002, Settlement.Ack));
        Assert.True(window.Settle(1001, Settlement.Ack));
        Assert.True(window.Settle(1003, Settlement.Ack));
        Assert.Equal([new AckCommand(1003, Settlement.Ack, true)], Taken(window));
        Assert.Throws<InvalidOperationException>(() => window.Skip(1005));
    }

    [Fact]
    public void Deliveries_end_once_by_themselves_or_with_all_up_to_one()
    {
        var window = new AckWindow(8);
        for (ulong tag = 1; tag <= 6; tag++)
        {
            window.Deliver(tag);
        }

        Assert.True(window.Settle(2, Settlement.Reject));
        Assert.False(window.Settle(2, Settlement.Ack));
        Assert.True(window.EndUpTo(3, Settlement.Ack));
        Assert.False(window.EndUpTo(3, Settlement.Requeue));
        Assert.Equal([new AckCommand(2, Settlement.Reject, false), new AckCommand(3, Settlement.Ack, true)], Taken(window));
        Assert.False(window.EndUpTo(7, Settlement.Ack));
        Assert.True(window.EndUpTo(0, Settlement.Ack));
        Assert.False(window.EndUpTo(0, Settlement.Ack));
        Assert.False(window.Settle(7, Settlement.Ack));
        Assert.Equal([new AckCommand(6, Settlement.Ack, true)], Taken(window));
    }

    [Fact]
    public void A_tag_that_is_not_the_next_one_is_refused()
    {
        var window = new AckWindow(8);
        window.Deliver(1);
        Assert.Throws<InvalidOperationException>(() => window.Deliver(3));
        Assert.Throws<InvalidOperationException>(() => window.Deliver(1));
    }

    private static List<AckCommand> Taken(AckWindow window)
    {
        List<AckCommand> notices = [];
        window.Drain(notices);
        return notices;
    }
}
