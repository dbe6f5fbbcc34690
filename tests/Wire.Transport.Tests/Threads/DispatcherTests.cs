using System.Collections.Concurrent;
using Wire.Testing;
using Wire.Transport.Threads;

namespace Wire.Transport.Tests.Threads;

/// <summary>Items that run on the thread pool: how many at a time, in which order, and how that ends.</summary>
public sealed class DispatcherTests
{
    private static readonly AsyncLocal<int> Left = new();

    [Theory]
    [InlineData(1, 0)]
    [InlineData(3, 0)]
    [InlineData(1, 1)]
    [InlineData(3, 1)]
    [InlineData(3, 2)]
    public async Task All_run_and_never_more_at_a_time_than_may(int concurrency, int yields)
    {
        const int Count = 5000;
        int running = 0;
        int most = 0;
        ConcurrentQueue<int> begun = [];
        var done = new TaskCompletionSource();
        int ended = 0;
        var dispatcher = new Dispatcher<int>("test", concurrency, async item =>
        {
            begun.Enqueue(item);
            int now = Interlocked.Increment(ref running);
            for (int seen = most; now > seen && Interlocked.CompareExchange(ref most, now, seen) != seen; seen = most)
            {
            }

            // Some end where they began, and others elsewhere.
            for (int i = item % (yields + 1); i > 0; i--)
            {
                await Task.Yield();
            }

            Interlocked.Decrement(ref running);
            if (Interlocked.Increment(ref ended) == Count)
            {
                done.SetResult();
            }
        });
        for (int i = 0; i < Count; i++)
        {
            dispatcher.Add(i);
        }

        await done.Task.InTime();
        await dispatcher.DrainAsync().InTime();
        Assert.Equal(0, dispatcher.Running);
        Assert.InRange(most, 1, concurrency);
        Assert.Equal(Enumerable.Range(0, Count), concurrency == 1 ? begun : begun.Order());
    }

    [Fact]
    public async Task As_many_run_at_a_time_as_may_also_where_they_block()
    {
        using var entered = new CountdownEvent(3);
        using var leave = new ManualResetEventSlim();
        List<int> begun = [];
        var dispatcher = new Dispatcher<int>("test", 3, item =>
        {
            lock (begun)
            {
                begun.Add(item);
            }

            if (!entered.IsSet)
            {
                entered.Signal();
            }

            leave.Wait(Patience.Limit);
            return default;
        });
        for (int i = 0; i < 5; i++)
        {
            dispatcher.Add(i);
        }

        Assert.True(entered.Wait(Patience.Limit));
        Assert.Equal(3, dispatcher.Running);
        Task drained = dispatcher.DrainAsync();
        Assert.False(drained.IsCompleted);
        lock (begun)
        {
            Assert.Equal([0, 1, 2], begun.Order());
        }

        leave.Set();
        await drained.InTime();
        Assert.Equal([0, 1, 2, 3, 4], begun.Order());
    }

    [Theory]
    [InlineData(300, 4)]
    [InlineData(60, 17)]
    [InlineData(40, 50)]
    [InlineData(1100, 1)]
    public async Task Items_keep_the_thread_no_longer_than_one_long_item_may_unless_each_is_short(int microseconds, int firstOnPool)
    {
        const int Count = 50;
        var time = new HandTime();
        ConcurrentDictionary<int, bool> onPool = new();
        Dispatcher<int> dispatcher = null!;
        dispatcher = new Dispatcher<int>(
            "test",
            concurrency: 2,
            item =>
            {
                onPool[item] = Thread.CurrentThread.IsThreadPoolThread;
                if (!onPool[item] && item + 1 < Count)
                {
                    // What comes while this one runs, just before it ends.
                    time.Pass(TimeSpan.FromMicroseconds(microseconds));
                    dispatcher.Add(item + 1);
                }

                return default;
            },
            time: time);
        dispatcher.Add(0);

        await dispatcher.DrainAsync().InTime();
        Assert.Equal(Enumerable.Range(0, firstOnPool), onPool.Where(ran => !ran.Value).Select(ran => ran.Key).Order());
        Assert.Equal(firstOnPool < Count, onPool.GetValueOrDefault(firstOnPool));
    }

