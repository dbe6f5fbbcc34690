using System.Collections.Concurrent;
using Wire.Amqp.Client.Tests.Testing;
using Wire.Amqp.V091;
using Wire.Testing;

namespace Wire.Amqp.Client.Tests.Topology;

/// <summary>
/// Declarations over which a broker closes the connection again and again, as RabbitMQ 4.3 may over an exchange that it has broken.
/// </summary>
public sealed class LeftOutTests
{
    [Fact]
    public async Task What_the_broker_closes_three_connections_over_is_left_out_and_the_rest_comes_back()
    {
        var lose = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int declared = 0, queues = 0;
        await using var broker = AmqpServers.Scripted(async (peer, number) =>
        {
            await peer.GreetAsync();
            while (true)
            {
                (ushort channel, MethodId? method) = await peer.NextMethodAsync();
                await peer.AnswerOpeningAsync(channel, method);
                switch (method)
                {
                    case MethodId.ExchangeDeclare when number == 0:
                        await peer.SendAsync(channel, default(ExchangeDeclareOk));
                        break;
                    case MethodId.ExchangeDeclare:
                        Interlocked.Increment(ref declared);
                        await peer.SendAsync(0, new ConnectionClose { ReplyCode = 541, ReplyText = "INTERNAL_ERROR" });
                        await peer.DrainAsync();
                        return;
                    case MethodId.QueueDeclare:
                        Interlocked.Increment(ref queues);
                        await peer.SendAsync(channel, new QueueDeclareOk { Queue = "queue" });
                        if (number == 0)
                        {
                            await lose.Task;
                            peer.Reset();
                            return;
                        }

                        break;
                    case MethodId.BasicPublish:
                        await peer.SendAsync(channel, new BasicAck { DeliveryTag = 1 });
                        break;
                    case MethodId.ChannelClose:
                        await peer.SendAsync(channel, default(ChannelCloseOk));
                        break;
                    case MethodId.ConnectionClose:
                        await peer.SendAsync(0, default(ConnectionCloseOk));
                        return;
                    case MethodId.ConnectionCloseOk:
                        return;
                }
            }
        });
        await using AmqpConnection connection = await AmqpConnection.ConnectAsync(broker.Recovering()).InTime();
        var recovered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        connection.Recovered += recovered.SetResult;
        ConcurrentQueue<Exception> told = [];
        connection.RecoveryFailed += told.Enqueue;
        AmqpChannel channel = await connection.OpenChannelAsync().InTime();
        await channel.Topology.DeclareExchangeAsync("broken").InTime();
        await channel.Topology.DeclareQueueAsync("queue").InTime();
        lose.SetResult();
        await recovered.Task.InTime();
        await channel.PublishBytesAsync(new BasicPublish { RoutingKey = "queue" }, default, "body"u8.ToArray()).AsTask().InTime();
        Assert.Equal((3, 2), (declared, queues));
        AmqpChannelException leftOut = Assert.Single(told.OfType<AmqpChannelException>());
        Assert.Equal(541, leftOut.Reason.ReplyCode);
        Assert.Contains("The exchange 'broken' could not be restored", leftOut.Message, StringComparison.Ordinal);
        Assert.Contains("3 connections", leftOut.Message, StringComparison.Ordinal);
        Assert.Equal(3, told.OfType<AmqpConnectionException>().Count());
    }
}
