using System.Runtime.CompilerServices;
using RabbitMQ.Client;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>
/// The broker that all tests share, which the environment names. None of them stops it or looks at what is not its own:
/// a test that stops a node is one of those of <see cref="PrivateNode"/>.
/// </summary>
internal static class Broker
{
    public static BrokerNode Node { get; } = new(Environment.GetEnvironmentVariable);

    public static Task<IConnection> ConnectAsync() => Node.Factory().CreateConnectionAsync();

    /// <summary>A name for a queue or exchange that nothing else has, and that says whose it is.</summary>
    public static string UniqueName([CallerMemberName] string test = "") => $"{test}-{Guid.NewGuid():N}";

    /// <summary>
    /// A queue that is gone with the connection. Not for one that is cut and recovers: the broker may not have noticed yet,
    /// and refuses the queue to the new connection. Such a test declares a durable queue, and deletes it at its end.
    /// </summary>
    public static async Task<string> DeclareQueueAsync(this IChannel channel, [CallerMemberName] string test = "")
    {
        string queue = UniqueName(test);
        await channel.QueueDeclareAsync(queue, durable: false, exclusive: true, autoDelete: false);
        return queue;
    }
}
