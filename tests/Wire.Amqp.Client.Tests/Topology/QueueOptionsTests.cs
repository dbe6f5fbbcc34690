using Wire.Amqp.Client.Tests.Testing;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Topology;

/// <summary>The options of queues are the broker's arguments of the same meaning.</summary>
public sealed class QueueOptionsTests
{
    private static readonly AmqpQueueOptions Classic = new()
    {
        Type = AmqpQueueType.Classic,
        MessageTtl = TimeSpan.FromMilliseconds(1.5),
        Expires = TimeSpan.FromMinutes(1),
        MaxLength = 0,
        MaxLengthBytes = 1L << 33,
        Overflow = AmqpOverflow.RejectPublishToDeadLetters,
        MaxPriority = 5,
        SingleActiveConsumer = true,
        DeadLetterExchange = "amq.direct",
        DeadLetterRoutingKey = "dead",
    };

    private static readonly AmqpQueueOptions Quorum = AmqpQueueOptions.Quorum with
    {
        MessageTtl = TimeSpan.FromDays(49),
        Expires = TimeSpan.FromMinutes(1),
        MaxLength = 1000,
        Overflow = AmqpOverflow.RejectPublish,
        SingleActiveConsumer = true,
        DeliveryLimit = 3,
        DeadLetterExchange = "",
        DeadLetterRoutingKey = "dead",
        DeadLettersAtLeastOnce = true,
    };

    private static readonly AmqpQueueOptions Stream = new()
    {
        Type = AmqpQueueType.Stream,
        MaxLengthBytes = 1_000_000,
        MaxAge = TimeSpan.FromHours(1.5),
        MaxSegmentBytes = 100_000,
    };

    private static readonly Dictionary<string, object?> ClassicArguments = new()
    {
        ["x-queue-type"] = "classic",
        ["x-message-ttl"] = 2,
        ["x-expires"] = 60_000,
        ["x-max-length"] = 0,
        ["x-max-length-bytes"] = 1L << 33,
        ["x-overflow"] = "reject-publish-dlx",
        ["x-max-priority"] = 5,
        ["x-single-active-consumer"] = true,
        ["x-dead-letter-exchange"] = "amq.direct",
        ["x-dead-letter-routing-key"] = "dead",
    };

    private static readonly Dictionary<string, object?> QuorumArguments = new()
    {
        ["x-queue-type"] = "quorum",
        ["x-message-ttl"] = 49L * 24 * 3600 * 1000,
        ["x-expires"] = 60_000,
        ["x-max-length"] = 1000,
        ["x-overflow"] = "reject-publish",
        ["x-single-active-consumer"] = true,
        ["x-delivery-limit"] = 3,
        ["x-dead-letter-exchange"] = "",
        ["x-dead-letter-routing-key"] = "dead",
        ["x-dead-letter-strategy"] = "at-least-once",
    };

    private static readonly Dictionary<string, object?> StreamArguments = new()
    {
        ["x-queue-type"] = "stream",
        ["x-max-length-bytes"] = 1_000_000,
        ["x-max-age"] = "5400s",
        ["x-stream-max-segment-size-bytes"] = 100_000,
    };

    public static TheoryData<AmqpQueueType> Types { get; } = [.. Enum.GetValues<AmqpQueueType>()];

    // The broker compares the second declaration with the first, argument by argument.
    [Theory]
    [MemberData(nameof(Types))]
    public async Task A_queue_is_the_same_by_properties_and_by_arguments(AmqpQueueType type)
    {
        (AmqpQueueOptions options, Dictionary<string, object?> arguments) = type switch
        {
            AmqpQueueType.Classic => (Classic, ClassicArguments),
            AmqpQueueType.Quorum => (Quorum, QuorumArguments),
            _ => (Stream, StreamArguments),
        };
        await using TestChannel tested = await TestChannel.OpenAsync();
        string queue = Broker.UniqueName();
        try
        {
            await tested.Channel.Topology.DeclareQueueAsync(queue, options).InTime();
            await tested.Channel.Topology.DeclareQueueAsync(queue, new AmqpQueueOptions { Arguments = arguments }).InTime();
            Assert.Equal(
                arguments.Keys.Order(StringComparer.Ordinal), options.AllArguments()!.Keys.Order(StringComparer.Ordinal));
        }
        finally
        {
            await tested.Channel.Topology.DeleteQueueAsync(queue).InTime();
        }
    }

    [Fact]
    public void Without_any_there_are_no_arguments_and_others_stay()
    {
        Assert.Null(AmqpQueueOptions.Default.AllArguments());
        var own = new Dictionary<string, object?> { ["x-queue-version"] = 2 };
        Assert.Same(own, new AmqpQueueOptions { Arguments = own }.AllArguments());
        Assert.Equal(
            new Dictionary<string, object?> { ["x-queue-version"] = 2, ["x-max-length"] = 3L },
            new AmqpQueueOptions { Arguments = own, MaxLength = 3 }.AllArguments());
        Assert.Single(own);
    }

    [Fact]
    public void What_is_set_twice_or_out_of_range_is_refused()
    {
        var own = new Dictionary<string, object?> { ["x-max-length"] = 3 };
        ArgumentException error =
            Assert.Throws<ArgumentException>(() => new AmqpQueueOptions { Arguments = own, MaxLength = 3 }.AllArguments());
        Assert.Contains(
            "needs Overflow",
            Assert.Throws<ArgumentException>(() => (AmqpQueueOptions.Quorum with { DeadLettersAtLeastOnce = true }).AllArguments()).Message,
            StringComparison.Ordinal);
        Assert.Contains("'x-max-length' of the queue is set twice: by MaxLength", error.Message, StringComparison.Ordinal);
        AmqpQueueOptions[] wrong =
        [
            new() { MessageTtl = TimeSpan.FromMilliseconds(-1) }, new() { MessageTtl = TimeSpan.FromDays(50) },
            new() { Expires = TimeSpan.Zero }, new() { MaxLength = -1 }, new() { MaxLengthBytes = -1 }, new() { MaxPriority = 0 },
            new() { DeliveryLimit = -2 }, new() { MaxAge = TimeSpan.Zero }, new() { MaxSegmentBytes = 0 },
            new() { Type = (AmqpQueueType)3 }, new() { Overflow = (AmqpOverflow)3 },
        ];
        Assert.All(wrong, options => Assert.Throws<ArgumentOutOfRangeException>(() => options.AllArguments()));
    }
}
