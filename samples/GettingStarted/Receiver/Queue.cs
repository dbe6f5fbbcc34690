#region usings
using Wire;
using Wire.RabbitMQ;
#endregion

namespace Shop;

/// <summary>The same messages over RabbitMQ.</summary>
internal static class Queue
{
    public static async Task ReceiveAsync(string uri)
    {
        #region receive
        await using WireConnection connection = await WireConnection.ConnectAsync(uri);
        await connection.Topology.DeclareQueueAsync("getting-started");
        var options = new WireConsumerOptions { Queue = "getting-started" };
        await using var consumer = new WireConsumer(connection, new WireBodySerializer(new SerializerOptions()), options);
        var received = new TaskCompletionSource();
        consumer.Handle<OrderPlaced>((order, context) =>
        {
            Console.WriteLine(order);
            received.TrySetResult();
            return Task.CompletedTask;
        });
        await consumer.StartAsync();
        await received.Task;
        await consumer.StopAsync(); // the message is acknowledged
        #endregion
    }
}
