using Wire.Transport.Pending;
using Wire.Transport.Threads;

namespace Wire.Transport.Tests.Pending;

/// <summary>One task, several who hold it: it ends once, and is used again when the last has let it go.</summary>
public sealed class PendingOperationTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task It_gives_its_result_once_and_is_used_again(bool isContended)
    {
        var operation = new Operation();
        for (int i = 0; i < 3; i++)
        {
            ValueTask<int> task = operation.Start(isContended);
            operation.Result = i;
            operation.Finish(null);
            Assert.Equal(0, operation.Recycled);
            Assert.Equal(i, await task);
            Assert.Equal(1, operation.Recycled);
            InvalidOperationException error = await Assert.ThrowsAsync<InvalidOperationException>(async () => await task);
            Assert.Contains("awaited once", error.Message, StringComparison.Ordinal);
            operation.Recycled = 0;
        }
    }

    [Fact]
    public async Task A_result_is_not_taken_before_it_is_there()
    {
        var operation = new Operation();
        ValueTask<int> task = operation.Start(isContended: false);
        Assert.Throws<InvalidOperationException>(() => operation.GetResult(operation.Token));
        operation.Finish(new TimeoutException());
        await Assert.ThrowsAsync<TimeoutException>(async () => await task);
        Assert.Equal(1, operation.Recycled);
    }

    [Fact]
    public async Task Cancelled_it_ends_at_once_and_stays_the_owners_until_that_has_let_go()
    {
        using var cancelling = new CancellationTokenSource();
        var operation = new Operation();
        ValueTask<int> task = operation.Start(isContended: false, cancelling.Token);
        await cancelling.CancelAsync();
        Assert.True(operation.IsAbandoned);
        Assert.True(operation.WasTold);
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await task);
        Assert.Equal(0, operation.Recycled);
        Assert.False(operation.TryClaim());
        operation.Finish(null);
        Assert.Equal(1, operation.Recycled);
    }

    [Fact]
    public async Task What_its_owner_has_claimed_is_not_cancelled()
    {
        using var cancelling = new CancellationTokenSource();
        var operation = new Operation();
        ValueTask<int> task = operation.Start(isContended: false, cancelling.Token);
        Assert.True(operation.TryClaim());
        await cancelling.CancelAsync();
        Assert.False(operation.IsAbandoned);
        Assert.False(operation.WasTold);
        operation.Result = 7;
        operation.Finish(null);
        Assert.Equal(7, await task);
        Assert.Equal(1, operation.Recycled);
    }

    [Fact]
    public async Task It_does_not_end_while_the_callers_memory_is_in_use()
    {
        using var cancelling = new CancellationTokenSource();
        var operation = new Operation();
        ValueTask<int> task = operation.Start(isContended: true, cancelling.Token);
        Assert.True(operation.TryHoldBuffer());
        Assert.True(operation.TryHoldBuffer());
        await cancelling.CancelAsync();
        Assert.True(operation.IsAbandoned);
        Assert.False(task.IsCompleted);
        Assert.False(operation.TryHoldBuffer());
        operation.ReleaseBuffer();
        Assert.False(task.IsCompleted);
        operation.ReleaseBuffer();
        Assert.True(task.IsCanceled);
        operation.Finish(null);
        await Assert.ThrowsAsync<OperationCanceledException>(async () => await task);
        Assert.Equal(1, operation.Recycled);
    }

    [Fact]
    public async Task Begun_with_the_callers_memory_it_does_not_end_before_that_is_released()
    {
        var operation = new Operation();
        ValueTask<int> task = operation.Start(isContended: true, holdsBuffer: true);
        operation.Result = 5;
        operation.Finish(null);
        Assert.False(task.IsCompleted);
        operation.ReleaseBuffer();
        Assert.Equal(5, await task);
        Assert.Equal(1, operation.Recycled);
    }

    [Fact]
    public async Task Memory_that_is_released_before_the_end_does_not_end_it()
    {
        var operation = new Operation();
        ValueTask<int> task = operation.Start(isContended: true, holdsBuffer: true);
        operation.ReleaseBuffer();
        Assert.False(task.IsCompleted);
        Assert.False(operation.IsAbandoned);
        operation.Result = 6;
        operation.Finish(null);
        Assert.Equal(6, await task);
        Assert.Equal(1, operation.Recycled);
    }

    [Fact]
    public async Task Many_who_settle_it_at_once_end_it_once()
    {
        for (int round = 0; round < 2000; round++)
        {
            using var cancelling = new CancellationTokenSource();
            var operation = new Operation();
            ValueTask<int> task = operation.Start(isContended: true, cancelling.Token);
            Task settled = Task.Run(() => operation.Settle(new TimeoutException()));
            Task finished = Task.Run(() => operation.Finish(null));
            Task cancelled = cancelling.CancelAsync();
            Exception? error = await Record.ExceptionAsync(async () => await task);
            Assert.True(error is null or TimeoutException or OperationCanceledException, $"{error}");
            await Task.WhenAll(settled, finished, cancelled);
            Assert.Equal(1, operation.Recycled);
        }
    }

    [Fact]
    public async Task The_last_that_is_awaited_goes_on_on_the_thread()
    {
        var thread = new WorkerThread("the last");
        Operation[] operations = [.. Enumerable.Range(0, 3).Select(_ => new Operation())];
        var queue = new OperationQueue<Operation>();
        Task<bool>[] awaiting = [.. operations.Select(operation => IsOn(operation.Start(isContended: false), thread))];
        foreach (Operation operation in operations)
        {
            queue.Add(operation);
        }

        Completion.Finish(ref queue, thread);
        bool[] onThread = await Task.WhenAll(awaiting);
        Assert.Equal([false, false, true], onThread);
        Assert.True(queue.IsEmpty);
        thread.Close();
    }

    [Fact]
    public async Task Those_that_nobody_awaits_yet_end_too()
    {
        Operation[] operations = [.. Enumerable.Range(0, 3).Select(_ => new Operation())];
        var queue = new OperationQueue<Operation>();
        ValueTask<int>[] tasks = [.. operations.Select(operation => operation.Start(isContended: false))];
        foreach (Operation operation in operations)
        {
            queue.Add(operation);
        }

        Completion.FinishHere(ref queue);
        Assert.True(queue.IsEmpty);
        Assert.All(tasks, task => Assert.True(task.IsCompletedSuccessfully));
        foreach (ValueTask<int> task in tasks)
        {
            await task;
        }

        Assert.All(operations, operation => Assert.Equal(1, operation.Recycled));
    }

    private static async Task<bool> IsOn(ValueTask<int> task, WorkerThread thread)
    {
        await task.ConfigureAwait(false);
        return thread.IsCurrent;
    }

    private sealed class Operation : PendingOperation<int>
    {
        public int Recycled { get; set; }

        public bool WasTold { get; private set; }

        public ValueTask<int> Start(bool isContended, CancellationToken cancellationToken = default) =>
            Start(isContended, holdsBuffer: false, cancellationToken);

        public ValueTask<int> Start(bool isContended, bool holdsBuffer, CancellationToken cancellationToken = default)
        {
            var task = new ValueTask<int>(this, Token);
            StartWaiting(isContended, holdsBuffer, cancellationToken);
            return task;
        }

        protected override void Cancelled() => WasTold = true;

        protected override void Recycle()
        {
            base.Recycle();
            Recycled++;
        }
    }
}
