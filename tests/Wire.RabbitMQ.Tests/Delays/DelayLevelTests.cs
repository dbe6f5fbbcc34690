using Wire.Amqp.Client;
using Wire.RabbitMQ.Delays;

namespace Wire.RabbitMQ.Tests.Delays;

/// <summary>For which times there are delay queues, and how long a retry waits.</summary>
public sealed class DelayLevelTests
{
    [Fact]
    public void Each_delay_has_a_queue_that_is_at_most_a_third_longer_and_there_are_few()
    {
        var random = new Random(4711);
        var levels = new HashSet<DelayLevel>();
        for (int i = 0; i < 100_000; i++)
        {
            var delay = TimeSpan.FromMilliseconds(100 * Math.Pow(DelayLevel.Longest.TotalMilliseconds / 100, random.NextDouble()));
            var level = DelayLevel.Of(delay);
            levels.Add(level);
            Assert.InRange(level.Milliseconds, delay.TotalMilliseconds, (delay.TotalMilliseconds + 1) * 4 / 3);
        }

        Assert.InRange(levels.Count, 70, 80);
        Assert.Equal(levels.Count, levels.Select(level => level.QueueFor("q")).Distinct().Count());
        Assert.InRange(DelayLevel.Of(DelayLevel.Longest).Milliseconds, 1, uint.MaxValue);
    }

    [Theory]
    [InlineData(0.5, 1, "q.delay.100ms")]
    [InlineData(100, 100, "q.delay.100ms")]
    [InlineData(100.5, 101, "q.delay.125ms")]
    [InlineData(950, 950, "q.delay.1s")]
    [InlineData(1001, 1001, "q.delay.1250ms")]
    [InlineData(10_000, 10_000, "q.delay.10s")]
    [InlineData(3_600_000, 3_600_000, "q.delay.4000s")]
    public void A_queue_is_named_after_its_time(double milliseconds, long whole, string name)
    {
        var delay = TimeSpan.FromMilliseconds(milliseconds);
        Assert.Equal((whole, name), (DelayLevel.InMilliseconds(delay), DelayLevel.Of(delay).QueueFor("q")));
    }

    [Fact]
    public void Retries_wait_twice_as_hourseach_time_up_to_the_longest_and_are_spread_over_four_queues()
    {
        var policy = new DelayedRetryPolicy
        {
            MaxRetries = 6,
            Delay = TimeSpan.FromSeconds(10),
            MaxDelay = TimeSpan.FromSeconds(100),
            Jitter = 0.3,
        };
        int[] longest = [10, 20, 40, 80, 100, 100];
        for (int retry = 1; retry <= longest.Length; retry++)
        {
            Wait[] waits = [.. Enumerable.Range(0, 1000).Select(_ => policy.WaitBefore(retry, new InvalidOperationException())!.Value)];
            Assert.All(waits, wait => Assert.Equal(wait.Level.Milliseconds, wait.Time.TotalMilliseconds));
            Assert.Equal(
                new[] { 0.7, 0.8, 0.9, 1 }.Select(share => (long)Math.Round(longest[retry - 1] * share * 1000)).Order(),
                waits.Select(wait => wait.Level.Milliseconds).Distinct().Order());
            Assert.All(waits, wait => Assert.Contains(wait.Level, policy.Levels()));
            Assert.All(waits.GroupBy(wait => wait.Level), group => Assert.InRange(group.Count(), 150, 350));
        }

        Assert.Null(policy.WaitBefore(longest.Length + 1, new InvalidOperationException()));
        Assert.Equal(5 * 4, policy.Levels().Count());
        Assert.Equal(
            [10_000, 20_000], (policy with { MaxRetries = 2, Jitter = 0 }).Levels().Select(level => level.Milliseconds));
    }

    [Fact]
    public void Each_exception_may_have_a_delay_of_its_own_or_none()
    {
        var policy = new DelayedRetryPolicy
        {
            Jitter = 0.5,
            DelayFor = e => e switch
            {
                TimeoutException => TimeSpan.FromSeconds(3.5),
                ArgumentException => TimeSpan.Zero,
                InvalidCastException => TimeSpan.FromSeconds(-1),
                _ => null,
            },
        };
        Assert.Equal(new Wait(new DelayLevel(8000), TimeSpan.FromSeconds(7)), policy.WaitBefore(2, new TimeoutException()));
        var hours = TimeSpan.FromHours(2);
        Assert.Equal(hours, (policy with { DelayFor = _ => hours }).WaitBefore(3, new IOException())!.Value.Time);
        Assert.Null(policy.WaitBefore(1, new ArgumentNullException()));
        Assert.Equal(
            Wait.InQueueOf(TimeSpan.FromSeconds(20)), (policy with { Jitter = 0 }).WaitBefore(2, new IOException()));
        Assert.Throws<ArgumentOutOfRangeException>(() => policy.WaitBefore(1, new InvalidCastException()));
    }

    [Fact]
    public void Options_out_of_range_are_refused()
    {
        DelayedRetryPolicy policy = DelayedRetryPolicy.Default;
        Assert.All(
            new[]
            {
                policy with { MaxRetries = 0 },
                policy with { Delay = TimeSpan.Zero },
                policy with { MaxDelay = TimeSpan.FromDays(25) },
                policy with { MaxDelay = TimeSpan.FromSeconds(9) },
                policy with { Jitter = -0.1 },
                policy with { Jitter = 0.6 },
                policy with { Jitter = double.NaN },
            },
            each => Assert.Throws<ArgumentOutOfRangeException>(
                () => (new WireConsumerOptions { Queue = "q" } with { Retry = new RetryPolicy { Delayed = each } }).Validate()));
        Assert.Throws<ArgumentOutOfRangeException>(() => new WireConsumerOptions { Queue = "q", MaxDeliveries = 0 }.Validate());
        var delayed = new RetryPolicy { Delayed = policy };
        Assert.All(
            new WireConsumerOptions[]
            {
                new() { Queue = "amq.gen-1", Retry = delayed, ErrorQueue = "e" },
                new() { Queue = "q", Retry = delayed, QueueOptions = AmqpQueueOptions.Temporary },
                new() { Queue = "q", Retry = delayed, QueueOptions = new AmqpQueueOptions { AutoDelete = true } },
                new() { Queue = new string('q', 240), Retry = delayed },
            },
            each => Assert.Throws<ArgumentException>(each.Validate));
        new WireConsumerOptions { Queue = "q", MaxDeliveries = null, Retry = new RetryPolicy { Delayed = policy } }.Validate();
    }
}
