namespace Wire.RabbitMQ.Streams.Tests;

/// <summary>Options become the arguments that the broker knows, and those out of range are refused by name.</summary>
public sealed class StreamOptionsTests
{
    [Fact]
    public void Nothing_said_is_no_argument() => Assert.Empty(new StreamOptions().Arguments());

    [Fact]
    public void Each_has_its_argument() => Assert.Equal(
        new Dictionary<string, string>
        {
            ["max-age"] = "3600s",
            ["max-length-bytes"] = "10000000000",
            ["stream-max-segment-size-bytes"] = "500000",
            ["initial-cluster-size"] = "3",
            ["queue-leader-locator"] = "client-local",
        },
        new StreamOptions
        {
            MaxAge = TimeSpan.FromHours(1),
            MaxLengthBytes = 10_000_000_000,
            MaxSegmentBytes = 500_000,
            InitialClusterSize = 3,
            LeaderLocator = StreamLeaderLocator.ClientLocal,
        }.Arguments());

    [Fact]
    public void What_is_out_of_range_is_named()
    {
        (StreamOptions Options, string Name)[] wrong =
        [
            (new StreamOptions { MaxAge = TimeSpan.FromMilliseconds(999) }, nameof(StreamOptions.MaxAge)),
            (new StreamOptions { MaxLengthBytes = 0 }, nameof(StreamOptions.MaxLengthBytes)),
            (new StreamOptions { MaxSegmentBytes = 3_000_000_001 }, nameof(StreamOptions.MaxSegmentBytes)),
            (new StreamOptions { InitialClusterSize = 0 }, nameof(StreamOptions.InitialClusterSize)),
            (new StreamOptions { LeaderLocator = (StreamLeaderLocator)7 }, nameof(StreamOptions.LeaderLocator)),
        ];
        Assert.All(
            wrong, each => Assert.Equal(each.Name, Assert.Throws<ArgumentOutOfRangeException>(() => each.Options.Arguments()).ParamName));
    }

    [Fact]
    public void A_name_of_a_producer_is_counted_in_bytes()
    {
        Assert.NotNull(new StreamProducerOptions { Name = new string('n', 255) }.Validate());
        foreach (string wrong in (string[])["", new string('n', 256), new string('ä', 128)])
        {
            Assert.Equal(
                nameof(StreamProducerOptions.Name),
                Assert.Throws<ArgumentOutOfRangeException>(() => new StreamProducerOptions { Name = wrong }.Validate()).ParamName);
        }
    }
}
