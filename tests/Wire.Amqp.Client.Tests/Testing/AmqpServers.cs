using System.Net.Security;
using Wire.Amqp.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>How the client connects to servers of tests.</summary>
internal static class AmqpServers
{
    /// <summary>
    /// Who writes where a test does not say: there are two ways, and everything runs over the other one where that is asked for.
    /// </summary>
    public static FrameWriting Writing { get; } = Repository.IsAskedFor("WIRE_TEST_INLINE") ? FrameWriting.Inline : FrameWriting.Background;

    /// <summary>A server that does to each connection what a test says.</summary>
    public static LoopbackServer Scripted(Func<AmqpPeer, int, Task> serve, SslServerAuthenticationOptions? tls = null) =>
        new(connection => serve(new AmqpPeer(connection), connection.Number), tls);

    public static BrokerEndpoint Endpoint(this LoopbackServer server) => new("127.0.0.1", server.Port);

    /// <summary>Options to connect with, without recovery.</summary>
    public static AmqpConnectionOptions Options(this LoopbackServer server) =>
        new() { Endpoints = [server.Endpoint()], Recovery = RecoveryOptions.Off, Writing = Writing };

    /// <summary>Options to connect with, with recovery after short pauses.</summary>
    public static AmqpConnectionOptions Recovering(this LoopbackServer server) => server.Options() with
    {
        Recovery = new RecoveryOptions { FirstPause = TimeSpan.FromMilliseconds(5), LongestPause = TimeSpan.FromMilliseconds(50) },
    };

    /// <summary>Connects without recovery.</summary>
    public static Task<AmqpConnection> ConnectAsync(this AmqpServer server, Func<AmqpConnectionOptions, AmqpConnectionOptions>? with = null)
    {
        var options = new AmqpConnectionOptions
        {
            Endpoints = [new BrokerEndpoint("127.0.0.1", server.Port)],
            RequestedFrameMax = server.FrameMax,
            Writing = Writing,
            Recovery = RecoveryOptions.Off,
        };
        return AmqpConnection.ConnectAsync(with?.Invoke(options) ?? options);
    }
}
