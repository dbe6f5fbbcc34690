#region usings
using Wire;
using Wire.RabbitMQ;
#endregion

namespace Shop;

/// <summary>The same messages over RabbitMQ.</summary>
internal static class Queue
{
    public static async Task SendAsync(string uri)
    {
        #region send
        await using WireConnection connection = await WireConnection.ConnectAsync(uri); // "amqp://guest:guest@localhost/"
        await connection.Topology.DeclareQueueAsync("getting-started");
        await using var publisher = new WirePublisher(connection, new WireBodySerializer(new SerializerOptions()));
        await publisher.PublishAsync("", "getting-started", new OrderPlaced(Guid.NewGuid(), "Ada", 19.90m));
        Console.WriteLine("the broker has the message");
        #endregion
    }
}
