using System.Net;
using System.Net.Sockets;
using System.Text;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>The faults that other tests rely on, as the client and the broker see them.</summary>
public sealed class FaultProxyTests
{
    private static readonly CreateChannelOptions Confirmed =
        new(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: true);

    [Theory]
    [InlineData(Cut.Finish)]
    [InlineData(Cut.Reset)]
    public async Task What_is_cut_comes_back_and_publishes_and_consumes_as_before(Cut how)
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using IConnection connection = await proxy.Route(Broker.Node.Factory()).CreateConnectionAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync(Confirmed).InTime();
        (Task<ShutdownEventArgs> lost, Task recovered) = connection.Watch();

        string queue = Broker.UniqueName();
        await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false).InTime();
        TaskCompletionSource<string> delivered = new(TaskCreationOptions.RunContinuationsAsynchronously);
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += (_, delivery) =>
        {
            delivered.TrySetResult(Encoding.UTF8.GetString(delivery.Body.Span));
            return Task.CompletedTask;
        };
        await channel.BasicConsumeAsync(queue, autoAck: true, consumer).InTime();

        await PublishAsync(channel, queue, "before");
        Assert.Equal("before", await delivered.Task.InTime());
        Assert.Equal(1, proxy.Accepted);
        Assert.True(proxy.ToBroker.Bytes > 0 && proxy.ToClient.Bytes > 0);

        delivered = new(TaskCreationOptions.RunContinuationsAsynchronously);
        Assert.Equal(1, proxy.CutAll(how));

        ShutdownEventArgs reason = await lost.InTime();
        Assert.Equal(ShutdownInitiator.Library, reason.Initiator);
        Assert.Equal(how == Cut.Finish, reason.Exception is EndOfStreamException);
        await recovered.InTime();
        Assert.True(proxy.Accepted >= 2);
        await PublishAsync(channel, queue, "after");
        Assert.Equal("after", await delivered.Task.InTime());
        await channel.QueueDeleteAsync(queue).InTime();
    }

    [Fact]
    public async Task While_it_refuses_no_connection_is_made_and_those_that_are_there_stay()
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using IConnection connection = await proxy.Route(Broker.Node.Factory()).CreateConnectionAsync().InTime();

        proxy.Refusing = true;
        await Assert.ThrowsAsync<BrokerUnreachableException>(() => proxy.Route(Broker.Node.Factory()).CreateConnectionAsync().InTime());
        await using IChannel channel = await connection.CreateChannelAsync().InTime();
        Assert.Equal(1, proxy.Accepted);

        proxy.Refusing = false;
        await using IConnection another = await proxy.Route(Broker.Node.Factory()).CreateConnectionAsync().InTime();
        Assert.Equal(2, proxy.Accepted);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task While_a_direction_is_paused_a_message_or_its_confirmation_stays_under_way(bool toBroker)
    {
        await using var proxy = new FaultProxy(Broker.Node.Uri);
        await using IConnection through = await proxy.Route(Broker.Node.Factory()).CreateConnectionAsync().InTime();
        await using IChannel publishing = await through.CreateChannelAsync(Confirmed).InTime();
        await using IConnection direct = await Broker.Node.ConnectAsync().InTime();
        await using IChannel watching = await direct.CreateChannelAsync().InTime();
        string queue = await watching.DeclareQueueAsync();
        var delivered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var consumer = new AsyncEventingBasicConsumer(watching);
        consumer.ReceivedAsync += (_, _) =>
        {
            delivered.TrySetResult();
            return Task.CompletedTask;
        };
        await watching.BasicConsumeAsync(queue, autoAck: true, consumer).InTime();

        ProxyDirection paused = toBroker ? proxy.ToBroker : proxy.ToClient;
        paused.Pause();
        long bytes = paused.Bytes;
        Task published = PublishAsync(publishing, queue, "slow");
        if (toBroker)
        {
            // Twice there and back on the other connection: time enough for a message that would not be held back.
            await watching.QueueDeclarePassiveAsync(queue).InTime();
            await watching.QueueDeclarePassiveAsync(queue).InTime();
            Assert.False(delivered.Task.IsCompleted);
        }
        else
        {
            await delivered.Task.InTime();
        }

        Assert.False(published.IsCompleted);
        Assert.Equal(bytes, paused.Bytes);

        paused.Resume();
        await published.InTime();
        await delivered.Task.InTime();
        Assert.True(paused.Bytes > bytes);
    }

    [Theory]
    [InlineData(true, Cut.Finish)]
    [InlineData(true, Cut.Reset)]
    [InlineData(false, Cut.Finish)]
    [InlineData(false, Cut.Reset)]
    public async Task It_cuts_after_exactly_so_many_bytes_and_each_end_sees_how(bool toBroker, Cut how)
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        await using var proxy = new FaultProxy(new Uri($"amqp://{listener.LocalEndpoint}"));
        using var client = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await client.ConnectAsync(IPAddress.Loopback, proxy.Port).InTime();
        using Socket server = await listener.AcceptSocketAsync().InTime();

        (Socket sender, Socket receiver, ProxyDirection direction) =
            toBroker ? (client, server, proxy.ToBroker) : (server, client, proxy.ToClient);
        byte[] sent = new byte[5000];
        new Random(1).NextBytes(sent);
        await sender.SendAsync(sent.AsMemory(0, 1000)).AsTask().InTime();
        Assert.Equal(sent[..1000], await ReceiveAsync(receiver, 1000));

        Task cut = direction.CutAfter(1234, how);
        await sender.SendAsync(sent.AsMemory(1000, 1234)).AsTask().InTime();
        Assert.Equal(sent[1000..2234], await ReceiveAsync(receiver, 1234));
        Assert.False(cut.IsCompleted);

        await sender.SendAsync(sent.AsMemory(2234)).AsTask().InTime();
        await cut.InTime();
        Assert.Equal(2234, direction.Bytes);
        await AssertEndedAsync(receiver, how);
        await AssertEndedAsync(sender, how);
    }

    private static Task PublishAsync(IChannel channel, string queue, string text) =>
        channel.BasicPublishAsync("", queue, mandatory: true, new BasicProperties(), Encoding.UTF8.GetBytes(text)).AsTask().InTime();

    private static async Task<byte[]> ReceiveAsync(Socket socket, int count)
    {
        byte[] bytes = new byte[count];
        using var stream = new NetworkStream(socket, ownsSocket: false);
        await stream.ReadExactlyAsync(bytes).AsTask().InTime();
        return bytes;
    }

    private static async Task AssertEndedAsync(Socket socket, Cut how)
    {
        if (how == Cut.Finish)
        {
            Assert.Equal(0, await socket.ReceiveAsync(new byte[1]).InTime());
        }
        else
        {
            SocketException reset = await Assert.ThrowsAsync<SocketException>(() => socket.ReceiveAsync(new byte[1]).InTime());
            Assert.Equal(SocketError.ConnectionReset, reset.SocketErrorCode);
        }
    }
}
