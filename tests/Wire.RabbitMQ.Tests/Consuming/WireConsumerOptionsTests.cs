using System.Text;
using RabbitMQ.Client;
using Wire.RabbitMQ.Consuming;
using Wire.RabbitMQ.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Consuming;

/// <summary>What options are refused, before anything is consumed.</summary>
public sealed class WireConsumerOptionsTests
{
    public static TheoryData<string> Refused => [.. Bad.Keys];

    private static Dictionary<string, WireConsumerOptions> Bad { get; } = new()
    {
        ["no queue"] = Good with { Queue = "" },
        ["long queue"] = Good with { Queue = new string('q', 256) },
        ["queue whose error queue is too long"] = Good with { Queue = new string('q', 250) },
        ["no concurrency"] = Good with { MaxConcurrency = 0 },
        ["no multiplier"] = Good with { PrefetchMultiplier = 0 },
        ["prefetch that overflows"] = Good with { MaxConcurrency = 21_846 },
        ["prefetch that overflows an int"] = Good with { MaxConcurrency = int.MaxValue, PrefetchMultiplier = int.MaxValue },
        ["unlimited prefetch"] = Good with { PrefetchCount = 0 },
        ["error queue that is the queue"] = Good with { ErrorQueue = "q" },
        ["long error queue"] = Good with { ErrorQueue = new string('\u00e9', 128) },
        ["empty error queue"] = Good with { ErrorQueue = "" },
        ["window"] = Good with { DuplicateWindow = -1 },
        ["stop time-out"] = Good with { StopTimeout = TimeSpan.FromSeconds(-1) },
        ["delay"] = Good with { AckDelay = TimeSpan.FromDays(2) },
        ["tag"] = Good with { ConsumerTag = new string('t', 256) },
        ["action"] = Good with { OnFailure = (FailureAction)7 },
        ["attempts"] = Good with { Retry = new RetryPolicy { MaxAttempts = 0 } },
        ["pause"] = Good with { Retry = new RetryPolicy { Delay = TimeSpan.FromSeconds(-1) } },
        ["longest pause"] = Good with { Retry = new RetryPolicy { MaxDelay = TimeSpan.MaxValue } },
    };

    private static WireConsumerOptions Good => new() { Queue = "q" };

    [Theory]
    [MemberData(nameof(Refused))]
    public async Task What_is_out_of_range_is_refused(string what)
    {
        await using IConnection connection = await Broker.Node.ConnectAsync().InTime();
        Assert.ThrowsAny<ArgumentException>(() => new WireConsumer(connection.ToWireConnection(), Shop.Serializer, Bad[what]));
    }

    [Fact]
    public void Prefetch_is_what_is_said_or_the_product()
    {
        Assert.Equal(65_535, (Good with { MaxConcurrency = 21_845 }).EffectivePrefetch);
        Assert.Equal(65_535, (Good with { PrefetchCount = 65_535, MaxConcurrency = 1_000_000 }).EffectivePrefetch);
        Assert.Equal(1, (Good with { PrefetchCount = 1 }).EffectivePrefetch);
        (Good with { MaxConcurrency = 21_845 }).Validate();
        (Good with { PrefetchCount = 65_535, MaxConcurrency = 1_000_000 }).Validate();
        (Good with { Queue = new string('q', 255), ErrorQueue = Encoding.ASCII.GetString([101]) }).Validate();
    }

    [Fact]
    public void Pauses_double_up_to_the_longest()
    {
        RetryPolicy policy = RetryPolicy.Default;
        Assert.Equal(
            [0, 100, 200, 400, 800, 1600, 3200, 5000, 5000],
            Enumerable.Range(2, 9).Select(attempt => (int)policy.DelayBefore(attempt).TotalMilliseconds));
        Assert.Equal(TimeSpan.FromSeconds(5), policy.DelayBefore(int.MaxValue));
    }
}
