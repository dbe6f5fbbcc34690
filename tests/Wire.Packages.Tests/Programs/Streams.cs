#region readme
using Wire;
using Wire.RabbitMQ.Streams;
#endregion
using System.Net;
using System.Net.Sockets;

// Nobody listens on this port.
using var taken = new TcpListener(IPAddress.Loopback, 0);
taken.Start();
int port = ((IPEndPoint)taken.LocalEndpoint).Port;
taken.Stop();

try
{
    await RunAsync($"rabbitmq-stream://guest:guest@127.0.0.1:{port}");
}
catch (StreamConnectionException)
{
    Console.WriteLine("no broker");
}

static async Task RunAsync(string uri)
{
    #region readme
    await using StreamClient client = await StreamClient.ConnectAsync(StreamClientOptions.Parse(uri) with
    {
        Serializer = new Serializer(new SerializerOptions // uri: rabbitmq-stream://guest:guest@localhost:5552
        {
            TypeFilter = WireTypeFilter.Default.AllowDerivedFrom<Reading>(), // what a message may name
        }),
    });
    await client.EnsureStreamAsync("readings");

    await using StreamProducer producer = await client.CreateProducerAsync("readings");
    await producer.SendAsync(new Temperature(Sensor: 7, Celsius: 21.5)); // the broker has it when this returns

    var read = new TaskCompletionSource();
    await using StreamConsumer consumer = await client.ConsumeAsync<Reading>(
        "readings",
        (reading, message) =>
        {
            Console.WriteLine($"{message.Offset}: {reading}"); // 0: Temperature { Sensor = 7, Celsius = 21.5 }
            read.TrySetResult();
            return ValueTask.CompletedTask;
        },
        new StreamConsumerOptions { Offset = StreamOffset.First });
    await read.Task;
    #endregion
}

#region readme
public abstract record Reading(int Sensor);
public sealed record Temperature(int Sensor, double Celsius) : Reading(Sensor);
#endregion
