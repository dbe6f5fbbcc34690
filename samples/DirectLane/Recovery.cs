using Wire.Amqp.Client;
using Wire.Transport;

namespace Parcels;

/// <summary>What happens when the connection is lost.</summary>
internal static class Recovery
{
    public static async Task RunAsync(AmqpConnectionOptions options, string queue)
    {
        BrokerEndpoint broker = options.Endpoints[0];
        using var relay = new Relay(broker.Host, broker.Port);
        var lost = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        options = options with { Endpoints = [new BrokerEndpoint("localhost", relay.Port)] };

        #region recovery
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(options with
        {
            Recovery = RecoveryOptions.Default with { ResendUnconfirmed = true },
        });
        connection.Lost += error =>
        {
            Console.WriteLine($"  {error.Message}");
            lost.SetResult();
        };
        connection.RecoveryFailed += error => Console.WriteLine($"  not yet: {error.Message}");
        connection.Blocked +=
            reason => Console.WriteLine(reason is null ? "  the broker takes messages again" : $"  the broker takes none: {reason}");
        connection.Recovered += () =>
        {
            Console.WriteLine("  it is back, and with it its channels and what was declared");
            back.SetResult();
        };
        #endregion

        AmqpChannel channel = await connection.OpenChannelAsync();
        await channel.PublishAsync("", queue, new ParcelSent(1, "Ada", 2.5));
        relay.Cut();
        await lost.Task;
        await channel.PublishAsync("", queue, new ParcelSent(2, "Ada", 2.5)); // waits until the connection is back
        await back.Task;
        Console.WriteLine($"  {await channel.Topology.PurgeQueueAsync(queue)} messages are in the queue");
    }
}
