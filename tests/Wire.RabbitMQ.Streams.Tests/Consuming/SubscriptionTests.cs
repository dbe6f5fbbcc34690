using Wire.RabbitMQ.Streams.Consuming;
using Wire.RabbitMQ.Streams.Links;
using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;
using Wire.Transport.Segments;

namespace Wire.RabbitMQ.Streams.Tests.Consuming;

/// <summary>What waits in a subscription, and what becomes of it.</summary>
public sealed class SubscriptionTests
{
    private readonly SegmentPool _pool = new();
    private int _delivered;

    [Fact]
    public async Task Hands_out_chunks_in_their_order_and_then_the_end()
    {
        await using var links = new FeedLink();
        var subscription = new Subscription(links.Link, new CreditWindow(4, 1 << 20), new OwnThread("test"));
        Assert.False(subscription.IsCompleted);
        for (int i = 0; i < 3; i++)
        {
            Deliver(subscription, i);
        }

        // There is something, and it is for the consumer's thread.
        Assert.False(subscription.IsCompleted);
        await subscription;
        Assert.True(subscription.IsCompleted);
        for (int i = 0; i < 3; i++)
        {
            Assert.Equal(SubscriptionWork.Chunk, subscription.TakeWork(out ReceivedChunk received, out _));
            Assert.Equal(i, received.Position);
            received.Segment.Release();
        }

        Assert.False(subscription.IsInterrupted);
        var reason = new IOException("gone");
        subscription.Ended(reason);
        Assert.True(subscription.IsInterrupted);
        Assert.Equal(SubscriptionWork.End, subscription.TakeWork(out _, out _));
        Assert.Same(reason, subscription.Reason);
        Assert.Equal(3, Free);
    }

    [Fact]
    public async Task Lets_go_of_what_waits_and_of_what_comes_when_it_ends()
    {
        await using var links = new FeedLink();
        var subscription = new Subscription(links.Link, new CreditWindow(4, 1 << 20), new OwnThread("test"));
        Deliver(subscription, 0);
        Deliver(subscription, 1);
        subscription.Stop();
        Assert.Equal(2, Free);
        Deliver(subscription, 2);
        Assert.Equal(3, Free);
        Assert.Equal(SubscriptionWork.End, subscription.TakeWork(out _, out _));

        // Whoever stops it does not want to hear why it would have ended.
        subscription.Ended(new IOException());
        Assert.Null(subscription.Reason);
    }

    [Fact]
    public async Task Puts_an_update_before_what_comes_later_and_drops_what_was_before()
    {
        await using var links = new FeedLink();
        var subscription = new Subscription(links.Link, new CreditWindow(4, 1 << 20), new OwnThread("test"));
        Deliver(subscription, 0);
        subscription.Update(7, isActive: false);
        Assert.Equal(1, Free);
        subscription.Update(8, isActive: true);
        Deliver(subscription, 1);
        Assert.True(subscription.IsInterrupted);
        Assert.Equal(SubscriptionWork.Update, subscription.TakeWork(out _, out ActiveUpdate update));
        Assert.Equal(new ActiveUpdate(7, false), update);
        Assert.True(subscription.IsInterrupted);
        Assert.Equal(SubscriptionWork.Update, subscription.TakeWork(out _, out update));
        Assert.Equal(new ActiveUpdate(8, true), update);
        Assert.False(subscription.IsInterrupted);
        Assert.Equal(SubscriptionWork.Chunk, subscription.TakeWork(out ReceivedChunk received, out _));
        Assert.Equal(1, received.Position);
    }

    [Fact]
    public async Task Pauses_end_with_an_interruption_and_later_ones_do_not()
    {
        await using var links = new FeedLink();
        var subscription = new Subscription(links.Link, new CreditWindow(4, 1 << 20), new OwnThread("test"));
        Task first = subscription.PauseAsync(TimeSpan.FromDays(1));
        Assert.False(first.IsCompleted);
        subscription.Update(7, isActive: false);
        await first.WaitAsync(Patience.Limit);
        Assert.True(subscription.PauseAsync(TimeSpan.FromDays(1)).IsCompleted);
        subscription.TakeWork(out _, out _);
        Task later = subscription.PauseAsync(TimeSpan.FromDays(1));
        Assert.False(later.IsCompleted);
        subscription.Stop();
        await later.WaitAsync(Patience.Limit);
    }

    [Fact]
    public async Task Goes_on_on_its_thread_when_something_comes()
    {
        await using var links = new FeedLink();
        var thread = new OwnThread("the thread of the test");
        var subscription = new Subscription(links.Link, new CreditWindow(4, 1 << 20), thread);
        var resumed = new TaskCompletionSource<string?>(TaskCreationOptions.RunContinuationsAsynchronously);
        subscription.UnsafeOnCompleted(() => resumed.SetResult(Thread.CurrentThread.Name));
        Assert.False(resumed.Task.IsCompleted);
        Deliver(subscription, 0);
        Assert.Equal("the thread of the test", await resumed.Task.WaitAsync(Patience.Limit));

        // At once where it has come meanwhile, and on the pool when the thread has ended.
        thread.Close();
        var again = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        subscription.UnsafeOnCompleted(again.SetResult);
        await again.Task.WaitAsync(Patience.Limit);
    }

    // What was delivered and is nobody's any more.
    private int Free => _delivered - _pool.Lent;

    private void Deliver(Subscription subscription, long position)
    {
        ReceiveSegment segment = _pool.Rent();
        segment.Reuse(position);
        segment.Lease();
        segment.ReleaseLoopShare();
        _delivered++;
        subscription.Deliver(default, position, segment);
    }

    private sealed class FeedLink : IAsyncDisposable
    {
        private readonly RecordedFeed _feed = new([], 0);

        public FeedLink() => Link = _feed.RentAsync(CancellationToken.None).Result;

        public StreamLink Link { get; }

        public async ValueTask DisposeAsync() => await _feed.ReturnAsync(Link);
    }
}
