using System.Collections.Concurrent;
using Wire.Testing;
using Wire.Transport.Sockets;
using Wire.Transport.Threads;

namespace Wire.Transport.Tests.Threads;

/// <summary>Timers that need no thread of the pool.</summary>
public sealed class AlarmTimeTests
{
    [Fact]
    public async Task A_timer_ticks_beside_the_pool_until_it_is_disposed_of()
    {
        ConcurrentQueue<bool> ticks = [];
        var third = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        ITimer timer = AlarmTime.Instance.CreateTimer(
            state =>
            {
                Assert.Equal("state", state);
                ticks.Enqueue(Thread.CurrentThread.IsThreadPoolThread);
                if (ticks.Count == 3)
                {
                    third.SetResult();
                }
            },
            "state",
            TimeSpan.FromMilliseconds(5),
            TimeSpan.FromMilliseconds(5));
        await third.Task.InTime();
        await timer.DisposeAsync();
        Assert.False(timer.Change(TimeSpan.Zero, TimeSpan.Zero));

        // One may have been under way.
        await Task.Delay(20);
        int count = ticks.Count;
        await Task.Delay(50);
        Assert.Equal(count, ticks.Count);
        Assert.DoesNotContain(true, ticks);
    }

    [Fact]
    public async Task A_timer_that_was_changed_rings_once_where_it_has_no_period()
    {
        int rung = 0;
        using ITimer timer = AlarmTime.Instance.CreateTimer(
            _ => Interlocked.Increment(ref rung), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        await Task.Delay(20);
        Assert.Equal(0, rung);
        Assert.True(timer.Change(TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan));
        while (Volatile.Read(ref rung) == 0)
        {
            await Task.Delay(1);
        }

        await Task.Delay(20);
        Assert.Equal(1, rung);
    }

    [Fact]
    public async Task A_timer_ticks_while_an_alarm_waits_for_a_lock()
    {
        // As where an object is serialized under it that takes its time.
        using var serialized = new ManualResetEventSlim();
        var rings = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var alarm = new Alarm(() =>
        {
            rings.SetResult();
            serialized.Wait();
        });
        alarm.RingAfter(TimeSpan.FromMilliseconds(1));
        await rings.Task.InTime();
        var ticked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using ITimer timer = AlarmTime.Instance.CreateTimer(
            _ => ticked.TrySetResult(), null, TimeSpan.FromMilliseconds(1), Timeout.InfiniteTimeSpan);
        Task first = await Task.WhenAny(ticked.Task, Task.Delay(TimeSpan.FromSeconds(2)));
        serialized.Set();
        Assert.Same(ticked.Task, first);
    }

    [Fact]
    public async Task Heartbeats_are_asked_for_beside_the_pool()
    {
        var sent = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var heartbeats = new Heartbeats(
            TimeSpan.FromMilliseconds(40), () => sent.TrySetResult(Thread.CurrentThread.IsThreadPoolThread), () => { }, AlarmTime.Instance);
        Assert.False(await sent.Task.InTime());
    }
}