    [Fact]
    public async Task When_it_was_stopped_nothing_begins_and_what_waits_is_taken_back_in_its_order()
    {
        var entered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var leave = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int begun = 0;
        var dispatcher = new Dispatcher<string>("test", 1, async _ =>
        {
            begun++;
            entered.SetResult();
            await leave.Task;
        });
        foreach (string item in (string[])["a", "b", "c"])
        {
            dispatcher.Add(item);
        }

        await entered.Task.InTime();
        dispatcher.Stop();
        dispatcher.Add("d");
        Assert.Equal(["b", "c", "d"], dispatcher.TakeWaiting());
        Assert.Empty(dispatcher.TakeWaiting());
        dispatcher.Add("e");
        Task drained = dispatcher.DrainAsync();
        Assert.False(drained.IsCompleted);
        leave.SetResult();
        await drained.InTime();
        Assert.Equal((1, 0), (begun, dispatcher.Running));
        Assert.Equal(["e"], dispatcher.TakeWaiting());
        await dispatcher.DrainAsync().InTime();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_an_item_throws_is_told_and_the_next_one_runs(bool isAsynchronous)
    {
        ConcurrentQueue<(int, string?)> ended = [];
        var dispatcher = new Dispatcher<int>("test",
            1,
            item => isAsynchronous ? RunLaterAsync(item) : item % 2 == 0 ? default : throw new TimeoutException($"{item}"),
            (item, error) => ended.Enqueue((item, error?.Message)));
        for (int i = 0; i < 4; i++)
        {
            dispatcher.Add(i);
        }

        await dispatcher.DrainAsync().InTime();
        Assert.Equal([(0, null), (1, "1"), (2, null), (3, "3")], ended);

        static async ValueTask RunLaterAsync(int item)
        {
            await Task.Yield();
            if (item % 2 != 0)
            {
                throw new TimeoutException($"{item}");
            }
        }
    }

    [Fact]
    public async Task Nothing_flows_from_who_adds_an_item_or_from_one_to_the_next()
    {
        ConcurrentQueue<int> seen = [];
        Left.Value = 1;
        var dispatcher = new Dispatcher<int>("test", 1, item =>
        {
            seen.Enqueue(Left.Value + (SynchronizationContext.Current is null ? 0 : 1));
            Left.Value = 2;
            SynchronizationContext.SetSynchronizationContext(new SynchronizationContext());
            return default;
        });
        for (int i = 0; i < 100; i++)
        {
            dispatcher.Add(i);
        }

        await dispatcher.DrainAsync().InTime();
        Assert.Equal(100, seen.Count);
        Assert.All(seen, value => Assert.Equal(0, value));
        Assert.Equal(1, Left.Value);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task What_is_added_with_others_begins_with_them_and_one_is_to_say_when(int concurrency)
    {
        const string name = "began with others";
        ConcurrentQueue<int> begun = [];
        bool isOnThread = false;
        var dispatcher = new Dispatcher<int>(name, concurrency, item =>
        {
            if (item >= 0)
            {
                begun.Enqueue(item);
            }
            else
            {
                isOnThread = Thread.CurrentThread.Name == name;
            }

            return default;
        });
        for (int round = 0; round < 3; round++)
        {
            // Where the thread wakes late, the pool has done all before: it would begin what is added then, though nobody has said so.
            for (isOnThread = round == 0; !isOnThread; await dispatcher.DrainAsync().InTime())
            {
                dispatcher.Add(-1);
            }

            for (int i = 0; i < 10; i++)
            {
                Assert.Equal(i == 0, dispatcher.AddWithOthers((10 * round) + i));
            }

            Task drained = dispatcher.DrainAsync();
            Assert.Equal((10 * round, false), (begun.Count, drained.IsCompleted));
            dispatcher.BeginAdded();
            await drained.InTime();
            Assert.Equal(Enumerable.Range(0, 10 * (round + 1)), begun.Order());
        }
    }

    [Fact]
    public async Task Who_waits_for_the_end_of_what_waits_goes_on_when_it_was_stopped()
    {
        var dispatcher = new Dispatcher<int>("test", 1, _ => default);
        Assert.True(dispatcher.AddWithOthers(1));
        Task drained = dispatcher.DrainAsync();
        Assert.False(drained.IsCompleted);
        dispatcher.Stop();
        await drained.InTime();
        dispatcher.BeginAdded();
        Assert.Equal([1], dispatcher.TakeWaiting());
    }

    [Fact]
    public void Fewer_than_one_at_a_time_are_refused() =>
        Assert.Throws<ArgumentOutOfRangeException>(() => new Dispatcher<int>("test", 0, _ => default));

    private sealed class HandTime : TimeProvider
    {
        private long _now;

        public override long TimestampFrequency => TimeSpan.TicksPerSecond;

        public void Pass(TimeSpan time) => Interlocked.Add(ref _now, time.Ticks);

        public override long GetTimestamp() => Interlocked.Read(ref _now);
    }
}
