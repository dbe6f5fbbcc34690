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
    public void Retries_wait_twice_as_long_each_time_up_to_the_longest_and_a_little_less_at_random()
    {
        var policy = new DelayedRetryPolicy
        {
            MaxRetries = 6,
            Delay = TimeSpan.FromSeconds(10),
            MaxDelay = TimeSpan.FromSeconds(100),
            Jitter = 0.2,
        };
        int[] longest = [10, 20, 40, 80, 100, 100];
        for (int retry = 1; retry <= longest.Length; retry++)
        {
            TimeSpan delay = policy.DelayBefore(retry, new InvalidOperationException())!.Value;
            Assert.Equal(longest[retry - 1], delay.TotalSeconds);
            double[] jittered = [.. Enumerable.Range(0, 1000).Select(_ => policy.Jittered(delay).TotalSeconds)];
            Assert.All(jittered, each => Assert.InRange(each, delay.TotalSeconds * 0.8, delay.TotalSeconds));
            Assert.True(jittered.Max() - jittered.Min() > delay.TotalSeconds * 0.15);
        }

        Assert.Null(policy.DelayBefore(longest.Length + 1, new InvalidOperationException()));
        Assert.Equal([10, 20, 40, 80, 100], policy.Delays().Select(delay => delay.TotalSeconds));
        Assert.Equal([10, 20], (policy with { MaxRetries = 2 }).Delays().Select(delay => delay.TotalSeconds));
        Assert.Equal(TimeSpan.FromSeconds(7), (policy with { Jitter = 0 }).Jittered(TimeSpan.FromSeconds(7)));
    }

    [Fact]
    public void Each_exception_may_have_a_delay_of_its_own_or_none()
    {
        var policy = new DelayedRetryPolicy
        {
            Jitter = 0,
            DelayFor = e => e switch
            {
                TimeoutException => TimeSpan.FromSeconds(3),
                ArgumentException => TimeSpan.Zero,
                InvalidCastException => TimeSpan.FromSeconds(-1),
                _ => null,
            },
        };
        Assert.Equal(TimeSpan.FromSeconds(6), policy.DelayBefore(2, new TimeoutException()));
        Assert.Null(policy.DelayBefore(1, new ArgumentNullException()));
        Assert.Equal(TimeSpan.FromSeconds(20), policy.DelayBefore(2, new IOException()));
        Assert.Throws<ArgumentOutOfRangeException>(() => policy.DelayBefore(1, new InvalidCastException()));
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
                policy with { Jitter = -0.1 },
                policy with { Jitter = 0.6 },
                policy with { Jitter = double.NaN },
            },
            each => Assert.Throws<ArgumentOutOfRangeException>(
                () => (new WireConsumerOptions { Queue = "q" } with { Retry = new RetryPolicy { Delayed = each } }).Validate()));
        Assert.Throws<ArgumentOutOfRangeException>(() => new WireConsumerOptions { Queue = "q", MaxDeliveries = 0 }.Validate());
        new WireConsumerOptions { Queue = "q", MaxDeliveries = null, Retry = new RetryPolicy { Delayed = policy } }.Validate();
    }
}
