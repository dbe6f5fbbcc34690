#region readme
using Wire;
using Wire.RabbitMQ;
#endregion
using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Wire.Amqp.Client;

// Nobody listens on this port.
using var taken = new TcpListener(IPAddress.Loopback, 0);
taken.Start();
int port = ((IPEndPoint)taken.LocalEndpoint).Port;
taken.Stop();
string address = $"amqp://guest:guest@127.0.0.1:{port}/";

try
{
    await RunAsync(address);
}
catch (AmqpConnectionException)
{
    Console.WriteLine("no broker");
}

IServiceCollection services = new ServiceCollection();
services.AddWireRabbitMQ(options => options.ConnectionFactory.Uri = new Uri(address));
Console.WriteLine(services.Any(service => service.ServiceType == typeof(WirePublisher)));

static async Task RunAsync(string uri)
{
    #region readme
    await using WireConnection connection = await WireConnection.ConnectAsync(uri); // amqp://guest:guest@localhost/
    var serializer = new WireBodySerializer(new SerializerOptions
    {
        TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Message>(), // what a message may name
    });
    await connection.Topology.DeclareQueueAsync("orders");

    var handled = new TaskCompletionSource();
    await using var consumer = new WireConsumer(connection, serializer, new WireConsumerOptions { Queue = "orders" });
    consumer.Handle<OrderPlaced>((order, context) =>
    {
        Console.WriteLine($"{order.Customer} pays {order.Total}");
        handled.TrySetResult();
        return Task.CompletedTask; // now the message is acknowledged
    });
    await consumer.StartAsync();

    await using var publisher = new WirePublisher(connection, serializer);
    await publisher.PublishAsync("", "orders", new OrderPlaced(1, "Ada", 19.90m)); // the broker has it
    await handled.Task;
    #endregion
}

#region readme
public abstract record Message(int Id);
public sealed record OrderPlaced(int Id, string Customer, decimal Total) : Message(Id);
#endregion
