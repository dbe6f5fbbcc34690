using Wire.Amqp.Transport;

namespace Wire.RabbitMQ.Streams.Tests.Testing;

/// <summary>The real broker that the tests run against, which the environment names (see eng/rabbitmq.sh).</summary>
internal static class Broker
{
    /// <summary>What to wait for something at most that always comes: longer than the slowest machine takes.</summary>
    public static TimeSpan Patience { get; } = TimeSpan.FromSeconds(60);

    /// <summary>How to connect to it.</summary>
    public static StreamClientOptions Options { get; } = new()
    {
        Endpoints = [new AmqpEndpoint("127.0.0.1", Port("WIRE_RABBITMQ_STREAM_PORT"))],
        Recovery = AmqpRecovery.Default with { FirstPause = TimeSpan.FromMilliseconds(20), LongestPause = TimeSpan.FromMilliseconds(500) },
    };

    /// <summary>A name that no other test has.</summary>
    public static string NewName(string what = "test") => $"wire-{what}-{Guid.NewGuid():N}";

    private static int Port(string variable) => int.TryParse(Environment.GetEnvironmentVariable(variable), out int port)
        ? port
        : throw new InvalidOperationException($"""{variable} is not set: start a broker with `eval "$(eng/rabbitmq.sh start)"`.""");
}
