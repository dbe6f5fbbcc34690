using Wire.RabbitMQ.Streams.Tests.Testing;
using Wire.Testing;

namespace Wire.RabbitMQ.Streams.Tests.SuperStreams;

/// <summary>How many threads a consumer of a super stream with 100 partitions has.</summary>
[Collection(nameof(RunAlone))]
public sealed class ThreadCountTests
{
    private const string Super = "many";
    private const int Partitions = 100;

    // One for each partition, or as many as may be; and two for each connection, of which one is the client's own.
    [Theory]
    [InlineData(null, 4, Partitions, 26)]
    [InlineData(4, 100, 4, 2)]
    public async Task Threads_are_as_many_as_the_options_say(int? most, int perConnection, int handlers, int connections)
    {
        await using var server = new StrictStreamServer();
        foreach (int number in Enumerable.Range(0, Partitions))
        {
            server.Create($"s{number}");
            server.Append($"s{number}", ProducerStream.Body(number));
        }

        lock (server.Gate)
        {
            server.SuperStreams[Super] = [.. Enumerable.Range(0, Partitions).Select(number => ($"s{number}", $"{number}"))];
        }

        await using var client = new StreamClient(server.Options with { ConsumersPerConnection = perConnection });
        int left = Partitions;
        await using SuperStreamConsumer consumer = await client.ConsumeSuperStreamAsync(
            Super,
            _ =>
            {
                Interlocked.Decrement(ref left);
                return default;
            },
            new StreamConsumerOptions { Offset = StreamOffset.First, MaxConcurrency = most });
        await Until.HoldsAsync(() => Volatile.Read(ref left) == 0, "all messages");

        // Those of earlier tests may be ending.
        await Until.HoldsAsync(
            () => Threads("Streams, consum") is var found && found >= (most is null ? handlers : 1) && found <= handlers,
            $"{handlers} threads of handlers");
        await Until.HoldsAsync(
            () => Threads("Streams, from ") == connections && Threads("Streams, to ") == connections, "two threads for each connection");
    }

    // The system keeps the first 15 characters of a name.
    private static int Threads(string name) => Directory.GetDirectories("/proc/self/task")
        .Count(task => File.ReadAllText(Path.Combine(task, "comm")).StartsWith(name, StringComparison.Ordinal));
}
