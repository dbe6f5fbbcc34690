using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Connections;

/// <summary>A connection that is blocked by the first message on it, before all of its channels are open again.</summary>
public sealed class RestoringWhileBlockedTests
{
    [Fact]
    public async Task A_channel_that_is_not_open_yet_when_another_one_is_blocked_waits_and_the_connection_stays()
    {
        int connections = 0;
        var down = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            Interlocked.Increment(ref connections);
            if (number == 0)
            {
                await peer.GreetAsync();
                await peer.OpenChannelAsync();
                await peer.OpenChannelAsync();
                await peer.DrainAsync();
                return;
            }

            await down.Task;
            await peer.GreetAsync();
            ushort first = await peer.ExpectAsync<ChannelOpen>();
            ushort second = await peer.ExpectAsync<ChannelOpen>();
            await peer.SendAsync(first, default(ChannelOpenOk));
            await peer.AnswerAsync<BasicQos, BasicQosOk>();
            await peer.AnswerAsync<ConfirmSelect, ConfirmSelectOk>();
            await peer.PublishedAsync();
            await peer.SendAsync(0, new ConnectionBlocked { Reason = "low on memory" });
            await Task.Delay(2500);

            // What it was sent meanwhile is read now.
            await peer.SendAsync(0, default(ConnectionUnblocked));
            await peer.SendAsync(first, new BasicAck { DeliveryTag = 1 });
            await peer.SendAsync(second, default(ChannelOpenOk));
            await peer.AnswerAsync<ChannelClose, ChannelCloseOk>();
            ushort third = await peer.OpenChannelAsync();
            await peer.PublishedAsync();
            await peer.SendAsync(third, new BasicAck { DeliveryTag = 1 });
            await peer.CloseAsync();
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Recovering()).InTime();
        AmqpChannel[] channels = [await connection.OpenChannelAsync().InTime(), await connection.OpenChannelAsync().InTime()];
        connection.Link!.Lose(new IOException("Cut by the test."));
        var method = new BasicPublish { RoutingKey = "queue" };
        Task[] published = [.. channels.Select(channel => channel.PublishBytesAsync(method, default, new byte[3]).AsTask())];
        down.SetResult();
        foreach (Task task in published)
        {
            await task.InTime();
        }

        Assert.Equal(2, connections);
    }
}
