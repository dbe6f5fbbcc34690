using System.Text;
using Wire.RabbitMQ.Streams.Producing;

namespace Wire.RabbitMQ.Streams.Tests.Producing;

public sealed class Murmur3Tests
{
    [Theory]
    [InlineData("", 0u, 0u)]
    [InlineData("", 1u, 0x514e28b7u)]
    [InlineData("", 0xffffffffu, 0x81f16f39u)]
    [InlineData("a", 0x9747b28cu, 0x7fa09ea6u)]
    [InlineData("aa", 0x9747b28cu, 0x5d211726u)]
    [InlineData("aaa", 0x9747b28cu, 0x283e0130u)]
    [InlineData("aaaa", 0x9747b28cu, 0x5a97808au)]
    [InlineData("Hello, world!", 0x9747b28cu, 0x24884cbau)]
    [InlineData("The quick brown fox jumps over the lazy dog", 0x9747b28cu, 0x2fa826cdu)]
    public void Hashes_as_the_published_vectors_say(string text, uint seed, uint expected) =>
        Assert.Equal(expected, PartitionHash.Murmur3(Encoding.UTF8.GetBytes(text), seed));
}
