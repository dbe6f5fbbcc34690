using RabbitMQ.Client;
using Wire.Testing;

namespace Wire.RabbitMQ.Tests.Testing;

/// <summary>What tests rely on that use the shared broker.</summary>
public sealed class BrokerTests
{
    [Fact]
    public void Without_a_broker_the_error_says_how_to_get_one()
    {
        var nowhere = new BrokerNode(_ => null);
        InvalidOperationException error = Assert.Throws<InvalidOperationException>(nowhere.Factory);
        Assert.Equal(
            """WIRE_RABBITMQ_URI is not set: run ./test.sh, or eval "$(eng/rabbitmq.sh start)" before dotnet test.""", error.Message);
    }

    [Fact]
    public async Task It_has_queues_of_all_kinds()
    {
        await using IConnection connection = await Broker.Node.ConnectAsync().InTime();
        await using IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, true)).InTime();
        foreach (string kind in (string[])["classic", "quorum", "stream"])
        {
            string queue = Broker.UniqueName();
            var arguments = new Dictionary<string, object?> { ["x-queue-type"] = kind };
            await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false, arguments).InTime();
            await channel.BasicPublishAsync("", queue, mandatory: true, new BasicProperties(), Array.Empty<byte>()).AsTask().InTime();
            await channel.QueueDeleteAsync(queue).InTime();
        }
    }
}
