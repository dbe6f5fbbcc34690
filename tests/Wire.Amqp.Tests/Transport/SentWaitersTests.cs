using FsCheck;
using FsCheck.Fluent;
using Wire.Amqp.Client.Publishing;

namespace Wire.Amqp.Tests.Transport;

public sealed class SentWaitersTests
{
    [Fact]
    public void Each_is_told_when_its_mark_is_reached_whenever_it_has_come() => Prop.ForAll<PositiveInt[], PositiveInt[]>((marks, steps) =>
    {
        var waiters = default(SentWaiters);
        var told = new List<long>();
        foreach (PositiveInt mark in marks)
        {
            waiters.Add(new Waiter(told) { Mark = mark.Get });
        }

        long sent = 0;
        foreach (int step in steps.Select(step => step.Get).Append(int.MaxValue))
        {
            sent += step;
            waiters.TakeUpTo(sent).Complete(null);
            Assert.Equal(marks.Select(mark => (long)mark.Get).Where(mark => mark <= sent).Order(), told);
        }

        Assert.True(waiters.IsEmpty);
    }).QuickCheckThrowOnFailure();

    private sealed class Waiter(List<long> told) : SentWaiter
    {
        public override void Sent(Exception? error) => told.Add(Mark);
    }
}
