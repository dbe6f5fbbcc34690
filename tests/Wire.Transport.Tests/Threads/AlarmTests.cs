using System.Collections.Concurrent;
using System.Diagnostics;
using Wire.Testing;
using Wire.Transport.Threads;

namespace Wire.Transport.Tests.Threads;

/// <summary>Alarms ring once for each time that they are set, not before their time, and all on one thread.</summary>
public sealed class AlarmTests
{
    [Fact]
    public async Task Each_rings_once_in_the_order_of_the_times_and_never_early()
    {
        const int Count = 200;
        ConcurrentQueue<(int Alarm, TimeSpan After, int Thread)> rung = [];
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        long begin = Stopwatch.GetTimestamp();
        var random = new Random(1);
        TimeSpan[] delays = [.. Enumerable.Range(0, Count).Select(_ => TimeSpan.FromMilliseconds(random.Next(300)))];
        Alarm[] alarms = [.. Enumerable.Range(0, Count).Select(i => new Alarm(() =>
        {
            rung.Enqueue((i, Stopwatch.GetElapsedTime(begin), Environment.CurrentManagedThreadId));
            if (rung.Count == Count)
            {
                all.SetResult();
            }
        }))];
        for (int i = 0; i < Count; i++)
        {
            alarms[i].RingAfter(delays[i]);
            alarms[i].RingAfter(TimeSpan.Zero);
        }

        await all.Task.InTime();

        // What would ring a second time has by now.
        await Task.Delay(50);
        Assert.Equal(Enumerable.Range(0, Count), rung.Select(ring => ring.Alarm).Order());
        Assert.All(rung, ring => Assert.True(ring.After >= delays[ring.Alarm], $"{ring.After} is before {delays[ring.Alarm]}."));
        Assert.Single(rung.Select(ring => ring.Thread).Distinct());
        Array.ForEach(alarms, alarm => alarm.Dispose());
    }

    [Fact]
    public async Task It_can_be_set_again_when_it_rings_and_a_nearer_one_does_not_wait_for_a_later_one()
    {
        using var far = new Alarm(() => Assert.Fail("It is not a day yet."));
        far.RingAfter(TimeSpan.FromDays(1));
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int count = 0;
        Alarm? own = null;
        using var alarm = new Alarm(() =>
        {
            if (++count == 20)
            {
                done.SetResult();
                return;
            }

            own!.RingAfter(TimeSpan.FromMilliseconds(count % 3));
        });
        own = alarm;
        alarm.RingAfter(TimeSpan.FromMilliseconds(1));
        await done.Task.InTime();
        Assert.Equal(20, count);
    }

    [Fact]
    public async Task After_it_was_disposed_of_it_does_not_ring()
    {
        int count = 0;
        var alarm = new Alarm(() => count++);
        alarm.RingAfter(TimeSpan.FromMilliseconds(20));
        alarm.Dispose();
        alarm.RingAfter(TimeSpan.Zero);
        var later = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var other = new Alarm(later.SetResult);
        other.RingAfter(TimeSpan.FromMilliseconds(60));
        await later.Task.InTime();
        Assert.Equal(0, count);
    }

    [Fact]
    public async Task What_was_changed_before_it_was_set_is_seen_when_it_rings()
    {
        const int Count = 100_000;
        var gate = new Lock();
        int waiting = 0;
        int seen = 0;
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var alarm = new Alarm(() =>
        {
            lock (gate)
            {
                seen += waiting;
                waiting = 0;
                if (seen == Count)
                {
                    all.TrySetResult();
                }
            }
        });
        await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(() =>
        {
            for (int i = 0; i < Count / 4; i++)
            {
                lock (gate)
                {
                    waiting++;
                    alarm.RingAfter(TimeSpan.FromTicks(i % 7));
                }
            }
        }))).InTime();
        await all.Task.InTime();
    }
}
