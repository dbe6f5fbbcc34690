using System.Runtime.CompilerServices;

namespace Wire.Testing;

/// <summary>
/// The broker that all tests share, which the environment names. None of them stops it or looks at what is not its own:
/// a test that stops a node has a <see cref="PrivateNode"/>.
/// </summary>
public static class Broker
{
    public static BrokerNode Node { get; } = new(Environment.GetEnvironmentVariable);

    /// <summary>The least frame that it takes, which RabbitMQ 4.1 has raised: a connection with a lesser one is cut.</summary>
    public static int LeastFrameMax => Node.Version < new Version(4, 1) ? 4096 : 8192;

    /// <summary>A name for a queue, an exchange or a stream that nothing else has, and that says whose it is.</summary>
    public static string UniqueName([CallerMemberName] string test = "") => $"{test}-{Guid.NewGuid():N}";
}
