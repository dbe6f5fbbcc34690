using System.Runtime.CompilerServices;
using System.Text;
using Wire.Testing;
using Wire.Transport;

namespace Wire.Amqp.Client.Tests.Testing;

/// <summary>A connection to the shared broker with one channel, and what is short to say in tests with it.</summary>
internal sealed class TestChannel(AmqpConnection connection, AmqpChannel channel) : IAsyncDisposable
{
    public AmqpConnection Connection => connection;

    public AmqpChannel Channel => channel;

    public static AmqpConnectionOptions Options { get; } = AmqpConnectionOptions.Parse(Broker.Node.Uri) with
    {
        // The script's URI ends with a slash, which RabbitMQ.Client passes over.
        VirtualHost = "/",
        Writing = AmqpServers.Writing,
        Body = new AmqpBody(new Serializer(new SerializerOptions { TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>() })),
    };

    public static async Task<TestChannel> OpenAsync(AmqpChannelOptions? options = null, int? port = null, int channelMax = 0)
    {
        AmqpConnectionOptions where = port is { } other ? Options with { Endpoints = [new BrokerEndpoint("127.0.0.1", other)] } : Options;
        AmqpConnection connection =
            await AmqpConnection.ConnectAsync(channelMax == 0 ? where : where with { RequestedChannelMax = channelMax }).InTime();
        return new TestChannel(connection, await connection.OpenChannelAsync(options).InTime());
    }

    /// <summary>A queue that goes with the connection.</summary>
    public async Task<string> QueueAsync(IReadOnlyDictionary<string, object?>? arguments = null, [CallerMemberName] string test = "") =>
        (await channel.Topology.DeclareQueueAsync(Broker.UniqueName(test), AmqpQueueOptions.Temporary with { Arguments = arguments })
            .InTime()).Name;

    /// <summary>Publishes texts to a queue, and waits until they are there.</summary>
    public async Task PublishAsync(string queue, params string[] texts)
    {
        foreach (string text in texts)
        {
            await channel.PublishBytesAsync(new() { Exchange = "", RoutingKey = queue }, default, Encoding.UTF8.GetBytes(text)).AsTask()
                .InTime();
        }
    }

    /// <summary>The text of the next message of a queue, which is acknowledged; null when there is none.</summary>
    public async Task<string?> TakeAsync(string queue)
    {
        using AmqpDelivery? delivery = await channel.GetAsync(queue, noAck: true).InTime();
        return delivery is { } taken ? TextOf(taken) : null;
    }

    /// <summary>How many messages are ready.</summary>
    public async Task<uint> CountAsync(string queue) => (await channel.Topology.FindQueueAsync(queue).InTime())!.MessageCount;

    public static string TextOf(AmqpDelivery delivery) => Encoding.UTF8.GetString(delivery.Body);

    /// <summary>Loses the connection, and waits until it is back.</summary>
    public Task LoseAsync() => BackAsync(() =>
    {
        // Where what a test has done before makes the broker close the connection, that may be so already.
        connection.Link?.Lose(new IOException("Cut by the test."));
        return Task.CompletedTask;
    });

    /// <summary>Has the connection cut, and waits until it is back.</summary>
    public async Task BackAsync(Func<Task> cut)
    {
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        void Recovered() => back.TrySetResult();
        connection.Recovered += Recovered;
        await cut();
        await back.Task.InTime();
        connection.Recovered -= Recovered;
    }

    public ValueTask DisposeAsync() => connection.DisposeAsync();
}
