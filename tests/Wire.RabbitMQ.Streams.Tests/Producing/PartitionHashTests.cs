using Wire.RabbitMQ.Streams.Producing;

namespace Wire.RabbitMQ.Streams.Tests.Producing;

/// <summary>The partitions that the clients of RabbitMQ's team choose for the same keys, as their tests state them.</summary>
public sealed class PartitionHashTests
{
    [Theory]
    [InlineData("hello1", 1)]
    [InlineData("hello2", 0)]
    [InlineData("hello3", 1)]
    [InlineData("hello4", 2)]
    [InlineData("hello10", 2)]
    [InlineData("hello88", 1)]
    public void Chooses_as_other_clients_do(string key, int partition) => Assert.Equal(partition, PartitionHash.Compute(key, 3));

    [Fact]
    public void A_long_key_is_hashed_as_a_whole()
    {
        string key = new('k', 10_000);
        int[] chosen = [.. Enumerable.Range(0, 64).Select(last => PartitionHash.Compute(key + last, 16)).Distinct()];
        Assert.InRange(chosen.Length, 8, 16);
    }
}
