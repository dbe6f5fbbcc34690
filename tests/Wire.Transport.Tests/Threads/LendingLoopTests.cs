using System.Collections.Concurrent;
using Wire.Testing;
using Wire.Transport.Threads;

namespace Wire.Transport.Tests.Threads;

/// <summary>A loop that lends its thread between two rounds, and what becomes of it when that is kept.</summary>
public sealed class LendingLoopTests
{
    private static readonly TimeSpan TooLong = TimeSpan.FromMilliseconds(2);
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private readonly BlockingCollection<Func<LendingLoop, bool>> _rounds = [];
    private readonly StoppedTime _time = new();

    [Fact]
    public async Task Work_runs_on_the_thread_of_the_loop_before_the_next_round()
    {
        var ended = new TaskCompletionSource();
        var order = new ConcurrentQueue<(string What, Thread Thread)>();
        using LendingLoop loop = Begin();
        for (int i = 0; i < 3; i++)
        {
            _rounds.Add(lending =>
            {
                order.Enqueue(("round", Thread.CurrentThread));
                Assert.True(lending.TryLend(new Work(() => order.Enqueue(("work", Thread.CurrentThread)))));
                Assert.False(lending.TryLend(new Work(() => Assert.Fail("Only one runs after a round."))));
                return true;
            });
        }

        _rounds.Add(_ =>
        {
            ended.SetResult();
            return false;
        });
        await ended.Task.InTime();
        Assert.Equal(["round", "work", "round", "work", "round", "work"], order.Select(each => each.What));
        Assert.Single(order.Select(each => each.Thread).Distinct());
        Assert.Equal("test", order.First().Thread.Name);
    }

    [Fact]
    public async Task A_loop_whose_thread_is_kept_goes_on_on_another_and_lends_nothing_for_a_while()
    {
        using var leave = new ManualResetEventSlim();
        using LendingLoop loop = Begin();
        var threads = new ConcurrentBag<Thread>();
        Task kept = LendAsync(() => leave.Wait(Patience.Limit), threads);

        // The alarm looks by the clock of the machine, and asks this one whether that was too long.
        Task<bool> next = TryLendAsync(threads);
        await Task.Delay(TooLong);
        Assert.False(next.IsCompleted);
        while (!next.IsCompleted)
        {
            _time.Pass(TooLong);
            await Task.WhenAny(next, Task.Delay(1)).InTime();
        }

        Assert.False(await next.InTime());
        Assert.Equal(2, threads.Distinct().Count());
        Assert.False(kept.IsCompleted);

        // Who comes back late is not in the loop any more.
        leave.Set();
        await kept.InTime();
        _time.Pass(Pause);
        Assert.True(await TryLendAsync(threads).InTime());
        Assert.Equal(2, threads.Distinct().Count());
        await EndAsync();
    }

    [Fact]
    public async Task What_is_lent_in_the_last_round_runs()
    {
        var ran = new TaskCompletionSource();
        using LendingLoop loop = Begin();
        _rounds.Add(lending => !lending.TryLend(new Work(ran.SetResult)));
        await ran.Task.InTime();
    }

    private LendingLoop Begin()
    {
        LendingLoop? loop = null;
        loop = new LendingLoop("test", () => _rounds.Take()(loop!), _time);
        loop.Begin();
        return loop;
    }

    private Task LendAsync(Action work, ConcurrentBag<Thread> threads)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _rounds.Add(loop =>
        {
            threads.Add(Thread.CurrentThread);
            return loop.TryLend(new Work(() =>
            {
                work();
                ended.SetResult();
            }));
        });
        return ended.Task;
    }

    private Task<bool> TryLendAsync(ConcurrentBag<Thread> threads)
    {
        var asked = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        _rounds.Add(loop =>
        {
            threads.Add(Thread.CurrentThread);
            asked.SetResult(loop.TryLend(new Work(() => { })));
            return true;
        });
        return asked.Task;
    }

    private Task EndAsync()
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _rounds.Add(_ =>
        {
            ended.SetResult();
            return false;
        });
        return ended.Task.InTime();
    }

    private sealed class Work(Action run) : IThreadPoolWorkItem
    {
        public void Execute() => run();
    }
}
