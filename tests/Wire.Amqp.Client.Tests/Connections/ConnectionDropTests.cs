using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>How often a broker is called that takes everyone and drops them soon.</summary>
public sealed class ConnectionDropTests
{
    // It was called eight times a second.
    [Fact]
    public async Task A_broker_that_drops_everyone_soon_is_not_called_without_end()
    {
        int taken = 0;
        bool isOver = false;
        await using var broker = AmqpServers.Scripted(async (peer, _) =>
        {
            try
            {
                await peer.GreetAsync();
            }
            catch (IOException) when (Volatile.Read(ref isOver))
            {
                // The client has gone in the middle of it.
                return;
            }

            Interlocked.Increment(ref taken);
            await Task.Delay(120);
            peer.Reset();
        });
        await using AmqpConnection connection =
            await AmqpConnection.ConnectAsync(broker.Options() with { Recovery = RecoveryOptions.Default }).InTime();
        await Task.Delay(TimeSpan.FromSeconds(4));
        Volatile.Write(ref isOver, true);
        Assert.InRange(Volatile.Read(ref taken), 2, 12);
    }
}
